"""The table on a terminal: players, score, cube, dice, board, lights, and what the device says."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from controller.demo.show import Show
from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import Place
from controller.devices.lights.palette import LETTERS, PALETTE
from controller.messages.catalogue import catalogue
from controller.messages.table_words import capital, phase_words
from controller.referee import Action, Flagged, Message, Table, Told, TurnJudged
from controller.referee.actions import GameOpened, PhaseBegun
from controller.rules import MovementRules, Position, Side
from controller.rules.moves.movement import STANDARD
from controller.telling.table import lamp_words
from controller.telling.transcript import lines

KEPT: Final = 12
"""Lines of the transcript that are shown."""
SPACING_S: Final = 0.1
HIGH: Final = 5
"""Checkers drawn one upon the other on a point; of more than that the number is written on the last."""
CHECKERS: Final = {Side.LIGHT: "○", Side.DARK: "●"}
ROWS: Final = (
    (*range(13, 19), "bar-dark", *range(19, 25), "tray-dark"),
    (*range(12, 6, -1), "bar-light", *range(6, 0, -1), "tray-light"),
)
"""The places as light sees them from its side of the table: the far row, the near row."""
WIDTH: Final = 4


class Transcript:
    """Makes lines of the referee's actions: points as who is on turn counts them, each illegal play reported once."""

    def __init__(
        self,
        language: str,
        names: Mapping[Side, str],
        *,
        at_once: bool,
        games: Sequence[MovementRules] = (STANDARD,),
    ) -> None:
        """``at_once``: illegal plays are reported when they are noticed, else when it is known what became of them.

        ``games`` are the rules of the games that take turns.
        """
        self._language, self._names, self._at_once = language, names, at_once
        self._games, self._rules = games, games[0]
        self._viewer = Side.LIGHT
        self._flagged: TurnJudged | None = None

    def lines(self, action: Action) -> Iterator[str]:
        """The lines for one more action, none for one that nobody needs to read."""
        match action:
            case PhaseBegun(on_turn=Side() as side):
                self._viewer = side
                return
            case GameOpened(number=number):
                self._rules = self._games[(number - 1) % len(self._games)]
            case Told(message=Message.NO_PLAY):
                return  # the line of the turn says so
            case Flagged(turn=turn):
                self._flagged = turn
                if not self._at_once:
                    return
            case TurnJudged(legal=False) if self._at_once and self._is_flagged(action):
                return
        yield from lines(action, self._language, self._names, self._viewer, self._rules)

    def _is_flagged(self, turn: TurnJudged) -> bool:
        told = self._flagged
        return told is not None and (told.side, told.ply, told.after) == (turn.side, turn.ply, turn.after)


