"""The table of hardware_docs/referee.md: what every event does in every state, as the referee answers it.

`python -m tests.referee.table.page` writes it anew.
"""

from pathlib import Path
from typing import Final

from controller.referee.actions import Action, Message, Phase, PhaseBegun, Told
from tests.referee.table.scenes import SCENES, happenings

PAGE: Final = Path(__file__).resolve().parents[3] / "hardware_docs" / "referee.md"
BEGIN, END = "<!-- walk: begin -->", "<!-- walk: end -->"
QUIET: Final = frozenset({"ClockRuns", "RollAllowed", "Lit", "PhaseBegun", "Told"})


def answer(before: Phase, after: Phase, actions: tuple[Action, ...]) -> str:
    """One cell: what is said (why, where something is refused), what is told beside, and where it leads."""
    said = [_said(action) for action in actions if isinstance(action, Told)]
    others = [type(action).__name__ for action in actions if type(action).__name__ not in QUIET]
    leads = [f"→ {after}"] if after is not before else []
    if not leads and any(isinstance(action, PhaseBegun) for action in actions):
        leads = ["→ other side"]
    return ", ".join([*others, *said, *leads]) or "·"


def _said(told: Told) -> str:
    cause = told.arguments.get("why") if told.message is Message.NOT_NOW else told.arguments.get("code")
    return f"*{told.message}*" + (f" ({cause})" if cause else "")


def walk() -> dict[Phase, dict[str, str]]:
    """The answer to every event in every state."""
    found: dict[Phase, dict[str, str]] = {}
    for phase, make in SCENES.items():
        found[phase] = {}
        for name in happenings(make()):
            evening = make()
            assert evening.table.phase is phase
            actions = evening.tell(happenings(evening)[name])
            found[phase][name] = answer(phase, evening.table.phase, actions)
    return found


def tables(found: dict[Phase, dict[str, str]]) -> str:
    """The answers as the page shows them: one table for each state, events with the same answer together."""
    parts = []
    for phase, answers in found.items():
        rows: dict[str, list[str]] = {}
        for name, told in answers.items():
            rows.setdefault(told, []).append(name)
        lines = [f"| {', '.join(names)} | {told} |" for told, names in rows.items() if told != "·"]
        nothing = ", ".join(rows.get("·", []))
        body = [f"### {phase}", "", "| event | answer |", "| --- | --- |", *lines, f"| {nothing} | nothing |"]
        parts.append("\n".join(body))
    return "\n\n".join(parts)


def written(page: str, found: dict[Phase, dict[str, str]]) -> str:
    """The page with these answers between its marks."""
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}\n{tables(found)}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), walk()), encoding="utf-8")
