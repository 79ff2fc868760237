#!/usr/bin/env python3
"""Runs that are killed, and runs whose disk is full.

    trouble.py SWE kill [N]        kill -9 at N random moments (default 8), each followed by a restart
    trouble.py SWE full-disk       a file system of 1 MB (skipped aloud where it cannot be mounted)
    trouble.py SWE size-limit      a limit of 1 MB on the size of files
    trouble.py SWE signals         SIGTERM, SIGINT and SIGUSR1: checkpoint, exit code 75, restart

Every record that was committed must be there afterwards and be right, and a restarted run must end like one that was
left alone, to the bit.
"""
import glob
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77
PATIENCE_S = 300

CASE = """title: a dam breaks in a long basin
domain:
  grid: {{nx: {nx}, ny: {ny}, dx_m: 1, x0_m: 0, y0_m: 0}}
  bed: {{plane: {{level_m: 0, slope_x: 0.001, slope_y: 0}}}}
friction: {{law: manning, manning: 0.02}}
initial:
  depth_m:
    default: 0.1
    polygons: [{{over: [[0, 0], [{dam}, 0], [{dam}, {ny}], [0, {ny}]], value: 2}}]
time: {{end_s: {end}}}
output:
  snapshots: {{every_s: {every}, compression: {compression}}}
  maxima: [depth, arrival]
gauges: [{{name: a, at: [10.5, 1.5], every_s: 0.013}}, {{name: b, at: [{dam}.5, 2.5], every_s: 0.05}}]
checkpoint: {{every_s: {checkpoint}, keep: 3}}
"""


