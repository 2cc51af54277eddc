"""The words of a table's state: names, who acts, what may be done, in one language."""

from dataclasses import dataclass
from typing import Self

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import play_words
from controller.messages.table_words import Names, capital, message_words, side_words
from controller.referee import Told, TurnJudged
from controller.referee.actions import Candidate
from controller.rules import Position, Side
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.telling.table import told_text, verdict_text
from controller.web.audience import Audience
from controller.web.table_service import RoomView


@dataclass(frozen=True, slots=True)
class Wording:
    """How one audience is spoken to.

    Attributes:
        language: one of the catalogues'.
        names: what the players are called in sentences: by their first names, unless these are alike.
        viewer: from whose side points are numbered.
        rules: those of the game that is played, which say how points are numbered.
    """

    language: str
    names: Names
    viewer: Side
    rules: MovementRules = STANDARD

    @classmethod
    def for_audience(cls, view: RoomView, audience: Audience) -> Self:
        """The wording of a table for an audience."""
        names = {} if view.match is None else first_names(view.match.names)
        table = view.referee
        rules = STANDARD if table is None else table.match.game.profile.movement
        return cls(audience.language, names, audience.side or Side.LIGHT, rules)

    @property
    def texts(self) -> Catalogue:
        """The catalogue."""
        return catalogue(self.language)

    def side(self, side: Side) -> str:
        """What a side is called."""
        return side_words(side, self.language, self.names)

    def live(self, *path: str, **arguments: object) -> str:
        """A text of the catalogues' table `live`; sides among the arguments are named."""
        worded = {name: self.side(it) if isinstance(it, Side) else it for name, it in arguments.items()}
        return capital(self.texts.text("live", *path, **worded))

    def message(self, message: str, **arguments: object) -> str:
        """What a message of the table says."""
        told = {name: str(it) if isinstance(it, Side) else it for name, it in arguments.items()}
        return message_words(
            message,
            told,  # type: ignore[arg-type]
            self.language,
            self.names,
            self.viewer,
            self.rules.direction,
        )

    def told(self, told: Told) -> str:
        """A message that the referee told, in words."""
        return told_text(told, self.language, self.names, self.viewer, self.rules.direction)

    def candidate(self, candidate: Candidate, before: Position, *, share: bool) -> str:
        """What a turn that began from ``before`` may have been; with ``share`` how probable that is."""
        moved = candidate.after != before
        play = play_words(candidate.text, self.language, legal=candidate.legal is not False, moved=moved)
        if not share:
            return play
        return self.texts.text("live", "choice", "share", play=play, percent=percent(candidate.probability))

    def verdict(self, turn: TurnJudged) -> str:
        """A turn and what is to be said of it."""
        return verdict_text(turn, self.language, self.names)


def percent(probability: float) -> int:
    """A probability in whole percent: what is not certain is neither 0 nor 100."""
    return min(99, max(1, round(100 * probability)))


def first_names(names: Names) -> Names:
    """What players are called in sentences: the first word of each name, or the whole names where those are alike."""
    first = {side: name.split()[0] if name.split() else "" for side, name in names.items()}
    return first if len(set(first.values())) == len(first) else names
