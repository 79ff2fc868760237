#!/usr/bin/env python3
"""Runs that are killed, and runs whose disk is full.

    trouble.py SWE kill [N]        kill -9 at N random moments (default 10), each followed by a restart
    trouble.py SWE full-disk       the case of O04 on a file system of 1 MB (skipped aloud where it cannot be mounted)
    trouble.py SWE full-disk-at FILE   little room left, so that the first file to fail is checkpoint, maxima, gauges or
                                   start (nothing at all fits)
    trouble.py SWE size-limit      the case of O04 with a limit of 1 MB on the size of files
    trouble.py SWE signals         SIGTERM, SIGINT and SIGUSR1: checkpoint, exit code 75, restart
    trouble.py SWE wall-limit      a loop that runs the same command for as long as it ends with exit code 75
    trouble.py SWE requeue         the job script for a CPU node, warned by a signal, with a stand-in for Slurm's scontrol

Every record that was committed must be there afterwards and be right, and a restarted run must end like one that was
left alone, to the bit.
"""
import contextlib
import glob
import json
import os
import random
import re
import resource
import shutil
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
    if os.path.exists(os.path.join(expected, "gauges.csv")):
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
        for name in {"time", "h", "hu", "hv"} & set(other):
            assert numpy.array_equal(file[name][:], other[name][:count], equal_nan=True), f"{name} differs"
        return count


def have_h5py():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("SKIP of looking inside: python3-h5py is not installed; only the end results are compared")
        return False
    return True


def kill(swe, kills=10):
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


def require_disk_full(run, results, expected, words, name, records):
    """Exit code 4, a message with reason and file name, and at least so many committed records, all right."""
    assert run.returncode == 4, f"exit code {run.returncode}: {run.stderr}"
    assert re.search(words, run.stderr), run.stderr
    assert re.search(name, run.stderr), run.stderr
    print(run.stderr.strip())
    if have_h5py():
        count = committed_records(results, expected)
        assert count is not None and count >= records, count
        print(f"{count} records are intact")
    with open(os.path.join(results, "summary.json")) as file:
        assert json.load(file)["status"] == "failed", "summary.json does not say that the run failed"


def o04_case(folder):
    """A wet dam break of 200 x 3 cells (N04), written every 0.01 s, with a checkpoint each second."""
    inputs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "O04")
    for name in ("dem.asc", "h0.asc"):
        shutil.copy(os.path.join(inputs, name), folder)
    path = os.path.join(folder, "case.yaml")
    with open(path, "w") as file:
        file.write("domain: {bed: dem.asc}\ninitial: {depth_m: h0.asc}\ntime: {end_s: 15}\n"
                   "output: {snapshots: {every_s: 0.01}, maxima: [depth]}\n"
                   "gauges: [{name: a, at: [110.5, 1.5], every_s: 1}]\n"
                   "checkpoint: {every_s: 1}\n")
    return path


def finish_elsewhere(swe, case, results, expected, folder):
    """From the checkpoint on a disk with room: the same end."""
    checkpoints = glob.glob(os.path.join(results, "checkpoints", "*.h5"))
    assert checkpoints, "no checkpoint was written before the disk was full"
    moved = os.path.join(folder, "moved")
    subprocess.run(["cp", "-r", results, moved], check=True)
    subprocess.run(command(swe, case, moved, "--restart", os.path.join(moved, "checkpoints",
                                                                       os.path.basename(max(checkpoints)))),
                   check=True, timeout=PATIENCE_S)
    require_same(swe, moved, expected)
    print("continued where there is room, it ends like the undisturbed run")


@contextlib.contextmanager
def small_disk(folder, size):
    disk = os.path.join(folder, "disk")
    os.mkdir(disk)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        print("SKIP: no tmpfs can be mounted here:", mounted.stderr.strip())
        sys.exit(SKIP)
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def full_disk(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = o04_case(folder)
        with small_disk(folder, "1m") as disk:
            expected = reference(swe, case, folder)
            results = os.path.join(disk, "results")
            run = subprocess.run(command(swe, case, results), capture_output=True, text=True, timeout=PATIENCE_S)
            require_disk_full(run, results, expected, "No space left on device",
                              r"snapshots\.(nc|xdmf)|ckpt_|gauges\.csv|maxima\.nc", 100)
            finish_elsewhere(swe, case, results, expected, folder)


def size_limit(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = o04_case(folder)
        expected = reference(swe, case, folder)
        results = os.path.join(folder, "results")
        run = subprocess.run(command(swe, case, results), capture_output=True, text=True, timeout=PATIENCE_S,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)))
        require_disk_full(run, results, expected, "File too large", r"snapshots\.(nc|xdmf)|ckpt_|maxima\.nc", 100)
        finish_elsewhere(swe, case, results, expected, folder)


# What fails first, how much room there is for it [kB], and what the case writes. A map of 200 x 60 cells is 96 kB; two
# maps and the bed take 288 kB, a checkpoint and the file of the maxima about as much.
LITTLE_ROOM = {
    "checkpoint": (500, r"ckpt_", 2, dict(output="{snapshots: {every_s: 1, fields: [h], compression: 0}}", more="")),
    "maxima": (500, r"maxima\.nc", 2,
               dict(output="{snapshots: {every_s: 2, fields: [h], compression: 0}, maxima: [depth, level, speed]}", more="")),
    "gauges": (750, r"gauges\.csv", 1,
               dict(output="{snapshots: {every_s: 1, fields: [h], compression: 0}}",
                    more="gauges:\n" + "".join(f"  - {{name: g{k}, at: [{k}.5, 1.5], every_s: 0.004}}\n"
                                               for k in range(40)))),
    "start": (0, r"case\.yaml|run\.log|run\.lock", 0, dict(output="{snapshots: {every_s: 1}}", more="")),
}


