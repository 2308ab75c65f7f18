"""Markdown of what was measured, in both languages; whether a goal was met."""

from dataclasses import dataclass

from .words import chinese


@dataclass(frozen=True)
class Goal:
    what: str
    value: float
    needed: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.value <= self.needed if self.at_most else self.value >= self.needed

    @property
    def bound(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.needed:g}"


def words_of(language: str):
    return chinese if language == "zh" else str


def number(value: float) -> str:
    """Three figures are what such a measurement is good for."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 99.95 else f"{value:.3g}"


def table(head: list[str], rows: list[list[str]]) -> str:
    rows = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rows))


def goal_table(goals: list[Goal], word) -> str:
    rows = []
    for goal in goals:
        met = word("met") if goal.met else f"**{word('missed')}**"
        rows.append([word(goal.what), goal.bound, f"{goal.value:.2f}", met])
    return table([word(one) for one in ("goal", "needed", "measured", "")], rows)
