#!/usr/bin/python3
"""Runs measured cases and compares them with their measurements.

    validation/run.py [CASE ...] [--out results/validation] [--swe build/release/swe] [--set key=value]

Without names every case runs. Prints a table per case and writes OUT/report.md. Exit code 0 when every criterion is
met, 1 when one is missed, 77 when nothing ran because the data are absent.
"""
import argparse
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from common import REPOSITORY, SKIPPED, DataMissing, RunFailed, Runner, find_program  # noqa: E402


def cases():
    return sorted(path.parent.name for path in HERE.glob("*/validate.py"))


def load(name):
    spec = importlib.util.spec_from_file_location(f"validate_{name.replace('-', '_')}", HERE / name / "validate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(cases()))
    parser.add_argument("--out", type=Path, default=REPOSITORY / "results/validation")
    parser.add_argument("--swe", help="the program")
    parser.add_argument("--set", action="append", default=[], dest="settings", help="passed on to every run")
    parser.add_argument("--reuse", action="store_true", help="compare results that are already in OUT")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.cases if name not in cases()]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(cases())}")

    options = [part for setting in arguments.settings for part in ("--set", setting)]
    runner = Runner(find_program(arguments.swe), arguments.out.resolve(), options, arguments.reuse)
    reports, skipped, failed = [], [], []
    for name in arguments.cases or cases():
        print(f"== {name}", flush=True)
        try:
            report = load(name).validate(runner)
        except DataMissing as missing:
            print(f"SKIPPED {name}: {missing}")
            skipped.append((name, str(missing)))
            continue
        except RunFailed as failure:
            print(f"FAILED {name}: {failure}")
            failed.append((name, str(failure)))
            continue
        print(report.markdown(), flush=True)
        reports.append(report)

    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "report.md").open("w") as file:
        file.write("# Measured cases\n\n")
        for report in reports:
            file.write(report.markdown() + "\n")
        for name, reason in skipped:
            file.write(f"## {name}\n\nSkipped: {reason}\n\n")
        for name, reason in failed:
            file.write(f"## {name}\n\nFailed: {reason}\n\n")
    missed = [report.title for report in reports if not report.passed]
    print(f"{len(reports) - len(missed)} of {len(reports)} cases within their criteria, {len(skipped)} skipped, "
          f"{len(failed)} failed; {arguments.out / 'report.md'}")
    if not reports and not failed:
        return SKIPPED
    return 1 if missed or failed else 0


if __name__ == "__main__":
    sys.exit(main())
