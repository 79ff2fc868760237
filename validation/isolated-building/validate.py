"""Dam break against an isolated building: shocks, a wake, and gauges around it."""
from pathlib import Path

import numpy as np

from common import Raster, Report, at_times, data, read_csv, read_raster, rmse

CASE = Path(__file__).with_name("case.yaml")
# Fair gauges by the reference's own judgement: below 0.02 m in depth and 0.25 m/s in velocity
FAIR = ("G3", "G4", "G6")
PLAIN_DEPTH = {"G1": 0.017, "G2": 0.050, "G3": 0.018, "G4": 0.021, "G5": 0.016, "G6": 0.0095}


def prepare(folder, factor):
    """Bed and initial depth on cells of factor x 0.025 m: walls and building where they fill half a cell."""
    fine = read_raster(data("isolated-building/bed_2.5cm.asc.gz"))
    solid = Raster((fine.values > 0.9).astype(float), fine.x0, fine.y0, fine.cell).coarser(factor)
    smooth = Raster(np.where(fine.values > 0.9, np.nan, fine.values), fine.x0, fine.y0, fine.cell)
    ground = smooth.coarser(factor, np.nanmean)
    bed = Raster(np.where(solid.values >= 0.5, 1.0, ground.values), ground.x0, ground.y0, ground.cell)
    bed.values = np.where(np.isnan(bed.values), 1.0, bed.values)
    x, _ = np.meshgrid(bed.x, bed.y)
    level = np.where(x < 6.75, 0.40, 0.02)
    depth = Raster(np.maximum(0.0, level - bed.values), bed.x0, bed.y0, bed.cell)
    bed.write(folder / "bed.asc")
    depth.write(folder / "depth.asc")
    return bed.cell


def validate(run, factor=2):
    folder = run.folder("isolated-building-input")
    with np.errstate(invalid="ignore"):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # blocks that are solid all over have no ground
            cell = prepare(folder, factor)
    results = run(CASE, "isolated-building", [f"domain.bed={folder / 'bed.asc'}",
                                              f"initial.depth_m={folder / 'depth.asc'}"])
    depth, velocity = (read_csv(data(f"isolated-building/gauges_{what}.csv")) for what in ("depth", "velocity"))
    report = Report(f"Dam break against an isolated building, {cell:g} m cells",
                    "A bore hits an oblique building, a jump stands before it and an unsteady wake behind. G3, G4 and G6 "
                    "are the fair test; when the jump passes G1 and G2 depends on grid and friction.")
    for name in (f"G{k}" for k in range(1, 7)):
        gauge = results.gauge(name)
        ours = at_times(gauge["time_s"], gauge["depth_m"], depth["time_s"])
        limit = 0.02 if name in FAIR else None
        report.judge(f"{name}: RMSE of the depth", rmse(ours, depth[f"{name}_m"]), "m", limit,
                     f"plain scheme {PLAIN_DEPTH[name]}")
    for name in (f"G{k}" for k in range(1, 6)):
        gauge = results.gauge(name)
        for axis in "uv":
            observed = velocity[f"{name}_{axis}"]
            ours = at_times(gauge["time_s"], gauge[f"{axis}_m_per_s"], velocity["time_s"])
            limit = 0.25 if name in FAIR and axis == "u" else None
            report.judge(f"{name}: RMSE of {axis}", rmse(ours, observed), "m/s", limit)
    report.judge("volume error", results.volume_error(), "", 1e-12)
    return report
