"""Dam break through a city: depth and speed along the street y = 0.2 m."""
from pathlib import Path

import numpy as np

from common import Report, data, printed, read_csv, rmse

CASE = Path(__file__).with_name("case.yaml")
PLAIN_DEPTH = {4: "0.032", 5: "0.022", 6: "0.023", 10: "0.027"}   # on 0.04 m cells, bed as distributed
PLAIN_SPEED = {4: "0.43", 5: "0.29", 6: "0.25", 10: "0.37"}


def validate(run):
    results = run(CASE, "urban-25-blocks", [f"domain.bed={data('urban-25-blocks/bed_2cm.asc.gz')}",
                                            f"initial.depth_m={data('urban-25-blocks/initial_depth_2cm.asc.gz')}"])
    report = Report("Dam break through 25 blocks, 0.02 m cells",
                    "Streets only five cells wide, shocks from every corner: the bore before the city and the fall of "
                    "the depth through the street are its signatures.")
    for time in PLAIN_DEPTH:
        h, _ = results.snapshot("h", time)
        hu, _ = results.snapshot("hu", time)
        hv, _ = results.snapshot("hv", time)
        row = int(np.argmin(np.abs(h.y - 0.2)))
        with np.errstate(divide="ignore", invalid="ignore"):
            speed = np.where(h.values[row] > 1e-4, np.hypot(hu.values[row], hv.values[row]) / h.values[row], 0.0)
        measured = read_csv(data(f"urban-25-blocks/depth_y0.2_t{time:02d}s.csv"))
        report.judge(f"depth at {time} s: RMSE", rmse(np.interp(measured["x_m"], h.x, h.values[row]), measured["depth_m"]),
                     "m", printed(PLAIN_DEPTH[time]), f"plain scheme {PLAIN_DEPTH[time]}")
        measured = read_csv(data(f"urban-25-blocks/speed_y0.2_t{time:02d}s.csv"))
        report.judge(f"speed at {time} s: RMSE", rmse(np.interp(measured["x_m"], h.x, speed), measured["speed_m_s"]),
                     "m/s", printed(PLAIN_SPEED[time]), f"plain scheme {PLAIN_SPEED[time]}")
    report.judge("volume error", results.volume_error(), "", 1e-12)
    return report
