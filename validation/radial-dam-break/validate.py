"""Circular dam breaks against high-resolution radial solutions (ANUGA's reference tables)."""
from pathlib import Path

import numpy as np

from common import Report, data, read_csv

CASE = Path(__file__).with_name("case.yaml")


def along(raster, angle, radii):
    """Bilinear values along a ray from the origin."""
    x, y = radii * np.cos(angle), radii * np.sin(angle)
    column, row = (x - raster.x[0]) / raster.cell, (y - raster.y[0]) / raster.cell
    i, j = np.floor(column).astype(int), np.floor(row).astype(int)
    s, t = column - i, row - j
    v = raster.values
    return (1 - t) * ((1 - s) * v[j, i] + s * v[j, i + 1]) + t * ((1 - s) * v[j + 1, i] + s * v[j + 1, i + 1])


def validate(run):
    report = Report("Circular dam break, 0.5 m cells",
                    "The exact flow depends on the radius only; the grid must not show. Depth after 2 s against radial "
                    "solutions on 10 000 cells.")
    for name, outside, threshold in (("wet", 1.0, 1.2), ("dry", 0.0, 0.1)):
        reference = read_csv(data(f"radial-dam-break/anuga_radial_{name}_t2s.csv.gz"))
        results = run(CASE, f"radial-dam-break/{name}", [f"initial.depth_m.default={outside}"])
        depth, _ = results.snapshot("h", 2.0)
        radii = np.arange(0.25, 95.0, 0.25)
        exact = np.interp(radii, reference["r_m"], reference["depth_m"])
        fronts = {}
        for ray, angle in (("axis", 0.0), ("diagonal", np.pi / 4)):
            ours = along(depth, angle, radii)
            report.judge(f"{name}: relative L1 of the depth along the {ray}", np.abs(ours - exact).sum() / exact.sum(),
                         "", 0.02)
            fronts[ray] = radii[np.flatnonzero(ours > threshold)[-1]]
        report.judge(f"{name}: front on the axis less that on the diagonal", abs(fronts["axis"] - fronts["diagonal"]),
                     "m", 0.75)
        x, y = np.meshgrid(depth.x, depth.y)
        r = np.hypot(x, y)
        bins = np.round(r / 1.0).astype(int)
        scatter = [np.ptp(depth.values[bins == k] - np.interp(r[bins == k], reference["r_m"], reference["depth_m"]))
                   for k in range(5, 90)]
        report.judge(f"{name}: largest scatter of the error at one radius", max(scatter), "m")
        report.judge(f"{name}: volume error", results.volume_error(), "", 1e-12)
    return report
