#!/usr/bin/python3
"""Draws one picture per analytic test from report.json: plot.py FOLDER

Left: errors against the number of cells with the observed slope. Middle and right: the finest grid against the
exact solution, or the outflow over time where that is what the test measures.
"""
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def array(values):
    """JSON has no NaN: null stands for it."""
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def plot_errors(axes, series, style, colours):
    last = {}
    for grid in series["grids"]:
        for row in grid["errors"]:
            last.setdefault(row["quantity"], {})[grid["n"]] = row["L1"]
    for quantity, by_n in last.items():
        n = np.array(sorted(by_n))
        colour = colours.setdefault(quantity, f"C{len(colours)}")
        axes.loglog(n, array([by_n[k] for k in n]), style, color=colour, label=f"{quantity}, order {series['order']:.0f}")
    axes.set_xlabel("cells along x")
    axes.set_ylabel("L1 error [-]")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend(fontsize=7)


def plot_profile(axes, series, style, field, unit, with_bed):
    profile = series["grids"][-1]["profile"]
    x, bed = array(profile["x"]), array(profile["bed"])
    base = bed if with_bed else 0
    if len(profile[field + "_exact"]):
        axes.plot(x, base + array(profile[field + "_exact"]), "k-", lw=0.8)
    axes.plot(x, base + array(profile[field]), style, ms=2, lw=1, label=f"order {series['order']:.0f}")
    if with_bed:
        axes.fill_between(x, bed, bed.min() - 0.02 * (np.ptp(bed) + 1e-9), color="0.85", lw=0)
    axes.set_xlabel("x [m]")
    axes.set_ylabel(("level" if with_bed else field) + f" [{unit}]")
    axes.legend(fontsize=7)


def main(folder):
    for test in json.loads((folder / "report.json").read_text()):
        ran = [s for s in test["series"] if s["grids"]]
        if not ran:
            continue
        figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), constrained_layout=True)
        colours = {}
        for series in ran:
            style = "o--" if series["order"] == 1 else "s-"
            line = "C0." if series["order"] == 1 else "C3."
            plot_errors(axes[0], series, style, colours)
            outflow = series["grids"][-1]["outflow"]
            if outflow["time"]:
                axes[1].plot(array(outflow["time"]) / 60, array(outflow["exact"]), "k-", lw=0.8)
                axes[1].plot(array(outflow["time"]) / 60, array(outflow["computed"]), line, ms=2,
                             label=f"order {series['order']:.0f}")
                axes[1].set_xlabel("time [min]")
                axes[1].set_ylabel("outflow [m³/s]")
                axes[1].legend(fontsize=7)
            else:
                plot_profile(axes[1], series, line, "h", "m", True)
            plot_profile(axes[2], series, line, "hu", "m²/s", False)
        figure.suptitle(test["title"] + " (black: exact)", fontsize=10)
        figure.savefig(folder / f"{test['name']}.png", dpi=110)
        plt.close(figure)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
