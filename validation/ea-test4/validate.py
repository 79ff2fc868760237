"""EA test 4: a flood spreads over a flat plain, against a second-order discontinuous Galerkin model."""
from pathlib import Path

import numpy as np

from common import Report, at_times, data, first_above, read_csv, rmse, write_csv

CASE = Path(__file__).with_name("case.yaml")


def validate(run):
    reference = read_csv(data("ea-test4/lisflood_dg2_5m_depths.csv"))
    places = read_csv(data("ea-test4/gauge_locations.csv"))
    inflow = read_csv(data("ea-test4/inflow.csv"))
    series = run.folder("ea-test4-input") / "inflow.csv"
    write_csv(series, {"time_s": inflow["time_s"], "discharge_m3_per_s": inflow["discharge_m3_s"]})
    settings = [f"boundaries.0.series={series}"]
    for k, (name, x, y) in enumerate(zip(places["id"], places["x_m"], places["y_m"])):
        settings.append(f"gauges.{k}.at=[{x:g}, {y:g}]")
    results = run(CASE, "ea-test4", settings)
    report = Report("EA test 4: flood over a flat plain, 5 m cells",
                    "A thin flood spreads in all directions; front speed and depth are compared with LISFLOOD-FP 8's "
                    "second-order DG2 solver. The EA report finds five minutes of spread between commercial models.")
    rows = []
    for name in places["id"]:
        gauge = results.gauge(name)
        ours = at_times(gauge["time_s"], gauge["depth_m"], reference["time_s"])
        theirs = reference[f"{name}_m"]
        report.judge(f"{name}: RMSE of the depth", rmse(ours, theirs), "m", 0.01, "hydroflux 0.0006–0.004")
        arrivals = [first_above(reference["time_s"], theirs, 0.02), first_above(gauge["time_s"], gauge["depth_m"], 0.02)]
        if all(np.isfinite(arrivals)):
            report.judge(f"{name}: arrival, difference", abs(arrivals[1] - arrivals[0]), "s", 300, "hydroflux 60")
        rows.append([name, float(theirs.max()), float(np.nanmax(ours)), *map(float, arrivals)])
    report.table("Peaks [m] and arrivals [s]", ["point", "peak DG2", "ours", "arrival DG2", "ours"], rows)
    report.judge("volume error", results.volume_error(), "", 1e-12)
    return report
