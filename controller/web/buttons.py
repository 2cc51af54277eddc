"""What an audience may say now: its buttons, with their words and keys."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from controller.record.journal.journal import Json
from controller.referee import Phase
from controller.referee.actions import Candidate
from controller.referee.events import DIRECTOR
from controller.referee.table.choices import Choice, Need, choices_of
from controller.referee.table.state import PLAYERS, Table, conduct_of
from controller.referee.table.state import audience as may_know
from controller.rules import Side, advance
from controller.rules.game import events as ruled
from controller.rules.game.events import RefusedError
from controller.web.audience import Audience
from controller.web.table_service import DemoShown, Role
from controller.web.wording import Wording

NEEDS: Final[Mapping[Need, str]] = {
    Need.OPENING_DICE: "dice",
    Need.DICE: "dice",
    Need.PLAY: "play",
    Need.AMOUNT: "amount",
    Need.POSITION: "position",
    Need.POINTS: "number",
}
"""What a page has to ask for."""
KEYS: Final[Mapping[str, str]] = {
    "opening_roll": "r",
    "roll": "r",
    "double": "d",
    "take": "t",
    "pass": "p",
    "done": "Enter",
    "pause": "s",
    "go_on": "s",
}
"""The single keys of the keyboard, as a browser names them."""
MAIN: Final = frozenset({"done", "roll", "opening_roll", "go_on"})
"""What most people want to do next; take and pass, let stand and correct are equals."""


@dataclass(frozen=True, slots=True)
class ButtonShown:
    """A button of a page.

    Attributes:
        name: its entry under ``live.choice`` in the catalogues.
        choice: what it says.
        side: in whose name.
        levels: the amounts to choose from; none where it is not asked for one, or any may be told.
        candidate: the play that it answers with.
        share: whether it says how probable that play is.
    """

    name: str
    choice: Choice
    side: Side | None
    levels: tuple[int, ...] = ()
    candidate: Candidate | None = None
    share: bool = False

    def content(self, table: Table, wording: Wording, *, shared: bool) -> dict[str, Json]:
        """The button as plain values; on a page that both players share a side's own is named."""
        if self.candidate is None:
            text = wording.live("choice", self.name, **self._arguments(table))
        else:
            text = wording.candidate(self.candidate, table.position, share=self.share)
        if shared and self.side is not None and self.side is not table.on_turn:
            text = wording.live("choice", "of_side", side=self.side, text=text)
        keys: dict[str, Json] = {name: _plain(value) for name, value in self.choice.arguments.items()}
        if self.side is not None:
            keys["side"] = str(self.side)
        needs = self.choice.needs
        return {
            "what": self.choice.what,
            "keys": keys,
            "text": text,
            "side": None if self.side is None else str(self.side),
            "key": KEYS.get(self.name),
            "sure": self._sure(table, wording),
            "main": self.name in MAIN and self.side in (None, table.on_turn),
            "needs": "amount" if self.levels else None if needs is None else NEEDS[needs],
            "options": [
                {"keys": {"amount": level}, "text": wording.live("choice", f"resign_{level}")}
                for level in self.levels
            ],
        }

    def _arguments(self, table: Table) -> dict[str, object]:
        offer = table.match.game.offer
        match self.name:
            case "name_double":
                return {"number": self.choice.arguments["number"]}
            case "opening_die":
                return {"number": self.choice.arguments["light"]}
            case "starts":
                told = self.choice.arguments
                return {"side": Side.LIGHT if int(str(told["light"])) > int(str(told["dark"])) else Side.DARK}
            case "double":
                return {"value": table.match.game.cube.value * 2}
            case "beaver" | "raccoon":
                return {"value": 0 if offer is None else offer.value * 2}
            case "forfeit":
                return {"side": Side(str(self.choice.arguments["loser"]))}
        return {}

    def _sure(self, table: Table, wording: Wording) -> str | None:
        """What is asked before it is done, for what cannot be taken back."""
        side, offer = self.side, table.match.game.offer
        if self.name == "undo_now":
            return wording.live("sure", "undo")
        match self.choice.what:
            case "take" if offer is not None:
                return wording.live("sure", "take", value=offer.value)
            case "pass" if side is not None:
                return wording.live(
                    "sure", "pass", side=side.opponent, points=_price(table, ruled.Passed(side))
                )
            case "resign" if side is not None:
                return wording.live("sure", "resign", side=side)
            case "accept" if side is not None:
                points = _price(table, ruled.ResignationAccepted(side))
                return wording.live("sure", "accept", side=side, points=points)
            case "let_stand":
                return wording.live("sure", "let_stand")
            case "forfeit":
                loser = Side(str(self.choice.arguments["loser"]))
                return wording.live("sure", "forfeit", side=loser, winner=loser.opponent)
            case "ruling" | "award" | "stop":
                return wording.live("sure", self.choice.what)
        return None