class DemoScreen:
    """Draws a show again and again; used in a ``with`` block through `live`."""

    def __init__(
        self, language: str, names: Mapping[Side, str], games: Sequence[MovementRules] = (STANDARD,)
    ) -> None:
        """``language`` is that of the texts, ``names`` what the players are called. Raises LanguageError.

        ``games`` are the rules of the games that take turns.
        """
        self.live = Live(auto_refresh=False, screen=False)
        self._language, self._names, self._texts = language, names, catalogue(language)
        self._transcript = Transcript(language, names, at_once=True, games=games)
        self._said: deque[str] = deque(maxlen=KEPT)
        self._drawn_t = float("-inf")

    def on_action(self, action: Action) -> None:
        """One more action of the referee."""
        self._said.extend(self._transcript.lines(action))

    def attend(self, show: Show) -> None:
        """Draw the table if it is time to."""
        if show.t - self._drawn_t < SPACING_S:
            return
        self._drawn_t = show.t
        picture = self.picture(show.desk.table, show.table.checkers.position(), show.dice, show.probe.frame)
        self.live.update(picture, refresh=True)

    def picture(
        self, known: Table, board: Position, dice: tuple[int, int] | None, lights: LightFrame
    ) -> Group:
        """The table as it is drawn: what the referee knows, the checkers, the dice thrown last, the lights."""
        view = self._texts.text("screen", "view", name=self._names[Side.LIGHT])
        shown = Panel(Text("\n").join(self._board(known, board, lights)), title=view, expand=False)
        return Group(self._heading(known, dice), shown, *self._legend(lights), Text("\n".join(self._said)))

    def _heading(self, known: Table, dice: tuple[int, int] | None) -> Text:
        """Who plays for what, the roll, the cube, and what the table waits for."""
        text, game, score = self._texts.text, known.match.game, known.match.score
        length, owner = known.match.terms.length, game.cube.owner
        players = " - ".join(f"{CHECKERS[side]} {self._names[side]}" for side in Side)
        waits = capital(phase_words(str(known.phase), self._language))
        holder = text("screen", "middle") if owner is None else self._names[owner]
        facts = [text("screen", "cube", value=game.cube.value, owner=holder)]
        if dice is not None:
            facts.insert(0, text("screen", "roll", dice="-".join(map(str, dice))))
        turn = waits if known.on_turn is None else f"{waits}: {self._names[known.on_turn]}"
        terms = text("screen", "match", points=length) if length else text("screen", "money")
        standing = text("screen", "game", number=known.match.number, score=f"{score.light} : {score.dark}")
        return Text(f"{players}   {standing} {terms}\n{turn}   {'   '.join(facts)}")

    def _board(self, known: Table, position: Position, lights: LightFrame) -> Iterator[Text]:
        """The rows from the far edge to the near one, with a lamp at the end of each point."""
        far, near = ROWS
        checkers = known.match.game.profile.movement.checkers
        yield Text("".join(self._label(place) for place in far))
        yield _lamps(far, lights)
        for level in range(HIGH):
            yield Text("".join(f"{_checker(position, checkers, place, level):>{WIDTH}}" for place in far))
        yield Text()
        for level in reversed(range(HIGH)):
            yield Text("".join(f"{_checker(position, checkers, place, level):>{WIDTH}}" for place in near))
        yield _lamps(near, lights)
        yield Text("".join(self._label(place) for place in near))

    def _label(self, place: Place) -> str:
        if isinstance(place, int):
            return f"{place:>{WIDTH}}"
        return f"{'│':>{WIDTH}}" if place.startswith("bar") else f"  {self._texts.text('screen', 'off')}"

    def _legend(self, lights: LightFrame) -> Iterator[Text]:
        for signal, words in lamp_words(lights, self._language):
            heading = Text(f"{self._texts.text('screen', 'lights')} ")
            yield heading.append(LETTERS[signal], _style(signal)).append(f" {words}")


def _checker(position: Position, checkers: int, place: Place, level: int) -> str:
    """What is drawn at a height of a place, 0 at the board's edge."""
    count, side = _checkers_at(position, checkers, place)
    if level >= min(count, HIGH):
        return "│" if str(place).startswith("bar") else ""
    return str(count) if level == HIGH - 1 and count > HIGH else CHECKERS[side]


def _checkers_at(position: Position, checkers: int, place: Place) -> tuple[int, Side]:
    if isinstance(place, int):
        count = position.points[place - 1]
        return abs(count), Side.LIGHT if count > 0 else Side.DARK
    kind, _, name = place.partition("-")
    side = Side(name)
    return (position.bar(side) if kind == "bar" else position.off(side, checkers)), side


def _lamps(row: tuple[Place, ...], lights: LightFrame) -> Text:
    text = Text()
    for place in row:
        signal = lights[place]
        dark = signal is Signal.DARK
        text.append(" " * (WIDTH - 1)).append(
            "·" if dark else LETTERS[signal], "" if dark else _style(signal)
        )
    return text


def _style(signal: Signal) -> str:
    style = PALETTE[signal]
    return f"bold rgb({style.red},{style.green},{style.blue})"
