"""An analysis as plain text."""

from collections.abc import Iterator

from controller.analysis.engine import Analysis, Mistake, Skill
from controller.record import MatchRecord
from controller.record.files.match_text import header_text
from controller.record.files.transcript import diagram
from controller.rules import Side


def report(match: MatchRecord, analysis: Analysis, worst: int) -> str:
    """Figures of both players, and their worst plays with diagrams. Ends with a line break."""
    names = {side: header_text(match.name(side)) or str(side) for side in Side}
    width = max(len(name) for name in (*names.values(), "points of luck"))
    lines = [analysis.engine, *(f"MIND: {caution}" for caution in analysis.cautions), ""]
    lines.append(f"{'':28}{names[Side.LIGHT]:>{width}}  {names[Side.DARK]:>{width}}")
    for name, light, dark in _rows(analysis.light, analysis.dark):
        lines.append(f"{name:28}{light:>{width}}  {dark:>{width}}")
    if analysis.left_out:
        lines += ["", f"Left out, because they were illegal or do not follow: {analysis.left_out}"]
    for number, mistake in enumerate(analysis.mistakes[:worst], start=1):
        lines += ["", *_mistake(number, mistake, names[mistake.player])]
    return "\n".join(lines) + "\n"


def _rows(light: Skill, dark: Skill) -> Iterator[tuple[str, str, str]]:
    yield "Error rate (mEMG)", rate_text(light.rate), rate_text(dark.rate)
    yield "  checker plays alone", rate_text(light.play_rate), rate_text(dark.play_rate)
    yield "Points lost by plays", f"{light.play_error:.3f}", f"{dark.play_error:.3f}"
    yield "Points lost by the cube", f"{light.cube_error:.3f}", f"{dark.cube_error:.3f}"
    yield "Luck (points)", f"{light.luck:+.3f}", f"{dark.luck:+.3f}"
    yield "Turns, with a choice", f"{light.moves}, {light.unforced}", f"{dark.moves}, {dark.unforced}"


def _mistake(number: int, mistake: Mistake, name: str) -> Iterator[str]:
    place = f"game {mistake.game}, ply {mistake.ply}"
    who = name if name == mistake.player else f"{name} ({mistake.player})"
    yield f"{number}. {place}: {who} {mistake.roll} {mistake.played}, {-mistake.loss:.3f}"
    yield f"   better: {mistake.best}"
    yield from ("   " + line for line in diagram(mistake.before).splitlines())


def rate_text(rate: float | None) -> str:
    """An error rate, or a dash where there were no decisions."""
    return "-" if rate is None else f"{rate:.1f}"
