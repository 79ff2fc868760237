"""What the measured cases share: finding data and program, running a case, reading results, printing tables.

Each case is a folder with a `validate.py` that offers `validate(run) -> Report`. See README.md for how to add one.
"""
import csv
import gzip
import math
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[1]
SKIPPED = 77  # exit code that CTest counts as skipped


class DataMissing(Exception):
    """The measurements are not on this machine."""


class RunFailed(Exception):
    """The program did not finish the case."""


def data_folder():
    return Path(os.environ.get("SWE_DATA", REPOSITORY / "../shared/data")).resolve()


def data(name):
    """Path of a data file; DataMissing when it is not there."""
    path = data_folder() / name
    if not path.exists():
        raise DataMissing(f"{path} is absent (set SWE_DATA to the folder of the measured cases)")
    return path


def read_csv(path):
    """Columns of a CSV file with a header: numbers as arrays (blank: NaN), anything else as lists of text."""
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    columns = {}
    for k, name in enumerate(rows[0]):
        texts = [row[k].strip() if k < len(row) else "" for row in rows[1:]]
        try:
            columns[name.strip()] = np.array([float(t) if t else math.nan for t in texts])
        except ValueError:
            columns[name.strip()] = texts
    return columns


def write_csv(path, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))


@dataclass
class Raster:
    """Values with row 0 in the south; (x0, y0) is the south-west corner."""

    values: np.ndarray
    x0: float
    y0: float
    cell: float

    @property
    def x(self):
        return self.x0 + (np.arange(self.values.shape[1]) + 0.5) * self.cell

    @property
    def y(self):
        return self.y0 + (np.arange(self.values.shape[0]) + 0.5) * self.cell

    def write(self, path):
        values = np.where(np.isnan(self.values), -9999.0, self.values)
        rows, columns = values.shape
        with open(path, "w") as file:
            file.write(f"ncols {columns}\nnrows {rows}\nxllcorner {self.x0:.10g}\nyllcorner {self.y0:.10g}\n")
            file.write(f"cellsize {self.cell:.10g}\nNODATA_value -9999\n")
            np.savetxt(file, np.flipud(values), fmt="%.9g")

    def coarser(self, factor, reduce=np.mean):
        """Blocks of factor x factor cells as one; rows and columns that do not fill a block are dropped."""
        rows, columns = (n // factor for n in self.values.shape)
        blocks = self.values[: rows * factor, : columns * factor].reshape(rows, factor, columns, factor)
        return Raster(reduce(reduce(blocks, axis=3), axis=1), self.x0, self.y0, self.cell * factor)


def grid_raster(x_from, x_to, y_from, y_to, cell, formula):
    """A raster of square cells from a formula of the coordinates of cell centres."""
    columns, rows = round((x_to - x_from) / cell), round((y_to - y_from) / cell)
    raster = Raster(np.zeros((rows, columns)), x_from, y_from, cell)
    x, y = np.meshgrid(raster.x, raster.y)
    raster.values = np.asarray(formula(x, y), dtype=float) + np.zeros_like(x)
    return raster


def read_raster(path):
    """ESRI ASCII, plain or gzipped, with corner registration."""
    opener = gzip.open if str(path).endswith(".gz") else open
    header = {}
    with opener(path, "rt") as file:
        for _ in range(6):
            key, value = file.readline().split()
            header[key.lower()] = float(value)
        values = np.loadtxt(file)
    values[values == header["nodata_value"]] = math.nan
    return Raster(np.flipud(values), header["xllcorner"], header["yllcorner"], header["cellsize"])


class Results:
    """A result folder of the program."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def summary(self):
        import json

        return json.loads((self.folder / "summary.json").read_text())

    def volume_error(self):
        """Relative error of the volume balance."""
        return abs(float(self.summary()["volume_balance"]["relative_error"]))

    def gauge(self, name):
        """Times and the columns depth_m, level_m, u_m_per_s, v_m_per_s of one gauge."""
        table = read_csv(self.folder / "gauges.csv")
        columns = {key[len(name) + 1:]: values for key, values in table.items() if key.startswith(name + "_")}
        columns["time_s"] = table["time_s"]
        keep = ~np.isnan(columns["depth_m"])
        return {key: values[keep] for key, values in columns.items()}

    def section(self, name):
        """Times [s] and discharge [m3/s] of one section."""
        table = read_csv(self.folder / "sections.csv")
        column = next(key for key in table if key.startswith(name + "_"))
        keep = ~np.isnan(table[column])
        return table["time_s"][keep], table[column][keep]

    def maxima(self, name):
        """A field of maxima.nc as a Raster with its coordinates, row 0 in the south."""
        import netCDF4

        with netCDF4.Dataset(self.folder / "maxima.nc") as file:
            return _south_up(file, np.ma.filled(file.variables[name][:].astype(float), math.nan))

    def snapshot(self, name, time):
        """A field of the snapshot nearest to `time` [s], and its time."""
        import netCDF4

        with netCDF4.Dataset(self.folder / "snapshots.nc") as file:
            times = np.asarray(file.variables["time"][:], dtype=float)
            k = int(np.argmin(np.abs(times - time)))
            values = np.ma.filled(file.variables[name][k].astype(float), math.nan)
            return _south_up(file, values), float(times[k])


def _south_up(file, values):
    x, y = (np.asarray(file.variables[axis][:], dtype=float) for axis in ("x", "y"))
    if y.size > 1 and y[1] < y[0]:
        y, values = y[::-1], values[::-1]
    cell = float(x[1] - x[0])
    return Raster(values, x[0] - 0.5 * cell, y[0] - 0.5 * cell, cell)


@dataclass
class Runner:
    """Runs cases with one program into one folder."""

    program: Path
    out: Path
    options: list = field(default_factory=list)
    reuse: bool = False

    def folder(self, name):
        path = self.out / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def __call__(self, case, name, settings=()):
        """Runs the case file into OUT/name; `settings` are key.path=value pairs. Returns its Results."""
        target = self.out / name
        if self.reuse and (target / "summary.json").exists():
            return Results(target)
        command = [str(self.program), "run", str(case), "-o", str(target), "--overwrite", "--quiet", *self.options]
        for setting in settings:
            command += ["--set", setting]
        print("  $", " ".join(command), flush=True)
        code = subprocess.run(command).returncode
        if code != 0:
            raise RunFailed(f"exit code {code}: {' '.join(command)}")
        return Results(target)


@dataclass
class Judgement:
    """One number beside its criterion; `limit` None: only reported."""

    what: str
    value: float
    unit: str = ""
    limit: float = None
    others: str = ""  # what published models reach

    @property
    def holds(self):
        return self.limit is None or self.value <= self.limit


@dataclass
class Report:
    title: str
    why: str
    judgements: list = field(default_factory=list)
    tables: list = field(default_factory=list)  # (caption, header, rows)
    figures: list = field(default_factory=list)
    remarks: list = field(default_factory=list)

    def judge(self, what, value, unit="", limit=None, others=""):
        self.judgements.append(Judgement(what, float(value), unit, limit, others))

    def table(self, caption, header, rows):
        self.tables.append((caption, header, rows))

    @property
    def passed(self):
        return all(j.holds for j in self.judgements)

    def markdown(self):
        lines = [f"## {self.title}", "", self.why, ""]
        lines += ["| measure | ours | criterion | published models | |", "| --- | --- | --- | --- | --- |"]
        for j in self.judgements:
            limit = "" if j.limit is None else f"≤ {j.limit:g} {j.unit}"
            verdict = "" if j.limit is None else "ok" if j.holds else "**missed**"
            lines.append(f"| {j.what} | {j.value:.4g} {j.unit} | {limit} | {j.others} | {verdict} |")
        for caption, header, rows in self.tables:
            lines += ["", caption, "", "| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
            lines += ["| " + " | ".join(text(cell) for cell in row) + " |" for row in rows]
        for remark in self.remarks:
            lines += ["", remark]
        for figure in self.figures:
            lines += ["", f"![{self.title}]({figure})"]
        return "\n".join(lines) + "\n"


def text(cell):
    if isinstance(cell, float):
        return "–" if math.isnan(cell) else f"{cell:.2f}" if abs(cell) >= 10 else f"{cell:.3g}"
    return str(cell)


def printed(number):
    """Upper end of what rounds to a number as printed: others' "0.0033" is met by anything below 0.00335."""
    decimals = len(number.partition(".")[2])
    return float(number) + 0.5 * 10.0**-decimals


def rmse(a, b):
    difference = np.asarray(a) - np.asarray(b)
    return float(np.sqrt(np.nanmean(difference**2)))


def at_times(time, value, wanted):
    """Linear interpolation, NaN outside."""
    return np.interp(wanted, time, value, left=math.nan, right=math.nan)


def first_above(time, value, threshold):
    """First time at which the value exceeds the threshold, NaN if never."""
    above = np.flatnonzero(np.asarray(value) > threshold)
    return float(time[above[0]]) if above.size else math.nan


def find_program(given):
    candidates = [given] if given else [os.environ.get("SWE"), REPOSITORY / "build/release/swe", shutil.which("swe")]
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return Path(candidate).resolve()
    sys.exit("the program swe was not found: build it (scripts/test) or give --swe")
