"""What is said aloud of all that came of one event at a table: pure, from actions and the table before and after."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from controller.messages.table_words import message_words
from controller.referee import Action, Flagged, Message, Phase, Table, Told, TurnJudged
from controller.referee.actions import GameEnded, GameOpened
from controller.referee.table.state import PLAYERS, audience
from controller.rules import Roll, Side
from controller.rules.game.match import Crawford, Score
from controller.rules.moves.movement import STANDARD
from controller.rules.notation import CANNOT_MOVE
from controller.speech.faults import fault_spoken
from controller.speech.phrase import Phrase, Sound, SpokenTopic
from controller.speech.spoken import Spoken


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A reserve of the clock has come down to so many seconds."""

    side: Side
    seconds: int


@dataclass(frozen=True, slots=True)
class Heard:
    """What happened at a table, for those who listen.

    Attributes:
        before, after: what the referee knew before it and knows now; None without a match, or where nobody knows.
        actions: all that came of it.
        left: the clock has come down so far; None for everything else.
    """

    before: Table | None
    after: Table | None
    actions: tuple[Action, ...] = ()
    left: TimeLeft | None = None


CUBE: Final = {
    Message.DOUBLES: "doubles",
    Message.BEAVERS: "beavers",
    Message.TAKES: "takes",
    Message.DROPS: "drops",
}
SAID_OTHERWISE: Final = frozenset(
    {
        Message.TO_ROLL,
        Message.PUT_BACK,
        Message.STANDS,
    }
)
"""Messages that the phase or a verdict says."""


def phrases(heard: Heard, spoken: Spoken) -> tuple[Phrase, ...]:
    """What is to be said, in the order in which it is said; nothing where nothing is worth it.

    What is not meant for both players is not said: a voice reaches everybody.
    """
    return tuple(_phrases(heard, spoken))


def _phrases(heard: Heard, spoken: Spoken) -> Iterator[Phrase]:
    if heard.left is not None:
        text = spoken.say("clock", str(heard.left.seconds), side=heard.left.side)
        yield Phrase(SpokenTopic.CLOCK, text, Sound.CLOCK)
    if heard.after is None:
        return
    # A roll may settle what was played before it: that is said first, and then what is to be played now.
    for action in heard.actions:
        if isinstance(action, TurnJudged | Flagged):
            yield from _verdict(action, heard, spoken)
    yield from _roll(heard, spoken)
    for action in heard.actions:
        yield from _action(action, heard.after, heard.actions, spoken)
    if not any(isinstance(each, GameOpened) for each in heard.actions):
        for ended in (each for each in heard.actions if isinstance(each, GameEnded)):
            yield Phrase(SpokenTopic.SCORE, _score(ended.score, spoken))
    yield from _waited_for(heard, spoken)


def _verdict(action: TurnJudged | Flagged, heard: Heard, spoken: Spoken) -> Iterator[Phrase]:
    """A verdict for everybody; an illegal play that not both may know of is told as a legal one is."""
    match action:
        case Flagged(turn=turn, to=to) if to >= PLAYERS:
            rules = STANDARD if heard.after is None else heard.after.match.game.profile.movement
            yield Phrase(SpokenTopic.ILLEGAL, fault_spoken(turn, spoken, rules), Sound.ILLEGAL)
        case Flagged(turn=turn):
            yield from _turn(_as_legal(turn), spoken)
        case TurnJudged(legal=False, stands=False):
            return  # it was said when it was noticed, and what is played instead comes next
        case TurnJudged(legal=False) if heard.after is None or not audience(heard.after) >= PLAYERS:
            if not _was_told(action, heard):
                yield from _turn(_as_legal(action), spoken)
        case TurnJudged():
            yield from _turn(action, spoken)


def _as_legal(turn: TurnJudged) -> TurnJudged:
    return replace(turn, legal=True, stands=False, reasons=(), also=(), instead=None)


def _was_told(turn: TurnJudged, heard: Heard) -> bool:
    """Whether this play was said already, when the director was told of it."""
    now = (each.turn for each in heard.actions if isinstance(each, Flagged))
    then = () if heard.before is None else (each.turn for each in heard.before.closings if each.open)
    return any(
        told is not None and (told.ply, told.side, told.after) == (turn.ply, turn.side, turn.after)
        for told in (*now, *then)
    )


def _action(action: Action, table: Table, among: tuple[Action, ...], spoken: Spoken) -> Iterator[Phrase]:
    match action:
        case Told(message=message, to=to) if to >= PLAYERS:
            yield from _told(action, message, among, spoken)
        case GameOpened(number=number, score=score):
            yield from _game(number, score, table, spoken)


def _roll(heard: Heard, spoken: Spoken) -> Iterator[Phrase]:
    """What was rolled, once for each roll, and anew where the pictures come to show another one."""
    rolled = _thrown(heard.after)
    if heard.before is None or rolled is None or rolled == _thrown(heard.before):
        return
    if any(isinstance(each, Told) and each.message is Message.STARTS for each in heard.actions):
        return
    _, _, side, roll = rolled
    entry = "unknown" if side is None else "rolled"
    yield Phrase(SpokenTopic.ROLL, spoken.say("roll_call", entry, roll=roll, side=side))


def _thrown(table: Table | None) -> tuple[int, int, Side | None, Roll] | None:
    thrown = None if table is None else table.thrown
    if table is None or thrown is None:
        return None
    return table.match.number, table.ply, thrown.side, thrown.roll


