"""Two referees of one match in memory, with boards, players and a line between them that breaks at any moment."""

import json
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from controller.devices.link.happenings import Button
from controller.partner.remote.line import PartnerLine
from controller.partner.remote.seat import RemoteSeat
from controller.record.table.inputs import input_from, input_record
from controller.referee.actions import Action, Phase, TurnJudged
from controller.referee.belief.steps import shift_checker
from controller.referee.events import Event, FrameSeen, Said
from controller.referee.table.settings import Settings
from controller.rules import Side, Terms, load_profile
from controller.rules.game import events as ruled
from tests.referee.table.evening import Evening


class FarEvening(Evening):
    """One of the two tables: what its referee concludes is told, what is told to it happens when it is ready.

    Attributes:
        own: who sits here.
        journal: of each input what the line is restored from.
    """

    def __init__(self, own: Side, settings: Settings) -> None:
        super().__init__(replace(settings, remote=own.opponent))
        self.own = own
        self.journal: list[dict[str, Any]] = []
        self.connect()

    def connect(self) -> None:
        """The line as a program that starts has it: from the journal."""
        self.line = PartnerLine(lambda: 0.0)
        self.seat = RemoteSeat(self.own.opponent, self.line, decides=self.own is Side.LIGHT)
        self.seat.restore(self.journal)

    def tell(self, event: Event, by: str = "", name: str = "") -> tuple[Action, ...]:
        before, by = self.table, by or getattr(event, "by", "")
        if not isinstance(event, FrameSeen):
            event = input_from(json.loads(json.dumps(input_record(event, by=by))))
        actions = super().tell(event)
        facts = json.loads(json.dumps(self.seat.facts(before, event, self.table, actions, by)))
        self.journal.append({"told": facts, "command": name})
        self.seat.tell(facts)
        return actions

    def hear(self) -> None:
        while (told := self.seat.next(self.table, self.t)) is not None:
            self.tell(told.event, told.by, told.name)

    def turns(self) -> list[tuple[object, ...]]:
        """What the record of this table has, turn by turn."""
        told = (turn for turn in self.actions if isinstance(turn, TurnJudged))
        return [
            (turn.ply, turn.side, turn.roll, turn.after, turn.legal is False, turn.stands) for turn in told
        ]


@dataclass
class FarMatch:
    """Both tables and what happens between them; ``cheats`` and ``doubles`` are chances in a turn."""

    terms: Terms
    rng: Random
    cheats: float = 0.0
    doubles: float = 0.0

    def __post_init__(self) -> None:
        self.tables = [FarEvening(side, Settings(self.terms)) for side in Side]
        self.cuts = 0

    def pass_on(self, share: float = 1.0) -> None:
        """Everything not yet confirmed is told again, as after a cut; the line may break on the way."""
        for one, other in (self.tables, self.tables[::-1]):
            messages = one.line.messages(
                other.line.received - self.rng.randint(0, min(2, other.line.received))
            )
            for message in messages:
                if self.rng.random() >= share:
                    self.cuts += 1
                    break
                other.line.hear(message)

    def play(self, share: float = 1.0, most: int = 4000) -> None:
        """To the end of the match; a message comes through with this chance."""
        for _ in range(most):
            if all(each.table.phase is Phase.MATCH_OVER for each in self.tables):
                return
            for each in self.rng.sample(self.tables, 2):
                each.hear()
                self._act(each)
            self.pass_on(share)
        raise AssertionError(
            [(each.table.phase, each.table.on_turn, each.line.first()) for each in self.tables]
        )

    def _act(self, at: FarEvening) -> None:
        """What the person at a table does next."""
        table, own, rng = at.table, at.own, self.rng
        match table.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                at.look(table.target)
            case Phase.OPENING_ROLL if own not in table.opening:
                at.roll(rng.randint(1, 6), rng.randint(1, 6))
            case Phase.TO_ROLL if table.match.game.turn is own:
                self._begin_turn(at)
            case Phase.MOVING if table.announced is not None:
                at.move(table.announced)
                if at.table.announced is not None:
                    at.press(Button.DONE)  # one checker less on a pile may be hard to see
            case Phase.MOVING if table.thrown is not None and table.thrown.side is own:
                self._move(at)
            case Phase.TURN_ENDED:
                at.look()
                if at.table.phase is Phase.TURN_ENDED and rng.random() < 0.2:
                    at.press(Button.DONE)
            case Phase.PUT_RIGHT if table.flagged is not None and table.flagged.side is own:
                at.move(table.flagged.before if rng.random() < 0.5 else at.legal())
            case Phase.CUBE_OFFERED if table.on_turn is own:
                answer = ruled.Taken(own) if rng.random() < 0.7 else ruled.Passed(own)
                at.tell(Said(at.t, answer, str(own)))
            case Phase.RESIGNATION_OFFERED if table.match.game.resignation is not None:
                if table.match.game.resignation.by is not own:
                    at.tell(Said(at.t, ruled.ResignationAccepted(own), str(own)))

    def _begin_turn(self, at: FarEvening) -> None:
        if self.rng.random() < self.doubles:
            at.tell(Said(at.t, ruled.Doubled(at.own), str(at.own)))
        elif self.rng.random() < self.doubles / 8:
            at.tell(Said(at.t, ruled.Resigned(at.own, 1), str(at.own)))
        if at.table.phase is Phase.TO_ROLL:
            at.roll(self.rng.randint(1, 6), self.rng.randint(1, 6))

    def _move(self, at: FarEvening) -> None:
        table = at.table
        assert table.thrown is not None
        after = at.legal(self.rng.randrange(99))
        if self.rng.random() < self.cheats:
            points = [point for point in range(2, 24) if table.position.points[point - 1] * _sign(at.own) > 0]
            if points:
                after = shift_checker(table.position, at.own, points[0], points[0] - _sign(at.own))
        at.move(after)
        if at.table.phase is Phase.MOVING and at.table.thrown is not None and at.table.thrown.side is at.own:
            at.press(Button.DONE)


def _sign(side: Side) -> int:
    return 1 if side is Side.LIGHT else -1


def far_match(seed: int, length: int = 1, profile: str = "standard-match", **chances: float) -> FarMatch:
    return FarMatch(Terms.match(load_profile(profile), length), Random(seed), **chances)
