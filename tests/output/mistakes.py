#!/usr/bin/env python3
"""What users get wrong: each mistake is named with file, line and key, all of them at once; exit code 2; nothing is
written.

    mistakes.py SWE
"""
import os
import subprocess
import sys
import tempfile

HEAD = "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
FILES = {
    "bed.asc": HEAD + "0 0 0 0\n" * 3,
    "part.asc": HEAD.replace("ncols 4", "ncols 2") + "0 0\n" * 3,
    "nan.asc": HEAD + "0 0 0 0\n0 nan 0 0\n0 0 0 0\n",
    "comma.asc": HEAD + "0,5 0 0 0\n" + "0 0 0 0\n" * 2,
    "cut.asc": HEAD + "0 0 0 0\n" * 2,
    "geo.asc": HEAD + "0 0 0 0\n" * 3,
    "geo.prj": 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
               'UNIT["degree",0.0174532925199433]]',
    "comma.csv": "time_s;m3_per_s\n0;1,5\n10;2\n",
    "early.csv": "time_s,m3_per_s\n0,1\n0.5,1\n",
}
WORKS = "domain: {bed: bed.asc}\ninitial: {depth_m: 0.5}\ntime: {end_s: 1}\n"

# Name, case, options, and what must be said: one or more lines, each by words that stand in it.
MISTAKES = [
    ("U01 misspelt keys", "domian: {bed: bed.asc}\ninitial: {dpeth_m: 1}\ntime: {end_s: 1}\noutput:\n  snapshots: {evry_s: 1}\n", [],
     ["case.yaml:1: domian: unknown key; did you mean 'domain'?", "case.yaml:1: domain: is missing",
      "case.yaml:2: initial.dpeth_m: unknown key; did you mean 'depth_m'?",
      "case.yaml:5: output.snapshots.evry_s: unknown key; did you mean 'every_s'?"]),
    ("U02 a key twice", WORKS + "time: {end_s: 2}\n", [], ["case.yaml:4: time:"]),
    ("U04 off is no law", WORKS + "friction: off\n", [], ["case.yaml:4: friction: "]),
    ("a tab", "domain:\n\tbed: bed.asc\ntime: {end_s: 1}\n", [], ["case.yaml:2: not valid YAML", "a tab"]),
    ("merge and include", "a: &a {b: 1}\ndomain: {<<: *a, bed: bed.asc}\ntime: !include t.yaml\n", [], ["<<", "!include"]),
    ("an empty case", "", [], ["the case is empty"]),
    ("degrees in a .prj", "domain: {bed: geo.asc}\ntime: {end_s: 1}\n", [], ["case.yaml:1: domain.bed: geo.asc is in longitude and latitude"]),
    ("degrees by code", "domain: {bed: bed.asc, crs: EPSG:4326}\ntime: {end_s: 1}\n", [], ["case.yaml:1: domain.crs: "]),
    ("a raster that covers a part", WORKS + "friction: {law: manning, manning: part.asc}\n", [],
     ["case.yaml:4: friction.manning: ", "2 x 3", "4 x 3"]),
    ("a resampled raster that covers a part", WORKS + "friction: {law: manning, manning: {raster: part.asc, resample: nearest}}\n", [],
     ["case.yaml:4: friction.manning: ", "row 3, column 3"]),
    ("a comma in a raster", "domain: {bed: comma.asc}\ntime: {end_s: 1}\n", [], ["comma.asc:6: domain.bed: row 1, column 1"]),
    ("commas and units in numbers", "domain: {bed: bed.asc}\ntime: {end_s: '1,5'}\ninitial: {depth_m: 10 m}\n", [],
     ["case.yaml:2: time.end_s: '1,5' is not a number", "case.yaml:3: initial.depth_m: '10 m' is not a number"]),
    ("commas in a series", WORKS + "boundaries: [{name: q, on: west, type: discharge, series: comma.csv}]\n", [],
     ["comma.csv:2: boundaries.0.series: "]),
    ("a series that ends early", WORKS + "boundaries: [{name: q, on: west, type: discharge, series: early.csv}]\n", [], ["after_end"]),
    ("U12 files that are not there", "domain: {bed: no1.asc}\ninitial: {depth_m: no2.asc}\ntime: {end_s: 1}\n"
     "friction: {law: manning, manning: no3.tif}\nboundaries: [{name: q, on: west, type: discharge, series: no4.csv}]\n", [],
     ["no1.asc: domain.bed: no such file", "no2.asc: initial.depth_m: no such file", "no3.tif: friction.manning: no such file",
      "no4.csv: boundaries.0.series: no such file"]),
    ("U12 a raster cut short", "domain: {bed: cut.asc}\ntime: {end_s: 1}\n", [], ["cut.asc: domain.bed: ", "expected 12 values", "found 8"]),
    ("U06 a side that is none", WORKS + "boundaries: [{name: q, on: weest, type: open}]\n", [], ["case.yaml:4: boundaries.0.on: ", "'west'"]),
    ("U07 places outside", WORKS + "gauges: [{name: far, at: [999, 5]}]\n", [], ["case.yaml:4: gauges.0.at: "]),
    ("two gauges of one name", WORKS + "gauges: [{name: a, at: [5, 5]}, {name: a, at: [15, 5]}]\n", [], ["case.yaml:4: gauges.1.name: "]),
    ("two boundaries on one face", WORKS + "boundaries: [{name: a, on: west, type: open}, {name: b, on: west, type: open}]\n", [],
     ["case.yaml:4: boundaries.1: "]),
    ("U10 numbers out of range", "domain: {grid: {nx: -4, ny: 3, dx_m: 0}, bed: {constant_m: 0}}\ntime: {start_s: 2, end_s: 1}\n"
     "friction: {law: manning, manning: -0.03}\nscheme: {cfl: 1.5, gravity_m_per_s2: 0, dry_tolerance_m: -1}\n"
     "output: {snapshots: {every_s: 0}}\ncheckpoint: {every_s: -1, keep: 0}\n", [],
     ["domain.grid.nx: must be at least 1, not -4", "domain.grid.dx_m: must be greater than 0, not 0", "time.end_s: must be greater than start_s",
      "friction.manning: must be at least 0, not -0.03", "scheme.cfl: must be greater than 0 and at most 1, not 1.5",
      "scheme.gravity_m_per_s2: ", "scheme.dry_tolerance_m: ", "output.snapshots.every_s: must be greater than 0, not 0",
      "checkpoint.every_s: ", "checkpoint.keep: "]),
    ("U13 no depth in a cell", "domain: {bed: bed.asc}\ninitial: {depth_m: nan.asc}\ntime: {end_s: 1}\n", [],
     ["case.yaml:2: initial.depth_m: ", "row 2, column 2"]),
    ("a grid beyond all memory", "domain: {grid: {nx: 2000000, ny: 2000000, dx_m: 1}, bed: {constant_m: 0}}\ntime: {end_s: 1}\n", [],
     ["case.yaml:1: domain.grid: ", "GB"]),
    ("--set of keys that are not", WORKS, ["--set", "scheme.clf=0.4", "--set", "scheme.cfl"],
     ["--set scheme.clf=0.4: scheme.clf: unknown key; did you mean 'cfl'?", "--set scheme.cfl: must read key.path=value"]),
    ("--restart of what is not there", WORKS, ["--restart", "nothing.h5"], ["--restart: nothing.h5: No such file"]),
    ("--restart of something else", WORKS, ["--restart", "bed.asc"], ["--restart: bed.asc: is no checkpoint"]),
]


def everything_in(folder):
    return sorted(os.path.join(place, name) for place, folders, names in os.walk(folder) for name in folders + names)


def main():
    swe = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        for name, case, options, expected in MISTAKES:
            with open(os.path.join(folder, "case.yaml"), "w") as file:
                file.write(case)
            before = everything_in(folder)
            for what in ("run", "check") if not options or options[0] == "--set" else ("run",):
                run = subprocess.run([swe, what, "case.yaml", *options, *(["-o", "out"] if what == "run" else [])],
                                     cwd=folder, capture_output=True, text=True, timeout=300)
                missing = [words for words in expected if words not in run.stderr]
                if run.returncode != 2 or missing or everything_in(folder) != before:
                    failures += 1
                    print(f"{name}: swe {what} ended with {run.returncode}, does not say {missing}, and left "
                          f"{sorted(set(everything_in(folder)) - set(before))}\n{run.stderr}")
    print(f"{len(MISTAKES)} mistakes tried")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
