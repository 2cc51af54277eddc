"""`hardware_docs/reasons.md`: every code has an example there, and the judge says what the page says."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from controller.messages.game_words import reason_words
from controller.record.files.transcript import diagram
from controller.rules.judging.judge import Trays, judge
from controller.rules.moves.movement import MovementRules
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.reasons import Judgement, ReasonCode
from tests.rows import each_row

PAGE = Path(__file__).resolve().parents[2] / "hardware_docs" / "reasons.md"


@dataclass(frozen=True)
class Example:
    code: str
    arguments: frozenset[str]
    board: str
    before: Position
    side: Side
    roll: Roll
    rules: MovementRules
    after: Position
    trays: Trays
    sentences: tuple[str, ...]


def example(section: str) -> Example:
    def said(name: str) -> list[str]:
        return re.findall(rf"^- {name}: (.+)$", section, re.MULTILINE)

    before = re.fullmatch(r"`(.{26}\S*)`, (light|dark) to play (\d)-(\d)", said("Before")[0])
    assert before is not None
    board = re.search(r"```text\n(.*?)\n```", section, re.DOTALL)
    assert board is not None
    rules = rules_named([setting.strip("`") for setting in said("Rules")])
    counted = re.fullmatch(r"(\d+) light, (\d+) dark", *said("Trays")) if said("Trays") else None
    listed = re.search(r"^Arguments: (.+)\.$", section, re.MULTILINE)
    assert listed is not None
    arguments = frozenset(re.findall(r"`(\w+)`", listed[1])) - {"null", "parallel"}
    return Example(
        code=section.split("`")[1],
        arguments=arguments,
        board=board[1],
        before=Position.from_compact(before[1]),
        side=Side(before[2]),
        roll=Roll.from_dice(int(before[3]), int(before[4])),
        rules=rules,
        after=Position.seen_compact(said("After")[0].strip("`")),
        trays=Trays() if counted is None else Trays(int(counted[1]), int(counted[2])),
        sentences=tuple(said("Judge")),
    )


def rules_named(settings: list[str]) -> MovementRules:
    """The standard rules with settings changed, or those of a profile: `max_stack = 5`, `profile narde`."""
    kinds = get_type_hints(MovementRules)
    changed: dict[str, Any] = {}
    for setting in settings:
        if setting.startswith("profile "):
            return load_profile(setting.removeprefix("profile ")).movement
        key, value = setting.split(" = ")
        plain = json.loads(value)
        changed[key] = kinds[key](plain) if isinstance(plain, str) else plain
    return MovementRules(**changed)


def judged(example: Example) -> Judgement:
    return judge(example.before, example.side, example.roll, example.after, example.rules, example.trays)


EXAMPLES = [example(section) for section in re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]]


def test_the_page_has_every_code_once() -> None:
    assert sorted(example.code for example in EXAMPLES) == sorted(ReasonCode)


@each_row("example", EXAMPLES, ids=lambda example: example.code)
def test_in_each_example_its_code_and_only_its_code_applies(example: Example) -> None:
    verdict = judged(example)
    assert not verdict.legal
    assert verdict.codes == {example.code}
    assert tuple(reason_words(reason) for reason in verdict.explanations[0]) == example.sentences


@each_row("example", EXAMPLES, ids=lambda example: example.code)
def test_each_example_lists_its_arguments_and_draws_its_board(example: Example) -> None:
    verdict = judged(example)
    for reason in verdict.reasons:
        assert set(reason.arguments) - {"side"} == example.arguments
    assert diagram(example.before) == example.board


@each_row("example", EXAMPLES, ids=lambda example: example.code)
def test_seen_from_the_other_side_the_example_reads_the_same(example: Example) -> None:
    verdict = judge(
        example.before.mirrored(example.rules.direction),
        example.side.opponent,
        example.roll,
        example.after.mirrored(example.rules.direction),
        example.rules,
        Trays(light=example.trays.dark, dark=example.trays.light),
    )
    sentences = tuple(reason_words(reason) for reason in verdict.explanations[0])
    swapped = {"Light": "Dark", "Dark": "Light"}
    expected = tuple(
        re.sub(r"\b(Light|Dark)\b", lambda found: swapped[found[0]], sentence)
        for sentence in example.sentences
    )
    assert sorted(map(without_example, sentences)) == sorted(map(without_example, expected))


def without_example(sentence: str) -> str:
    """A sentence without the legal play at its end: of several that are equally near, either side names another."""
    return re.sub(r"A legal play is .*", "", sentence)
