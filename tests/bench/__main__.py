"""What `python build.py bench` starts in the venv (py/sitebuild/bench.py): measures, prints, writes."""

import argparse
import json
import sys

from sitebuild.bench import PARTS, RESULTS
from sitebuild.console import say
from sitebuild.errors import BuildError

from . import report
from .machine import machine
from .stage import stage
from .tables import goal_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="build.py bench")
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    try:
        report.publish() if options.readme else measure(options.parts or PARTS, 1 if options.quick else report.ROUNDS)
    except BuildError as error:
        sys.exit(str(error))


def measure(parts: list[str], rounds: int) -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name in parts:
        say(f"measuring: {name}")
        part = report.module(name)
        with stage() as where:
            told = part.measure(where, rounds)
            here = machine(where.browser.version)
        results[name] = {"machine": here, **told}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        say(f"\n{report.part(name, results[name], 'en')}\n")
    goals = report.all_goals({name: results[name] for name in parts})
    if goals:
        say(goal_table(goals, str))
    say(f"\n{RESULTS}")


if __name__ == "__main__":
    main()
