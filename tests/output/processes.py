#!/usr/bin/env python3
"""The program started as several processes, which it is not made for: it says so once and ends.

    processes.py SWE R06       restart with another number of processes than wrote the checkpoint
    processes.py SWE U12       a raster that is missing or cut short, met by several processes
    processes.py SWE batch     a batch script of Slurm is one process, whatever SLURM_NTASKS says

Each with the variables that launchers set, and with mpirun where it is installed (it says so where it is not).
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

HANGS_AFTER_S = 120
RASTER = "ncols 4\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n"
LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", {}),
    "MPICH, Intel MPI": ("PMI_SIZE", "PMI_RANK", {}),
    "srun": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", {"SLURM_STEP_ID": "0", "SLURM_NTASKS": "8"}),
}


def environment(**more):
    """Without what a launcher of this very test may have set."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI", "SLURM_"))}
    return plain | more


def as_told_by(launcher, count, command):
    """(exit codes, what all of them said) of processes that are told what the launcher would tell them."""
    size, rank, more = LAUNCHERS[launcher]
    started = [subprocess.Popen(command, env=environment(**{size: str(count), rank: str(k)}, **more), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for k in range(count)]
    said = [process.communicate(timeout=HANGS_AFTER_S)[0] for process in started]
    return [process.returncode for process in started], "".join(said)


def with_mpirun(count, command):
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        return None
    launch = [mpirun, "-n", str(count)]
    if "Open MPI" in subprocess.run([mpirun, "--version"], capture_output=True, text=True).stdout:
        launch += ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    run = subprocess.run(launch + command, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         timeout=HANGS_AFTER_S)
    return [run.returncode], run.stdout


def every_way(count, command):
    for launcher in LAUNCHERS:
        yield launcher, as_told_by(launcher, count, command)
    began = time.monotonic()
    result = with_mpirun(count, command)
    if result is None:
        print("SKIP of the part with mpirun: it is not installed (Debian: openmpi-bin)")
    else:
        print(f"mpirun -n {count}: all gone after {time.monotonic() - began:.1f} s")
        yield "mpirun", result


def require_refused(launcher, result, once):
    codes, said = result
    assert all(code == 2 for code in codes), f"{launcher}: exit codes {codes}\n{said}"
    for words in once:
        assert said.count(words) == 1, f"{launcher}: {words!r} is said {said.count(words)} times\n{said}"


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def case(folder, bed):
    return write(folder, "case.yaml", f"""domain: {{bed: {bed}}}
initial: {{depth_m: 0.5}}
time: {{end_s: 1}}
checkpoint: {{every_s: 0.5}}
""")


def contents(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.join(place, name)] = file.read()
    return found


def r06(swe, folder):
    write(folder, "bed.asc", RASTER + "0 0 0 0\n" * 3)
    run = [swe, "run", case(folder, "bed.asc"), "-o", os.path.join(folder, "out")]
    for launcher, result in every_way(2, run):
        require_refused(launcher, result, ["started as 2 processes", "computes in 1"])
        assert not os.path.exists(os.path.join(folder, "out")), f"{launcher} left something behind"
    subprocess.run(run + ["--quiet"], env=environment(), check=True)
    before = contents(os.path.join(folder, "out"))
    for launcher, result in every_way(3, run + ["--restart"]):
        require_refused(launcher, result,
                        ["started as 3 processes",
                         'the number of processes may not change on restart: was "1", is "3"'])
        assert contents(os.path.join(folder, "out")) == before, f"{launcher} changed the results"
    for launcher in LAUNCHERS:  # what computes nothing is done once
        codes, said = as_told_by(launcher, 2, [swe, "check", os.path.join(folder, "case.yaml")])
        assert codes == [0, 0] and said.count("4 x 3") == 1, said


def u12(swe, folder):
    write(folder, "cut.asc", RASTER + "0 0 0 0\n" * 2)
    for bed, words in (("nowhere.asc", "no such file"), ("cut.asc", "expected 12 values")):
        path = case(folder, bed)
        for launcher, result in every_way(2, [swe, "run", path, "-o", os.path.join(folder, "out")]):
            require_refused(launcher, result, [bed, words])
            assert not os.path.exists(os.path.join(folder, "out")), f"{launcher} left something behind"


def batch(swe, folder):
    write(folder, "bed.asc", RASTER + "0 0 0 0\n" * 3)
    run = subprocess.run([swe, "run", case(folder, "bed.asc"), "-o", os.path.join(folder, "out"), "--quiet"],
                         env=environment(SLURM_JOB_ID="7", SLURM_NTASKS="8", SLURM_PROCID="0", SLURM_NPROCS="8"))
    assert run.returncode == 0, run.returncode


def main():
    swe, what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        {"R06": r06, "U12": u12, "batch": batch}[what](os.path.abspath(swe), folder)


if __name__ == "__main__":
    main()
