"""Rain on a laboratory catchment: outflow of water films that are millimetres deep."""
from pathlib import Path

import numpy as np

from common import Report, at_times, data, read_csv, rmse, write_csv

CASE = Path(__file__).with_name("case.yaml")


def storm(name, folder):
    """The rain as steps in the file's own unit; the source writes each step as its two ends."""
    given = read_csv(data(f"cea2008-rainfall/rain_{name}.csv"))
    times, rates = given["time_s"], given["rain_mm_h"]
    keep = np.append(times[1:] > times[:-1], True)  # of two records at one time the later value holds
    path = folder / f"rain_{name}.csv"
    write_csv(path, {"time_s": times[keep], "rain_mm_per_h": np.append(rates[keep][:-1], 0.0)})
    return path


def validate(run):
    report = Report("Laboratory catchment under rain, 0.01 m cells, Manning 0.009",
                    "Films of a millimetre on steel: a scheme that cuts thin films off answers late and leaves water.")
    folder = run.folder("cea2008-rainfall-input")
    for name in ("C1", "C3"):
        measured = read_csv(data(f"cea2008-rainfall/outflow_{name}.csv"))
        results = run(CASE, f"cea2008-rainfall/{name}",
                      [f"domain.bed={data('cea2008-rainfall/bed_1cm.asc.gz')}",
                       f"sources.0.series_mm_per_h={storm(name, folder)}"])
        time, discharge = results.section("outlet")
        discharge = np.abs(discharge)
        observed = measured["discharge_m3_s"]
        ours = at_times(time, discharge, measured["time_s"])
        peak = observed.max()
        report.judge(f"{name}: RMSE of the outflow over the peak", rmse(ours, observed) / peak)
        efficiency = 1 - np.nansum((ours - observed) ** 2) / np.sum((observed - observed.mean()) ** 2)
        report.judge(f"{name}: 1 - NSE of the outflow", 1 - efficiency, "", 0.1)
        report.judge(f"{name}: peak, relative error", abs(discharge.max() / peak - 1), "", 0.15)
        volumes = [np.trapz(q, t) for t, q in ((measured["time_s"], observed), (time, discharge))]
        report.table(f"{name}", ["", "measured", "ours"],
                     [["peak [L/s]", float(1e3 * peak), float(1e3 * discharge.max())],
                      ["outflow to the end [L]", float(1e3 * volumes[0]), float(1e3 * volumes[1])]])
        report.judge(f"{name}: volume error", results.volume_error(), "", 1e-12)
    return report