def buttons_of(
    table: Table, audience: Audience, answers: Sequence[Candidate] = ()
) -> tuple[ButtonShown, ...]:
    """The buttons of an audience, in the order in which they are shown.

    ``answers`` are what the turn may have been that the table asks about.
    """
    found: list[ButtonShown] = []
    for button in _buttons(table, audience, answers):
        alike = next((each for each in found if replace(each, levels=button.levels) == button), None)
        if alike is None:
            found.append(button)
        else:
            levels = dict.fromkeys((*alike.levels, *button.levels))
            found[found.index(alike)] = replace(alike, levels=tuple(levels))
    return tuple(found)


def by_hand(button: dict[str, Json], demo: DemoShown | None, wording: Wording) -> tuple[dict[str, Json], ...]:
    """A button as it is where simulated hands of its side follow the page: they end a turn, and may roll, too."""
    if demo is None or demo.hands is None or button["side"] != str(demo.hands.side):
        return (button,)
    what, keys = button["what"], button["keys"]
    if what == "roll":
        text = wording.live("choice", "roll_by_hand")
        rolled = button | {"what": "hands", "keys": {"button": "roll"}, "needs": None, "text": text}
        return rolled, button | {"key": None, "main": False}
    if what == "pressed" and isinstance(keys, dict) and keys.get("button") == "done":
        return (button | {"what": "hands", "keys": {"button": "done"}},)
    return (button,)


def _buttons(table: Table, audience: Audience, answers: Sequence[Candidate]) -> Iterator[ButtonShown]:
    if audience.role is Role.VIEWER:
        return
    director = audience.role is Role.DIRECTOR
    for by in _speakers(audience):
        for choice in choices_of(table, by):
            if choice.what == "played":
                yield from _answers(choice, answers, share=director)
            at_once = director or (conduct_of(table).takes_back_alone() and audience.side is None)
            if choice.what == "undo" and at_once:
                yield from _undo_at_once(choice, table, director=director)
            elif choice.what != "correct" or may_know(table) >= PLAYERS or director:
                yield _button(choice, table)
    if audience.role is Role.PLAYER and _may_object(table, audience):
        yield ButtonShown("correct", Choice("correct"), None)


def _answers(choice: Choice, answers: Sequence[Candidate], *, share: bool) -> Iterator[ButtonShown]:
    """A button for each play that the turn may have been: nobody has to enter it."""
    for each in answers:
        if each.side not in (None, choice.side):
            continue
        told = replace(choice, needs=None, arguments={"position": each.after.compact()})
        yield ButtonShown("played", told, choice.side, candidate=each, share=share)


def _undo_at_once(choice: Choice, table: Table, *, director: bool) -> Iterator[ButtonShown]:
    """One button for the director, and for learners who share a page: they need nobody's agreement."""
    last = table.last_turn
    if last is not None and choice.side is last.entry.side:
        yield ButtonShown("undo_now" if director else "take_back", choice, choice.side)


def _button(choice: Choice, table: Table) -> ButtonShown:
    amount = choice.arguments.get("amount")
    if not isinstance(amount, int):
        return ButtonShown(_name(choice, table), choice, choice.side)
    return ButtonShown(choice.what, replace(choice, arguments={}), choice.side, (amount,))


def _speakers(audience: Audience) -> tuple[str, ...]:
    if audience.role is Role.DIRECTOR:
        return (DIRECTOR,)
    return tuple(map(str, Side)) if audience.side is None else (str(audience.side),)


def _may_object(table: Table, audience: Audience) -> bool:
    """Whether a player may call the play before illegal, at a table that does not tell whether it was.

    It may be called so after every play: that the button is there tells nothing.
    """
    if may_know(table) >= PLAYERS or table.phase is not Phase.TO_ROLL or table.ended is None:
        return False
    return audience.side in (None, table.on_turn)


def _name(choice: Choice, table: Table) -> str:
    """The entry for a choice in the catalogues."""
    told = choice.arguments
    if choice.what == "opening_roll" and told:
        return "opening_die" if table.phase is Phase.OPENING_ROLL else "starts"
    if choice.what == "pressed" and told.get("button") == "take":
        return "allow_second"
    if choice.what == "pressed":
        return _done(table)
    if choice.what == "undo" and conduct_of(table).takes_back_alone():
        return "take_back"
    if choice.what == "undo" and table.undo_asked is not None:
        return "undo_agree"
    if choice.what == "roll_stands":
        return "roll_stands" if told["stands"] else "roll_void_early"
    return choice.what


def _done(table: Table) -> str:
    """What the button "done" means just now."""
    if table.phase is Phase.TURN_ENDED:
        return "as_it_lies"
    if table.phase is Phase.TO_ROLL:
        return "no_roll"
    return "done" if table.phase is Phase.MOVING else "laid_out"


def _plain(value: object) -> Json:
    return value if isinstance(value, str | int | bool) else str(value)


def _price(table: Table, event: ruled.RulesEvent) -> int:
    """The points that a game ends with by an event."""
    try:
        after = advance(table.match, event)
    except RefusedError:
        return 0
    return after.results[-1].points if len(after.results) > len(table.match.results) else 0