def _turn(turn: TurnJudged, spoken: Spoken) -> Iterator[Phrase]:
    """A turn that is over."""
    played = _played(turn, spoken)
    if turn.legal is False:
        entry = "stands" if played else "stands_otherwise"
        yield Phrase(SpokenTopic.ILLEGAL, spoken.say("illegal", entry, side=turn.side, play=played))
        return
    sound = Sound.LEGAL if turn.legal else None
    text = spoken.say("play", _entry(turn, played), side=turn.side, play=played)
    yield Phrase(SpokenTopic.PLAY, text, sound)


def _entry(turn: TurnJudged, played: str) -> str:
    if turn.legal is None:
        return "unconfirmed" if played else "unclear"
    if played:
        return "corrected" if turn.revises else "played"
    if turn.after != turn.before:
        return "otherwise"
    return "dance" if turn.legal and turn.text == CANNOT_MOVE else "nothing"


def _played(turn: TurnJudged, spoken: Spoken) -> str:
    """The mover's own checkers, in words; empty where there is no notation."""
    own, _, _ = turn.text.partition("+")
    return "" if turn.text in ("", CANNOT_MOVE) else spoken.notation(own)


def _told(told: Told, message: Message, among: tuple[Action, ...], spoken: Spoken) -> Iterator[Phrase]:
    given = told.arguments
    side = Side(str(given["side"])) if given.get("side") in set(Side) else None
    if message in SAID_OTHERWISE:
        return
    if message in CUBE:
        value = given.get("value")
        yield Phrase(SpokenTopic.CUBE, spoken.say("cube", CUBE[message], side=side, value=value))
    elif message is Message.STARTS:
        yield Phrase(
            SpokenTopic.ROLL,
            spoken.say("roll_call", "starts", side=side, roll=spoken.dice(_numbers(given["dice"]))),
        )
    elif message is Message.TIE:
        value = given.get("value")
        turned = isinstance(value, int) and value > 1
        entry = "tie_doubled" if turned else "tie"
        yield Phrase(
            SpokenTopic.ROLL,
            spoken.say("roll_call", entry, roll=spoken.dice(_numbers(given["dice"])), value=value),
        )
    elif message in (Message.GAME_WON, Message.GAME_DRAWN, Message.MATCH_WON):
        yield Phrase(
            SpokenTopic.SCORE, spoken.say("score", str(message), side=side, points=given.get("points"))
        )
    elif message is Message.TIME_OVER:
        yield Phrase(SpokenTopic.CLOCK, spoken.say("clock", "time_over", side=side), Sound.CLOCK)
    elif message is Message.NO_PLAY:
        if not any(isinstance(each, TurnJudged) and each.side is side for each in among):
            yield Phrase(
                SpokenTopic.REQUEST,
                spoken.say("request", "no_play", side=side, roll=spoken.dice(_numbers(given["dice"]))),
            )
    else:
        yield Phrase(SpokenTopic.REQUEST, _asked(told, message, spoken))


def _asked(told: Told, message: Message, spoken: Spoken) -> str:
    """What people are asked to do, or told: in a spoken form where there is one, else as they would read it."""
    points = told.arguments.get("points")
    places = [int(str(point)) for point in points] if isinstance(points, list) else []
    if message is Message.LOOK:
        if not places:
            return spoken.say("request", "look_board")
        return spoken.say("request", "look", points=spoken.places(places), side=Side.LIGHT)
    given = {name: value for name, value in told.arguments.items() if name != "points"}
    for name in ("dice", "first"):
        if name in given:
            given[name] = spoken.dice(_numbers(given[name]))
    read = message_words(str(message), given, spoken.language, spoken.names)
    if not places or len(places) > MOST_PLACES:
        return read
    return f"{read} {spoken.say('request', 'look_here', points=spoken.places(places), side=Side.LIGHT)}"


MOST_PLACES: Final = 4
"""More points than these are shown by the lights: nobody keeps them in mind."""


def _numbers(dice: object) -> list[int]:
    return [int(str(die)) for die in dice] if isinstance(dice, list) else []


def _game(number: int, score: Score, table: Table, spoken: Spoken) -> Iterator[Phrase]:
    """Which game begins, and what is special about it."""
    said = [spoken.say("score", "game", number=number)]
    length = table.settings.terms.length
    if number == 1 and length is not None:
        said.append(spoken.say("score", "length", points=length))
    elif number > 1:
        said.append(_score(score, spoken))
    if table.match.crawford is Crawford.NOW:
        said.append(spoken.say("score", "crawford"))
    yield Phrase(SpokenTopic.SCORE, " ".join(said))


def _score(score: Score, spoken: Spoken) -> str:
    return spoken.say(
        "score",
        "score",
        light=Side.LIGHT,
        light_points=score.light,
        dark=Side.DARK,
        dark_points=score.dark,
    )


def _waited_for(heard: Heard, spoken: Spoken) -> Iterator[Phrase]:
    """What the table waits for now, once each time that it begins to wait for it."""
    waits = _waits(heard.after)
    if waits is not None and waits != _waits(heard.before):
        entry, side = waits[0], waits[-1]
        yield Phrase(SpokenTopic.REQUEST, spoken.say("request", entry, side=side))


def _waits(table: Table | None) -> tuple[str, int, int, Side] | None:
    """Which answer or roll the table waits for, in which game and at which ply, and whose."""
    if table is None or table.on_turn is None or table.phase not in WAITS:
        return None
    return WAITS[table.phase], table.match.number, table.ply, table.on_turn


WAITS: Final = {
    Phase.TO_ROLL: "to_roll",
    Phase.CUBE_OFFERED: "take_or_pass",
    Phase.RESIGNATION_OFFERED: "resignation",
}
