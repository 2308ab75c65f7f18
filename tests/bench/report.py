"""From bench-results.json to Markdown, on the screen and in both READMEs."""

import importlib
import json
import shutil

from sitebuild.bench import PARTS, RESULTS
from sitebuild.errors import BuildError
from sitebuild.paths import ROOT

from .chart import chart
from .tables import Goal, goal_table, words_of

ROUNDS = 5
PUBLISHED = ROOT / "docs" / "bench-results.json"  # what the READMEs show
CHART = ROOT / "docs" / "bench-growth.svg"
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh.md"}
BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


def module(name: str):
    """Each has measure(stage, rounds), tables(told, word) and goals(told)."""
    return importlib.import_module(f"bench.{'first_picture' if name == 'boot' else name}")


def part(name: str, told: dict, language: str) -> str:
    return module(name).tables(told, words_of(language))


def all_goals(results: dict) -> list[Goal]:
    return [goal for name in PARTS if name in results for goal in module(name).goals(results[name])]


def machine_line(results: dict, language: str) -> str:
    """Who measured, when, and the versions; the READMEs speak of one machine only."""
    told = [dict(part["machine"]) for part in results.values()]
    dates = ", ".join(sorted({machine.pop("date") for machine in told}))
    if any(machine != told[0] for machine in told):
        raise BuildError("the parts were measured on different machines or versions", "run bench once with all parts")
    here = told[0]
    versions = ", ".join(f"{name} {version}" for name, version in here["versions"].items())
    cores = f"{here['cores']} 核" if language == "zh" else f"{here['cores']} cores"
    return f"{here['cpu']}, {cores}, {here['os']}, Chromium {here['chromium']}, {dates}; {versions}."


def summary(goals: list[Goal], language: str) -> str:
    word, missed = words_of(language), [goal for goal in goals if not goal.met]
    met = len(goals) - len(missed)
    line = f"{len(goals)} 个目标中达到 {met} 个" if language == "zh" else f"{met} of {len(goals)} goals met"
    if not missed:
        return line
    named = "; ".join(f"{word(goal.what)} {goal.value:.2f} ({goal.bound})" for goal in missed)
    return f"{line}. {word('missed')}: {named}" if language == "en" else f"{line}。{word('missed')}：{named}"


def block(results: dict, language: str) -> str:
    """What stands between the marks of a README."""
    parts = [machine_line(results, language)]
    for name in PARTS:
        if name in results:
            parts.append(part(name, results[name], language))
        if name == "growth" in results:
            parts.append(f"![{words_of(language)('ms of attention, n =')}]({CHART.relative_to(ROOT).as_posix()})")
    goals = all_goals(results)
    table = goal_table(goals, words_of(language))
    details = f"<details><summary>{words_of(language)('every goal')}</summary>\n\n{table}\n\n</details>"
    return "\n\n".join([*parts, summary(goals, language), details])


def with_block(readme: str, text: str) -> str:
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise BuildError(f"a README has no {BEGIN} … {END}", "put the two marks where the tables belong")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


def publish() -> None:
    """bench-results.json goes to docs/ (with the chart), and its tables into both READMEs."""
    if RESULTS.exists():
        quick = [name for name, told in json.loads(RESULTS.read_text("utf-8")).items() if told["rounds"] < ROUNDS]
        if quick:
            raise BuildError(f"{', '.join(quick)}: measured with --quick, which is for a look", "run bench without it")
        shutil.copyfile(RESULTS, PUBLISHED)
    results = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    if "growth" in results:
        CHART.write_text(chart(results["growth"]), encoding="utf-8", newline="\n")
    for language, path in READMES.items():
        text = with_block(path.read_text(encoding="utf-8"), block(results, language))
        path.write_text(text, encoding="utf-8", newline="\n")
