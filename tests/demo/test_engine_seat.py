"""A simulated person plays against an engine, with dice that the camera sees, and moves its checkers for it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from controller.demo.ledger import Ledger
from controller.demo.show import Evening, Show
from controller.partner.mind import Mind, RuleOfThumb
from controller.partner.seat import EngineSeat
from controller.referee import Action, TurnJudged
from controller.referee.actions import DiceVoid, Message, Told
from controller.referee.table.settings import DiceFrom
from controller.rules import Side, load_profile
from controller.simulation.players.temperament import FAST
from tests.amounts import amount
from tests.demo.measured_floor import MeasuredFloor
from tests.demo.measured_plan import MeasuredPlan
from tests.demo.truthful import truthful

AGAINST: Final = MeasuredPlan(
    99,
    1,
    load_profile("teaching"),
    1,
    firmware=False,
    dice=DiceFrom.CAMERA,
    temperaments=(FAST, FAST),
    carried=frozenset({Side.DARK}),
)


@dataclass
class Heard:
    """What the referee told of a match against an engine.

    Attributes:
        announced: the engine's plays, as they were announced.
        carried: its plays as the record has them; those that it could not make are left out.
        counts: how often each message was told.
        illegal: turns that were judged illegal or not confirmed.
    """

    announced: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    illegal: int = 0

    def hear(self, action: Action) -> None:
        """One action of the referee."""
        match action:
            case Told(message=Message.ANNOUNCED, arguments=told):
                self.announced.append(str(told["play"]))
            case Told(message=message):
                self.counts[message] += 1
            case TurnJudged(legal=legal, side=side, text=text, before=before, after=after):
                self.illegal += legal is not True
                if side is Side.DARK and before != after:
                    self.carried.append(text)
            case DiceVoid():
                self.counts["void"] += 1


def played(
    folder: Path, plan: MeasuredPlan, mind: Callable[[], Mind] = RuleOfThumb
) -> tuple[MeasuredFloor, Heard]:
    """A whole match: who moved the checkers, and what was heard."""
    heard, evening = Heard(), Evening(plan, truthful(plan), Ledger())
    engines = [EngineSeat(side, mind()) for side in plan.carried]

    def attend(show: Show) -> None:
        for engine in engines:
            for said in engine.answer(show.desk.table):
                show.put(said)

    with evening.folder(folder) as match:
        show = evening.match(0, match, heard.hear, attend)
    assert show.over
    assert isinstance(show.floor, MeasuredFloor)
    return show.floor, heard


def test_a_match_against_an_engine_has_its_plays_as_announced_and_every_other_carrying_is_named(
    tmp_path: Path,
) -> None:
    floor, heard = played(tmp_path, replace(AGAINST, seed=amount(12, 2), miscarries=0.4))
    assert floor.miscarried > 0
    assert heard.counts[Message.OTHER_PLAY] == floor.miscarried
    assert heard.carried == heard.announced
    assert heard.illegal == 0
