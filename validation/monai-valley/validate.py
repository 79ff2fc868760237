"""Monai valley: run-up of a tsunami in a gully, against laboratory gauges and run-up marks."""
from pathlib import Path

import numpy as np

from common import Report, at_times, data, printed, read_csv, rmse

CASE = Path(__file__).with_name("case.yaml")
PLAIN = {"g5": ("0.0039", 0.072), "g7": ("0.0033", 0.059), "g9": ("0.0035", 0.063)}  # RMSE [m], mean error over range


def highest_wet(level, depth, x, y, reach=0.06):
    """Highest maximum level near a point; run-up marks are read where the water ends, which is near, not at, it."""
    columns, rows = np.meshgrid(level.x, level.y)
    near = (np.abs(columns - x) <= reach) & (np.abs(rows - y) <= reach) & (depth.values > 1e-4)
    return float(level.values[near].max()) if near.any() else np.nan


def validate(run):
    wave = data("monai-valley/input_wave.csv")
    results = run(CASE, "monai-valley", [f"domain.bed={data('monai-valley/bathymetry.asc.gz')}",
                                         f"boundaries.0.series={wave}"])
    measured = read_csv(data("monai-valley/gauges.csv"))
    report = Report("Monai valley, 0.014 m cells, Manning 0.01",
                    "The standard test of tsunami run-up: a leading depression, a bore, and a gully that focuses it.")
    window = (measured["time_s"] >= 0) & (measured["time_s"] <= 22.5)
    time = measured["time_s"][window]
    rows = []
    for name, (plain_rmse, plain_mean) in PLAIN.items():
        observed = measured[f"eta_{name}_m"][window]
        gauge = results.gauge(name)
        ours = at_times(gauge["time_s"], gauge["level_m"], time)
        report.judge(f"{name}: RMSE of the level", rmse(ours, observed), "m", printed(plain_rmse), f"plain scheme {plain_rmse}")
        share = np.nanmean(np.abs(ours - observed)) / np.ptp(observed)
        report.judge(f"{name}: mean error over the range", share, "", 0.10, f"SWALS < 0.10, plain scheme {plain_mean}")
        rows.append([name, float(observed.max()), float(np.nanmax(ours)), float(np.corrcoef(ours, observed)[0, 1])])
    report.table("Crests [m] and correlation", ["gauge", "measured", "ours", "correlation"], rows)

    marks = read_csv(data("monai-valley/runup.csv"))
    level, depth = results.maxima("level"), results.maxima("depth")
    runs = np.array([values for key, values in marks.items() if key.startswith("run")])
    rows = []
    for k, (x, y) in enumerate(zip(marks["x_m"], marks["y_m"])):
        ours = highest_wet(level, depth, x, y)
        low, high = runs[:, k].min(), runs[:, k].max()
        rows.append([f"({x}, {y})", float(low), float(high), ours])
        report.judge(f"run-up at ({x}, {y}) outside the measured range by", max(0.0, low - ours, ours - high), "m",
                     0.1 * high, "SWALS and plain scheme: inside")
    report.table("Run-up [m]", ["place", "lowest of six runs", "highest", "ours"], rows)
    report.judge("volume error", results.volume_error(), "", 1e-12)
    return report
