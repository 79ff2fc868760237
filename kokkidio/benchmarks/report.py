#!/usr/bin/env python3
"""Turns the benchmark's JSON lines into a Markdown report and a plot.

usage: report.py OUTPUT_STEM "machine, compiler, versions" FILE.jsonl...
"""

import collections
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

NAMES = {
    "i0": "OpenMP + Eigen by hand", "i1": "scalar / CUDA by hand", "i2": "plain Kokkos", "i3": "Kokkidio, index",
    "i4": "Kokkidio, range", "i5": "Kokkidio, lanes",
}


def harmonic_mean(values):
    return len(values) / sum(1 / v for v in values) if values and all(v > 0 for v in values) else float("nan")


# Least time of the native code / own time: on a CPU from 10⁴ items up, on a GPU (reference CUDA) from 10⁷ up.
TARGETS = {"cpu": ({"i4": 0.97, "i5": 0.99}, 1e4), "gpu": ({"i3": 0.97, "i4": 0.97, "i5": 0.97}, 1e7)}
FRICTION_ON_CPU = {"i4": 0.97, "i5": 1.2}


def against_targets(groups):
    """Which figures miss their target by more than the reference differs from itself."""
    missed, count = [], 0
    for (transfer, device, threads, precision, bench, size), g in sorted(groups.items()):
        targets, least = TARGETS[device]
        if transfer or size < least:
            continue
        again = g["i0b" if device == "cpu" else "i1b"]["vs_native"]
        for variant, target in (FRICTION_ON_CPU if (device, bench) == ("cpu", "friction") else targets).items():
            count += 1
            if g[variant]["vs_native"] < target - abs(1 - again):
                where = f"{device}, {precision}" + (f", {threads} threads" if device == "cpu" else "")
                missed.append(f"| {where} | {bench} | {size:g} | {variant} | {g[variant]['vs_native']:.3f} | {target} | {again:.3f} |")
    lines = ["", "## Against the targets", "",
             "CPU, from 10⁴ items up: i4 ≥ 0.97, i5 ≥ 0.99, in friction i5 ≥ 1.2; GPU, from 10⁷ up: i3, i4, i5 ≥ 0.97; each less the",
             f"difference of the reference from itself. {count - len(missed)} of {count} figures keep theirs" + (":" if missed else "."), ""]
    if missed:
        lines[-2] = lines[-2][:-1] + "; these do not:"
        lines += ["| where | bench | items | | measured | target | again |", "| --- | --- | ---: | --- | ---: | ---: | ---: |"] + missed
    return lines


def main():
    stem, machine, *files = sys.argv[1:]
    records = [json.loads(line) for name in files for line in open(name) if line.strip()]
    groups = collections.defaultdict(dict)
    for r in records:
        groups[(r["transfer"], r["device"], r["threads"], r["precision"], r["bench"], r["size"])][r["variant"]] = r

    lines = ["# Performance portability, as measured", "", machine, "",
             "Time of the native implementation / own time (medians over rounds in which every implementation runs once, in random",
             "order): i0 is OpenMP and Eigen by hand on a CPU; on a GPU the reference is i1, CUDA by hand. The column *again* is the",
             "reference's own code measured a second time: differences of that size mean nothing.", ""]
    for transfer, device, threads, precision in sorted({k[:4] for k in groups}):
        lines += [f"## {device}, {precision}" + (f", {threads} threads" if device == "cpu" else "")
                  + (", with allocation and transfer" if transfer else ""), ""]
        reference = "i0" if device == "cpu" else "i1"
        variants = ["i1", "i2", "i3", "i4", "i5"] if device == "cpu" else ["i2", "i3", "i4", "i5"]
        lines += ["| bench | items | ns/item " + reference + " | again | " + " | ".join(variants) + " | ns/item i5 |",
                  "| --- | ---: | ---: | ---: |" + " ---: |" * (len(variants) + 1)]
        for key in sorted(k for k in groups if k[:4] == (transfer, device, threads, precision)):
            g = groups[key]
            cells = [f"{g[v]['vs_native']:.3f}" if v in g else "–" for v in [reference + "b"] + variants]
            lines.append(f"| {key[4]} | {key[5]:g} | {g[reference]['ns_per_item']:.4f} | " + " | ".join(cells)
                         + f" | {g['i5']['ns_per_item']:.4f} |")
        lines.append("")

    # PP: harmonic mean over platforms of e = best time / own time, of each platform's geometric mean over benches.
    lines += ["## Efficiencies and PP", "",
              "e = best time / own time, geometric mean over the four benchmarks at sizes from 10⁴ (CPU) and 10⁷ (GPU) up; PP is the",
              "harmonic mean over platforms.", ""]
    platforms = sorted({(k[1], k[2]) for k in groups if not k[0]})
    lines += ["| | " + " | ".join(f"{d} {t}" if d == "cpu" else d for d, t in platforms) + " | PP |",
              "| --- |" + " ---: |" * (len(platforms) + 1)]
    for variant in ["i0", "i1", "i2", "i3", "i4", "i5"]:
        row = []
        for device, threads in platforms:
            least = 1e4 if device == "cpu" else 1e7
            e = [g[variant]["efficiency"] for k, g in groups.items()
                 if not k[0] and (k[1], k[2]) == (device, threads) and k[5] >= least and variant in g]
            row.append(math.exp(sum(map(math.log, e)) / len(e)) if e else 0)
        mean = harmonic_mean(row)
        lines.append(f"| {variant} {NAMES[variant]} | " + " | ".join(f"{x:.3f}" if x else "–" for x in row) + " | "
                     + (f"{mean:.3f}" if all(row) else "–") + " |")
    lines += against_targets(groups)
    open(stem + ".md", "w").write("\n".join(lines) + "\n")

    shown = [(d, t, p) for d, t in platforms for p in sorted({k[3] for k in groups})]
    benches = ["axpy", "dot", "norm", "friction"]
    figure, axes = plt.subplots(len(shown), 4, figsize=(15, 3.1 * len(shown)), squeeze=False, sharey=True, layout="constrained")
    for row, (device, threads, precision) in zip(axes, shown):
        for ax, bench in zip(row, benches):
            for variant in ["i0", "i1", "i2", "i3", "i4", "i5"]:
                points = sorted((k[5], g[variant]["efficiency"]) for k, g in groups.items()
                                if k[:5] == (False, device, threads, precision, bench) and variant in g)
                if points:
                    ax.semilogx(*zip(*points), "C" + variant[1], marker="o", markersize=3, label=f"{variant} {NAMES[variant]}")
            ax.set_title(f"{bench}, {device} {precision}" + (f", {threads} threads" if device == "cpu" else ""), fontsize=10)
            ax.set_ylim(0, 1.05)
            ax.grid(alpha=0.3)
        row[0].set_ylabel("best time / own time")
    for ax in axes[-1]:
        ax.set_xlabel("items")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=6, fontsize=9)
    figure.savefig(stem + ".png", dpi=80, bbox_inches="tight")


main()
