"""Malpasset: the flood of a real dam break against high-water marks and a scale model."""
from pathlib import Path

import numpy as np

from common import Report, data, read_csv, rmse

CASE = Path(__file__).with_name("case.yaml")
REACH = 40.0  # [m] several survey points stand on ground above their mark: the highest wet cell so near counts


def within(raster, x, y, reach):
    """Rows and columns of cells whose centre lies within `reach` [m] of (x, y)."""
    rows = np.flatnonzero(np.abs(raster.y - y) <= reach)
    columns = np.flatnonzero(np.abs(raster.x - x) <= reach)
    return [(j, i) for j in rows for i in columns if np.hypot(raster.x[i] - x, raster.y[j] - y) <= reach]


def highest_level(level, depth, x, y):
    """Highest maximum level of the cells that get wet within REACH, NaN when none does."""
    wet = [level.values[c] for c in within(level, x, y, REACH) if depth.values[c] > 0]
    return max(wet) if wet else np.nan


def nearest_wet_level(level, depth, x, y):
    """Maximum level of the nearest cell that gets wet, and its distance [m]."""
    rows, columns = np.nonzero(depth.values > 0)
    distances = np.hypot(level.x[columns] - x, level.y[rows] - y)
    k = int(np.argmin(distances))
    return float(level.values[rows[k], columns[k]]), float(distances[k])


def arrival(arrivals, x, y):
    """Arrival in the cell of the point; where that stays dry, the earliest one within REACH."""
    j, i = (int(np.argmin(np.abs(axis - place))) for axis, place in ((arrivals.y, y), (arrivals.x, x)))
    here = arrivals.values[j, i]
    if np.isfinite(here):
        return float(here)
    near = [arrivals.values[c] for c in within(arrivals, x, y, REACH)]
    return float(np.nanmin(near)) if np.any(np.isfinite(near)) else np.nan


def earliest(arrivals, x, y, reach):
    near = [arrivals.values[c] for c in within(arrivals, x, y, reach)]
    return float(np.nanmin(near)) if np.any(np.isfinite(near)) else np.nan


def validate(run):
    results = run(CASE, "malpasset", [f"domain.bed={data('malpasset/bed_20m.asc.gz')}",
                                      f"initial.level_m={data('malpasset/initial_level_20m.asc.gz')}"])
    survey = read_csv(data("malpasset/police_survey.csv"))
    gauges = read_csv(data("malpasset/scale_model_gauges.csv"))
    transformers = read_csv(data("malpasset/transformers.csv"))
    level, depth, arrivals = (results.maxima(name) for name in ("level", "depth", "arrival"))

    report = Report("Malpasset dam break, 20 m, Manning 1/30",
                    "A real valley, an enormous wave, wetting and drying everywhere: the case every dam-break model "
                    "is asked about. High-water marks by the police, maxima and arrival times from EDF's scale model.")
    names, xs, ys, marks, george = (survey[key] for key in survey)
    ours = np.array([highest_level(level, depth, x, y) for x, y in zip(xs, ys)])
    report.judge("P1–P17 maximum level, RMS", rmse(ours, marks), "m", 3.3, "GeoClaw with AMR 3.1, plain scheme 2.99")
    report.judge("P1–P17 mean absolute", np.nanmean(np.abs(ours - marks)), "m", None, "GeoClaw 2.5, plain scheme 2.31")
    dry = np.flatnonzero(np.isnan(ours))
    complete = ours.copy()
    for k in dry:
        complete[k], distance = nearest_wet_level(level, depth, xs[k], ys[k])
        report.remarks.append(f"No cell within {REACH:g} m of {names[k]} gets wet; it is left out of the RMS above. The "
                              f"nearest wet cell, {distance:.0f} m away, reaches {complete[k]:.2f} m.")
    report.judge("P1–P17 RMS with the nearest wet cell where none is near", rmse(complete, marks), "m")

    s_names, s_x, s_y, s_marks, s_times, s_george = (gauges[key] for key in gauges)
    s_ours = np.array([highest_level(level, depth, x, y) for x, y in zip(s_x, s_y)])
    s_arrivals = np.array([arrival(arrivals, x, y) for x, y in zip(s_x, s_y)])
    report.judge("S6–S14 maximum level, RMS", rmse(s_ours, s_marks), "m", 4.3, "GeoClaw 4.1, plain scheme 3.97")
    report.judge("S6–S14 arrival, mean absolute", np.nanmean(np.abs(s_arrivals - s_times)), "s")
    report.judge("volume error", results.volume_error(), "", 1e-12)

    report.table("High-water marks [m]", ["point", "observed", "ours", "difference", "GeoClaw (George 2011)"],
                 [[n, float(m), float(o), float(o - m), float(g)] for n, m, o, g in zip(names, marks, ours, george)])
    report.table("Scale model: maximum level [m] and arrival [s]",
                 ["gauge", "observed", "ours", "difference", "arrival observed", "arrival ours"],
                 [[n, float(m), float(o), float(o - m), float(t), float(a)]
                  for n, m, o, t, a in zip(s_names, s_marks, s_ours, s_times, s_arrivals)])
    report.table("Transformers: time of failure [s] against the arrival there and the earliest within 50 m",
                 ["transformer", "observed", "at the point", "within 50 m"],
                 [[n, float(t), arrival(arrivals, x, y), earliest(arrivals, x, y, 50)]
                  for n, x, y, t in zip(*(transformers[key] for key in transformers))])
    summary = results.summary()
    report.remarks.append(f"{summary['steps']} steps, {summary['wall_s']:.0f} s of wall time, "
                          f"{summary['mcell_per_s']:.1f} Mcell/s.")
    return report