def full_disk_at(swe, victim):
    room, name, records, parts = LITTLE_ROOM[victim]
    with tempfile.TemporaryDirectory() as folder, small_disk(folder, "4m") as disk:
        case = os.path.join(folder, "case.yaml")
        with open(case, "w") as file:
            file.write("domain: {grid: {nx: 200, ny: 60, dx_m: 1}, bed: {plane: {level_m: 0, slope_x: 0.001, slope_y: 0}}}\n"
                       "initial: {depth_m: {default: 0.1, polygons: [{over: [[0, 0], [99, 0], [99, 60], [0, 60]], "
                       f"value: 2}}]}}}}\ntime: {{end_s: 2}}\noutput: {parts['output']}\n{parts['more']}")
            if victim == "checkpoint":
                file.write("checkpoint: {every_s: 1.5}\n")
        expected = reference(swe, case, folder)
        with open(os.path.join(disk, "filler"), "wb") as file:
            file.write(bytes((4096 - room) * 1024))
        results = os.path.join(disk, "results")
        run = subprocess.run(command(swe, case, results), capture_output=True, text=True, timeout=PATIENCE_S)
        if victim == "start":
            assert run.returncode == 4 and re.search(name, run.stderr), f"exit code {run.returncode}: {run.stderr}"
            assert "No space left on device" in run.stderr, run.stderr
            print(run.stderr.strip())
            return
        require_disk_full(run, results, expected, "No space left on device", name, records)
        assert not glob.glob(os.path.join(results, "**", "*.part"), recursive=True), "something half-written is left"
        assert not os.path.exists(os.path.join(results, "maxima.nc")), "maxima of a run that did not end"
        # with room again, the same command with --restart ends the run
        os.remove(os.path.join(disk, "filler"))
        subprocess.run(command(swe, case, results, "--restart"), check=True, timeout=PATIENCE_S, stderr=subprocess.DEVNULL)
        require_same(swe, results, expected)
        print("with room again it ends like the undisturbed run")


def signals(swe):
    with tempfile.TemporaryDirectory() as folder:
        # Long enough for three signals wherever it runs.
        case = write_case(folder, nx=200, ny=60, end=600, every=4, checkpoint=1000, compression=1)
        expected = reference(swe, case, folder)
        results = os.path.join(folder, "stopped")
        stops = 0
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            steps_now = summary_changes(results)
            run = subprocess.Popen(command(swe, case, results, "--restart"), stderr=subprocess.DEVNULL)
            wait_for(run, steps_now)
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


def wall_limit(swe):
    with tempfile.TemporaryDirectory() as folder:
        case = write_case(folder, nx=200, ny=60, end=80, every=0.5, checkpoint=1000, compression=1)
        began = time.monotonic()
        expected = reference(swe, case, folder)
        limit = max(0.3 * (time.monotonic() - began), 0.1)
        results = os.path.join(folder, "limited")
        stops = 0
        while (code := subprocess.run(command(swe, case, results, "--restart", "--wall-limit", f"{limit:.3f}"),
                                      stderr=subprocess.DEVNULL, timeout=PATIENCE_S).returncode) == 75:
            stops += 1
            assert stops < 500, "the run does not come forward"
        assert code == 0 and stops > 0, f"exit code {code} after {stops} stops"
        require_same(swe, results, expected)
        print(f"stopped {stops} times, ended like the undisturbed run")


def requeue(swe):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs", "slurm", "cpu.sh")
    with tempfile.TemporaryDirectory() as folder:
        # Long enough for two signals wherever it runs.
        case = write_case(folder, nx=200, ny=60, end=600, every=4, checkpoint=1000, compression=1)
        expected = reference(swe, case, folder)
        results = os.path.join(folder, "job")
        queue = os.path.join(folder, "queue")
        with open(os.path.join(folder, "scontrol"), "w") as file:
            file.write(f'#!/bin/sh\necho "$@" >> "{queue}"\n')
        os.chmod(file.name, 0o755)
        job = dict(os.environ, SWE=swe, PATH=folder + ":" + os.environ["PATH"], SLURM_JOB_ID="7", SLURM_CPUS_PER_TASK="1",
                   SLURM_NTASKS="8", SLURM_PROCID="0")
        requeued = 0
        for warned in (True, True, False):
            steps_now = summary_changes(results)
            run = subprocess.Popen(["bash", script, case, "-o", results, "--quiet"], env=job, stderr=subprocess.DEVNULL)
            if warned:
                wait_for(run, steps_now)
                run.send_signal(signal.SIGTERM)
            code = run.wait(timeout=PATIENCE_S)
            assert code == (75 if warned else 0), f"exit code {code}"
            requeued += warned
            with open(queue) as file:
                assert file.read() == "requeue 7\n" * requeued
        require_same(swe, results, expected)
        print(f"put back in the queue {requeued} times, ended like the undisturbed run")


def summary_changes(results):
    """A question to ask again and again: has the summary, written when stepping is about to begin, changed since now?"""

    def stamp():
        try:
            status = os.stat(os.path.join(results, "summary.json"))
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_ino

    before = stamp()
    return lambda: stamp() not in (None, before)


def wait_for(run, happened):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and run.poll() is None and not happened():
        time.sleep(0.005)
    time.sleep(0.1)  # a signal amid the steps, not before the first


def main():
    swe, what, *more = sys.argv[1:]
    swe = os.path.abspath(swe)
    if what == "kill":
        kill(swe, *(int(number) for number in more))
    else:
        {"full-disk": full_disk, "full-disk-at": full_disk_at, "size-limit": size_limit, "signals": signals,
         "wall-limit": wall_limit, "requeue": requeue}[what](swe, *more)


if __name__ == "__main__":
    main()