def write_case(folder, **values):
    path = os.path.join(folder, "case.yaml")
    with open(path, "w") as file:
        file.write(CASE.format(dam=values["nx"] // 2, **values))
    return path


def command(swe, case, results, *more):
    return [swe, "run", case, "-o", results, "--quiet", "--threads", "1", *more]


def reference(swe, case, folder):
    results = os.path.join(folder, "reference")
    subprocess.run(command(swe, case, results), check=True, timeout=PATIENCE_S)
    return results


def require_same(swe, results, expected):
    compared = subprocess.run([swe, "compare", results, expected], capture_output=True, text=True)
    assert compared.returncode == 0, compared.stdout + compared.stderr
    with open(os.path.join(results, "gauges.csv"), "rb") as a, open(os.path.join(expected, "gauges.csv"), "rb") as b:
        assert a.read() == b.read(), "gauges.csv differs"


def committed_records(results, expected):
    """Number of records in a result file, each compared with the one of the undisturbed run."""
    import h5py
    import numpy

    path = os.path.join(results, "snapshots.nc")
    # A kill inside a commit leaves a journal that the next run completes; until then nothing is promised.
    if not os.path.exists(path) or os.path.exists(path + ".journal"):
        return None
    try:
        file = h5py.File(path, "r")
    except OSError:
        assert os.path.getsize(path) < 200_000, "a file with records in it cannot be opened"
        return None  # killed before the first commit
    with file, h5py.File(os.path.join(expected, "snapshots.nc"), "r") as other:
        if "records_committed" not in file.attrs:
            return None
        count = int(file.attrs["records_committed"])
        assert file["time"].shape[0] == count
        for name in ("time", "h", "hu", "hv"):
            assert numpy.array_equal(file[name][:], other[name][:count], equal_nan=True), f"{name} differs"
        return count


def have_h5py():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("SKIP of looking inside: python3-h5py is not installed; only the end results are compared")
        return False
    return True


def kill(swe, kills=8):
    look = have_h5py()
    seed = random.randrange(1 << 30)
    print(f"random seed {seed}")
    moments = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        case = write_case(folder, nx=200, ny=60, end=12, every=0.02, checkpoint=0.5, compression=0)
        began = time.monotonic()
        expected = reference(swe, case, folder)
        whole = time.monotonic() - began
        done, rounds, most_records, journals = 0, 0, 0, 0
        while done < kills:
            results = os.path.join(folder, f"killed{rounds}")
            rounds += 1
            finished = False
            least = 0
            while not finished:
                run = subprocess.Popen(command(swe, case, results, "--restart"), stderr=subprocess.DEVNULL)
                try:
                    run.wait(timeout=moments.uniform(0.02, 0.35 * whole) if done < kills else PATIENCE_S)
                    finished = run.returncode == 0
                    assert run.returncode == 0, f"exit code {run.returncode}"
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.wait()
                    done += 1
                    journals += os.path.exists(os.path.join(results, "snapshots.nc.journal"))
                    if look:
                        count = committed_records(results, expected)
                        most_records = max(most_records, count or 0)
                        # A checkpoint that was written counts on its records.
                        for name in glob.glob(os.path.join(results, "checkpoints", "*.h5")):
                            least = max(least, records_of(name))
                        assert count is None or count >= least, f"{count} records, a checkpoint counts {least}"
                        least = 0
            require_same(swe, results, expected)
        print(f"{done} kills in {rounds} runs, {journals} of them inside a commit; at most {most_records} records found; "
              "all ended like the undisturbed run")


def records_of(checkpoint):
    import h5py

    with h5py.File(checkpoint, "r") as file:
        return int(file.attrs["snapshot_records"])


def require_disk_full(swe, run, results, expected, words):
    assert run.returncode == 4, f"exit code {run.returncode}: {run.stderr}"
    assert re.search(words, run.stderr), run.stderr
    assert re.search(r"snapshots\.(nc|xdmf)|ckpt_|gauges\.csv|maxima\.nc", run.stderr), run.stderr
    print(run.stderr.strip())
    checkpoints = glob.glob(os.path.join(results, "checkpoints", "*.h5"))
    assert checkpoints, "no checkpoint was written before the disk was full"
    if have_h5py():
        count = committed_records(results, expected)
        assert count is not None and count > 10, count
        print(f"{count} records and {len(checkpoints)} checkpoint(s) are intact")
    with open(os.path.join(results, "summary.json")) as file:
        assert '"failed"' in file.read(), "summary.json does not say that the run failed"


def disk_case(folder):
    return write_case(folder, nx=60, ny=3, end=6, every=0.01, checkpoint=1, compression=0)


def finish_elsewhere(swe, case, results, expected, folder):
    """From the checkpoint on a disk with room: the same end."""
    newest = max(glob.glob(os.path.join(results, "checkpoints", "*.h5")))
    moved = os.path.join(folder, "moved")
    subprocess.run(["cp", "-r", results, moved], check=True)
    subprocess.run(command(swe, case, moved, "--restart", os.path.join(moved, "checkpoints", os.path.basename(newest))),
                   check=True, timeout=PATIENCE_S)
    require_same(swe, moved, expected)
    print("continued where there is room, it ends like the undisturbed run")


def full_disk(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = disk_case(folder)
        disk = os.path.join(folder, "disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, text=True)
        if mounted.returncode != 0:
            print("SKIP: no tmpfs can be mounted here:", mounted.stderr.strip())
            sys.exit(SKIP)
        try:
            expected = reference(swe, case, folder)
            results = os.path.join(disk, "results")
            run = subprocess.run(command(swe, case, results), capture_output=True, text=True, timeout=PATIENCE_S)
            require_disk_full(swe, run, results, expected, "No space left on device")
            finish_elsewhere(swe, case, results, expected, folder)
        finally:
            subprocess.run(["umount", disk], check=True)


def size_limit(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = disk_case(folder)
        expected = reference(swe, case, folder)
        results = os.path.join(folder, "results")
        run = subprocess.run(command(swe, case, results), capture_output=True, text=True, timeout=PATIENCE_S,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)))
        require_disk_full(swe, run, results, expected, "File too large")
        finish_elsewhere(swe, case, results, expected, folder)


def signals(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = write_case(folder, nx=200, ny=60, end=80, every=0.5, checkpoint=1000, compression=1)
        expected = reference(swe, case, folder)
        results = os.path.join(folder, "stopped")
        stops = 0
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            run = subprocess.Popen(command(swe, case, results, "--restart"), stderr=subprocess.DEVNULL)
            # Its summary appears when stepping is about to begin.
            wait_for(run, os.path.join(results, "summary.json"), newer_than=time.time() - 0.01)
            time.sleep(0.1)
            run.send_signal(number)
            run.wait(timeout=PATIENCE_S)
            if run.returncode == 0:
                break
            assert run.returncode == 75, f"exit code {run.returncode} after signal {number}"
            stops += 1
        assert stops == 3, f"the run ended before signal {stops + 1}"
        code = subprocess.run(command(swe, case, results, "--restart"), stderr=subprocess.DEVNULL).returncode
        assert code == 0, code
        require_same(swe, results, expected)
        print(f"stopped {stops} times, ended like the undisturbed run")


def wait_for(run, path, newer_than):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and run.poll() is None:
        if os.path.exists(path) and os.path.getmtime(path) >= newer_than:
            return
        time.sleep(0.005)


def main():
    swe, what, *more = sys.argv[1:]
    swe = os.path.abspath(swe)
    {"kill": kill, "full-disk": full_disk, "size-limit": size_limit, "signals": signals}[what](
        swe, *(int(number) for number in more))


if __name__ == "__main__":
    main()
