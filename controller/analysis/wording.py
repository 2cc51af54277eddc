"""An analysis in words, in any of the languages: what text and page have in common."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from controller.analysis.engine import (
    Analysis,
    CubeDecision,
    Decision,
    PlayDecision,
    RatedPlay,
    Skill,
)
from controller.analysis.statistics import times_of
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.table_words import capital
from controller.record import MatchRecord
from controller.record.files.match_text import one_line
from controller.rules import Side
from controller.rules.forms.xgid import MatchState

CANDIDATES: Final = 3
"""How many of the best plays are listed for each mistake."""
Times = Mapping[tuple[int, int], float]
"""How many seconds a turn took, by the number of its game, from 1, and its ply."""


@dataclass(frozen=True, slots=True)
class OptionLine:
    """A play or cube action as it is shown.

    Attributes:
        text: in notation or words.
        equity: what it is worth to the player, with its sign.
        gap: what it loses against the best, empty for the best itself.
        mark: `best`, `played`, both joined by a comma, or empty; in the words of the language.
    """

    text: str
    equity: str
    gap: str
    mark: str


class AnalysisWords:
    """The words of an analysis in a language.

    Attributes:
        match: the match.
        analysis: what the engine says of it.
        language: one of the languages.
        names: what the players are called.
        times: how long the turns took.
    """

    def __init__(self, match: MatchRecord, analysis: Analysis, language: str = "en") -> None:
        """Raises LanguageError."""
        self.match, self.analysis, self.language = match, analysis, language
        self._texts: Catalogue = catalogue(language)
        self.names = {side: player_called(match.name(side), side, language) for side in Side}
        self.times: Times = {
            (number, turn.ply): spent
            for number, game in enumerate(match.games, start=1)
            for turn, spent in times_of(game)
        }

    def say(self, entry: str, **arguments: object) -> str:
        """A text of the catalogue about analyses."""
        return self._texts.text("analysis", entry, **arguments)

    def title(self) -> str:
        """Whose match was analysed."""
        return self.say("title", light=self.names[Side.LIGHT], dark=self.names[Side.DARK])

    def notes(self) -> Iterator[str]:
        """Which engine said it, and why the figures may not hold."""
        found = self.analysis
        yield self.say("engine", engine=found.engine, plies=found.plies)
        if found.deeper_s is not None:
            yield self.say("deeper", minutes=max(round(found.deeper_s / 60), 1))
        for code, name in found.cautions:
            yield self.say(code, name=name)
        if found.left_out:
            yield self.say("left_out", count=found.left_out)

    def figures(self) -> Iterator[tuple[str, str, str]]:
        """Each figure by its name, of light and of dark."""
        light, dark = self.analysis.light, self.analysis.dark
        for name, of in FIGURES.items():
            yield self.say(name), of(light), of(dark)
        mine, theirs = (self._median(side) for side in Side)
        if mine or theirs:
            yield self.say("time"), mine or "-", theirs or "-"

    def _median(self, side: Side) -> str:
        made = [
            each for each in self.analysis.decisions if isinstance(each, PlayDecision) and each.player is side
        ]
        spent = [self.times[each.game, each.ply] for each in made if (each.game, each.ply) in self.times]
        return f"{median(spent):.1f}" if spent else ""

    def where(self, decision: Decision) -> str:
        """Which turn of the match a decision belongs to."""
        return self.say("where", game=decision.game, ply=decision.ply + 1)

    def what(self, decision: Decision) -> str:
        """What was rolled, or that it is about the cube."""
        return str(decision.state.roll) if isinstance(decision, PlayDecision) else self.say("cube")

    def made(self, decision: Decision) -> str:
        """What was played or done with the cube."""
        return decision.played.text if isinstance(decision, PlayDecision) else self.say(decision.action)

    def spent(self, decision: Decision) -> str:
        """How long the turn took, empty if that is not known."""
        seconds = self.times.get((decision.game, decision.ply))
        return "" if seconds is None else self.say("after", seconds=f"{seconds:.0f}")

    def score(self, state: MatchState) -> str:
        """The score of light and dark before the game."""
        return score_words(state, self.language)

    def options(self, decision: Decision) -> list[OptionLine]:
        """The best candidates and what was played, the best first."""
        if isinstance(decision, CubeDecision):
            named = [
                (self.say(action), equity, action == decision.action) for action, equity in decision.options
            ]
        else:
            named = [(each.text, each.equity, _same(each, decision)) for each in decision.best[:CANDIDATES]]
            if not any(played for *_, played in named):
                named.append((decision.played.text, decision.played.equity, True))
        top = named[0][1]
        lines = []
        for number, (text, equity, played) in enumerate(named):
            marks = ([self.say("best")] if not number else []) + ([self.say("played")] if played else [])
            gap = f"{equity - top:+.3f}" if number else ""
            lines.append(OptionLine(text, f"{equity:+.3f}", gap, ", ".join(marks)))
        return lines


def score_words(state: MatchState, language: str = "en") -> str:
    """The score of light and dark before a game. Raises LanguageError."""
    texts = catalogue(language)
    if not state.length:
        return texts.text("analysis", "money")
    light, dark = state.score
    told = texts.text("analysis", "score", light=light, dark=dark, length=state.length)
    return f"{told}, {texts.text('analysis', 'crawford')}" if state.crawford else told


def player_called(name: str, side: Side, language: str = "en") -> str:
    """A player's name on one line, or the side if there is none."""
    return one_line(name) or capital(catalogue(language).text("term", str(side)))


def _same(candidate: RatedPlay, decision: PlayDecision) -> bool:
    return candidate.after == decision.played.after


def rate_text(rate: float | None, digits: int = 1) -> str:
    """An error rate, or a dash where there were no decisions."""
    return "-" if rate is None else f"{rate:.{digits}f}"


FIGURES: Final[Mapping[str, Callable[[Skill], str]]] = {
    "pr": lambda skill: rate_text(skill.pr, 2),
    "rate": lambda skill: rate_text(skill.rate),
    "play_rate": lambda skill: rate_text(skill.play_rate),
    "play_error": lambda skill: f"{skill.play_error:.3f}",
    "cube_error": lambda skill: f"{skill.cube_error:.3f}",
    "luck": lambda skill: f"{skill.luck:+.3f}",
    "plays": lambda skill: f"{skill.unforced}",
    "cube_decisions": lambda skill: f"{skill.cube_decisions}",
}
"""How each figure of a player is written, by its entry in the catalogue."""
