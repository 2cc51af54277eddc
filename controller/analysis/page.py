"""An analysis as one HTML page with nothing from outside: figures, curves, mistakes with boards, luck and time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import fmean
from typing import Final

from markupsafe import Markup

from controller.analysis.charts import Curve, curve_svg
from controller.analysis.drawing import board_svg
from controller.analysis.engine import BLUNDER, Analysis, Decision, PlayDecision
from controller.analysis.wording import AnalysisWords
from controller.record import MatchRecord
from controller.record.files.html_page import html_page
from controller.rules import Side, xgid
from controller.rules.forms.xgid import IdError

LUCKIEST: Final = 3
BANDS_S: Final = (0.0, 5.0, 15.0, 30.0, float("inf"))
"""Where the spans of time lie for which mistakes are counted."""
GAME_SIZE: Final = (480.0, 220.0)


@dataclass(frozen=True, slots=True)
class NamedChart:
    """A drawing with its name."""

    name: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class PaceRow:
    """A span of time: how many decisions of light and of dark took that long, and what each lost on average."""

    name: str
    cells: tuple[tuple[str, str], ...]


def analysis_html(match: MatchRecord, analysis: Analysis, worst: int, language: str = "en") -> str:
    """The page, with the worst mistakes up to a number. Every text of the record is escaped. Raises LanguageError."""
    words, facts = AnalysisWords(match, analysis, language), match.facts
    plays = [each for each in analysis.decisions if isinstance(each, PlayDecision)]
    by_luck = sorted(plays, key=lambda each: -each.luck)
    day = facts.played_on.isoformat() if facts.played_on else ""
    return html_page(
        __package__,
        "analysis.html",
        language=language,
        words=words,
        where=" · ".join(filter(None, (facts.event, facts.round, facts.table, facts.place, day))),
        sides=tuple(Side),
        chance=_match_chart(plays, words),
        games=list(_game_charts(plays, words)),
        mistakes=analysis.mistakes[:worst],
        board=lambda decision: decision_board(decision, words),
        xgid=_xgid,
        lucky=[each for each in by_luck[:LUCKIEST] if each.luck > 0],
        unlucky=[each for each in by_luck[: -LUCKIEST - 1 : -1] if each.luck < 0],
        pace=_pace(plays, words),
    )


def decision_board(decision: Decision, words: AnalysisWords) -> Markup:
    """The board from the side of the player whose decision it is."""
    label = words.say("board", position=decision.before.compact())
    return Markup(board_svg(decision.before, decision.player, decision.state, label))


def _xgid(decision: Decision) -> str:
    try:
        return xgid(decision.before, decision.state)
    except IdError:
        return ""


def _light(play: PlayDecision, value: float, whole: float = 0.0) -> float:
    """A value as light sees it: of two that add up to the whole."""
    return value if play.player is Side.LIGHT else whole - value


def _marks(plays: Sequence[PlayDecision], words: AnalysisWords) -> list[tuple[int, str]]:
    return [
        (place, f"{words.names[each.player]}: {each.state.roll} {each.played.text}, {-each.loss:.3f}")
        for place, each in enumerate(plays)
        if each.loss >= BLUNDER
    ]


def _match_chart(plays: Sequence[PlayDecision], words: AnalysisWords) -> NamedChart | None:
    """Light's chance of winning the match over all games; None for money, or if it is not known."""
    known = [each for each in plays if each.chance is not None]
    if not known:
        return None
    values = [100 * _light(each, each.chance or 0.0, 1.0) for each in known]
    starts = [place for place, (a, b) in enumerate(pairwise([0, *(each.game for each in known)])) if a != b]
    name = words.say("match_curve", name=words.names[Side.LIGHT])
    curve = Curve(
        values,
        0,
        100,
        [(each, f"{each} %") for each in (0, 25, 50, 75, 100)],
        _marks(known, words),
        [(place, str(known[place].game)) for place in starts],
    )
    return NamedChart(name, Markup(curve_svg(curve, name)))


def _game_charts(plays: Sequence[PlayDecision], words: AnalysisWords) -> Iterator[NamedChart]:
    """Light's equity after each play, for each game; engines give none where nothing could be played."""
    for game, group in groupby(plays, key=lambda each: each.game):
        of_game = [each for each in group if each.choices]
        if not of_game:
            continue
        name = f"{words.say('game', game=game)}: {words.score(replace(of_game[0].state, crawford=False))}"
        curve = Curve(
            [_light(each, each.played.equity) for each in of_game],
            -2,
            2,
            [(each, f"{each:+d}" if each else "0") for each in (-2, -1, 0, 1, 2)],
            _marks(of_game, words),
        )
        yield NamedChart(name, Markup(curve_svg(curve, name, *GAME_SIZE)))


def _pace(plays: Sequence[PlayDecision], words: AnalysisWords) -> list[PaceRow]:
    """How much was lost by plays, by how long they took; nothing where no times are known."""
    timed = [
        (words.times[each.game, each.ply], each)
        for each in plays
        if each.counts and (each.game, each.ply) in words.times
    ]
    if not timed:
        return []
    rows = []
    for low, high in pairwise(BANDS_S):
        entry = "below" if not low else "above" if high == BANDS_S[-1] else "between"
        cells = []
        for side in Side:
            lost = [each.loss for spent, each in timed if low <= spent < high and each.player is side]
            cells.append((str(len(lost)), f"{fmean(lost):.3f}" if lost else "-"))
        name = words.say(entry, low=f"{low:.0f}", high=f"{high:.0f}")
        rows.append(PaceRow(name, tuple(cells)))
    return rows
