"""Solitary waves round a conical island: run-up in front and the peak in the lee, where both branches meet."""
from pathlib import Path

import numpy as np

from common import Report, data, grid_raster, read_csv

CASE = Path(__file__).with_name("case.yaml")
CENTRE, DEPTH, CELL = (12.96, 13.80), 0.32, 0.05
HEIGHTS = {"A": 0.045, "B": 0.096}  # measured H/d; C steepens too early without dispersion
GAUGES = ("g6", "g9", "g16", "g22")


def bed(x, y):
    r = np.hypot(x - CENTRE[0], y - CENTRE[1])
    return -DEPTH + np.clip(0.25 * (3.6 - r), 0.0, 0.625)


def wave(relative_height):
    height = relative_height * DEPTH
    start = CENTRE[0] - 15.0
    return lambda x: height / np.cosh(np.sqrt(0.75 * height / DEPTH) * (x - start) / DEPTH) ** 2


def run_up(results, angles):
    """Highest level within each sector of 22.5 degrees, clockwise from +y about the island's centre."""
    level, depth = results.maxima("level"), results.maxima("depth")
    x, y = np.meshgrid(level.x - CENTRE[0], level.y - CENTRE[1])
    clockwise = np.degrees(np.arctan2(x, y)) % 360
    ring = (np.hypot(x, y) < 3.0) & (depth.values > 1e-3)
    heights = []
    for angle in angles:
        sector = ring & (np.abs((clockwise - angle + 180) % 360 - 180) <= 3.0)
        heights.append(float(level.values[sector].max()) if sector.any() else np.nan)
    return np.array(heights)


def validate(run):
    report = Report(f"Solitary waves on a conical island, {CELL:g} m cells, cases A and B",
                    "Refraction and trapping round an island. The two published run-up tables of case A differ by "
                    "30–50 %, so criteria are those of SWALS: 20 % of the largest run-up and of the mean crest (B).")
    for name, relative in HEIGHTS.items():
        gauges, nthmp = (read_csv(data(f"conical-island/{file}_case{name}{end}.csv"))
                         for file, end in (("gauges", ""), ("runup", "_nthmp")))
        liu = read_csv(data(f"conical-island/runup_case{name}_liu1995.csv"))
        folder = run.folder(f"conical-island-input/{name}")
        eta = wave(relative)
        extent = (-12.0, 30.0, 0.0, 27.6, CELL)
        grid_raster(*extent, bed).write(folder / "bed.asc")
        grid_raster(*extent, lambda x, y: np.maximum(eta(x), bed(x, y))).write(folder / "level.asc")
        grid_raster(*extent, lambda x, y: eta(x) * np.sqrt(9.81 / DEPTH)).write(folder / "velocity.asc")
        results = run(CASE, f"conical-island/{name}",
                      [f"domain.bed={folder / 'bed.asc'}", f"initial.level_m={folder / 'level.asc'}",
                       f"initial.velocity_x_m_per_s={folder / 'velocity.asc'}"])
        crests = np.array([results.gauge(g)["level_m"].max() for g in GAUGES])
        measured = np.array([np.nanmax(gauges[f"{g}_m"] - np.nanmean(gauges[f"{g}_m"][:50])) for g in GAUGES])
        strict = 0.2 if name == "B" else None
        report.judge(f"{name}: mean crest, relative error", abs(crests.mean() / measured.mean() - 1), "", strict,
                     "SWALS < 0.2 (B, C)")
        ours = run_up(results, nthmp["angle_deg_clockwise_from_north"])
        liu_best = liu["runup_m"].max()
        report.judge(f"{name}: largest run-up against Liu, relative error", abs(np.nanmax(ours) / liu_best - 1), "", strict,
                     "SWALS < 0.2 (B, C)")
        report.judge(f"{name}: largest run-up against NTHMP, relative error",
                     abs(np.nanmax(ours) / nthmp["runup_m"].max() - 1))
        report.table(f"Case {name}: crests [m]", ["gauge", "measured", "ours"],
                     [[g, float(m), float(o)] for g, m, o in zip(GAUGES, measured, crests)])
        by_angle = dict(zip((270 - liu["angle_deg_liu_convention"]) % 360, liu["runup_m"]))
        report.table(f"Case {name}: run-up [m] by angle, clockwise from +y (the wave comes from 270°)",
                     ["angle", "NTHMP", "Liu 1995", "ours"],
                     [[f"{a:g}", float(m), float(by_angle.get(a % 360, np.nan)), float(o)] for a, m, o in
                      zip(nthmp["angle_deg_clockwise_from_north"], nthmp["runup_m"], ours)])
        report.judge(f"{name}: volume error", results.volume_error(), "", 1e-12)
    return report
