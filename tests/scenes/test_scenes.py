"""Scenes are what they say: every line can be told, honest plays are legal, and what is against the rules is not."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from controller.record.filter.line_reader import LineReader
from controller.rules.judging.judge import judge
from controller.rules.position import Position, Roll
from tests.rows import each_row
from tests.scenes.board import is_closed_out, lawful
from tests.scenes.catalogue import CHEATING_GROUPS, GROUPS, HONEST_GROUPS, KINDS
from tests.scenes.cheating import PLAYS
from tests.scenes.stage import Ply, Scene

NAMES = sorted(KINDS)
HONEST = sorted(name for group in HONEST_GROUPS.values() for name in group.kinds)
CHEATING = sorted(name for group in CHEATING_GROUPS.values() for name in group.kinds)
SEEDS = (100,)


@cache
def scenes(name: str) -> list[Scene]:
    return [KINDS[name].scene(seed) for seed in SEEDS]


def readings(lines: list[str]) -> list[dict[str, Any]]:
    seen = [line for line in map(json.loads, lines) if line["kind"] == "seen"]
    return [line.get("reading", line) for line in seen]


def befores(scene: Scene) -> Iterator[tuple[list[Position], Ply]]:
    """Each turn with the boards from which it may have been played."""
    stood = [scene.position]
    for ply in scene.plies:
        yield stood, ply
        stood = [ply.after, *ply.also]


def test_no_two_kinds_have_one_name() -> None:
    assert len(KINDS) == sum(len(group.kinds) for group in GROUPS.values())


def test_a_scene_is_the_same_whenever_it_is_made() -> None:
    kind = KINDS["plays on, done pressed"]
    assert kind.scene(7) == kind.scene(7) != kind.scene(8)


@each_row("name", NAMES)
def test_the_referee_is_told_nothing_that_it_would_refuse(name: str) -> None:
    for scene in scenes(name):
        for hands in (False, True):
            reader = LineReader()
            for number, line in enumerate(scene.told(hands=hands), start=1):
                reader, _ = reader.read(line, number)


@each_row("name", NAMES)
def test_hands_are_told_only_when_they_are_asked_for(name: str) -> None:
    for scene in scenes(name):
        without, knowing = (readings(scene.told(hands=hands)) for hands in (False, True))
        assert all(reading.get("hands") is None for reading in without)
        assert all("hands" in reading for reading in knowing)
        assert any(reading["hands"] for reading in knowing)


@each_row("name", [name for name in NAMES if "misread" not in name and "wrong reading" not in name])
def test_a_board_changes_only_under_a_hand_or_while_something_moves(name: str) -> None:
    for scene in scenes(name):
        seen = [at for at, line in enumerate(scene.lines) if "position" in line]
        for before, after in pairwise(seen):
            one, other = scene.lines[before], scene.lines[after]
            between = {line["kind"] for line in scene.lines[before + 1 : after]}
            hidden = {*one.get("hidden", ()), *other.get("hidden", ())}
            pairs = zip(one["position"], other["position"], strict=True)
            changed = {place for place, (old, new) in enumerate(pairs, start=1) if old != new}
            assert not changed - hidden or "moving" in between, (scene.seed, one, other)


@each_row("name", NAMES)
def test_what_is_called_a_legal_play_is_one_and_what_is_not_is_none(name: str) -> None:
    for scene in scenes(name):
        for stood, ply in befores(scene):
            if ply.dice is None:
                assert any(is_closed_out(board, ply.side) for board in stood)
                continue
            ends = {end for board in stood for end in lawful(board, ply.side, Roll.from_dice(*ply.dice))}
            assert ply.legal is (ply.after in ends), (scene.seed, stood, ply)
            assert not ends & set(ply.tried)


@each_row("name", HONEST)
def test_an_honest_scene_has_nothing_against_the_rules(name: str) -> None:
    for scene in scenes(name):
        assert scene.deed is None
        assert all(ply.legal and not ply.tried for ply in scene.plies)


@each_row("name", CHEATING)
def test_something_is_done_against_the_rules_that_can_be_named(name: str) -> None:
    for scene in scenes(name):
        assert scene.deed is not None
        assert scene.deed.codes or scene.deed.messages
        assert any(line["t"] >= scene.deed.t for line in scene.lines)


@each_row("name", PLAYS)
def test_the_judge_has_the_same_names_for_an_illegal_play(name: str) -> None:
    for scene in scenes(name):
        deed = scene.deed
        assert deed is not None
        before = scene.plies[deed.ply - 1].after if deed.ply else scene.position
        ply = scene.plies[deed.ply]
        wrong = (*ply.tried, ply.after)[0]
        assert ply.dice is not None
        judged = judge(before, deed.side, Roll.from_dice(*ply.dice), wrong)
        assert not judged.legal
        assert deed.codes & judged.codes, (scene.seed, deed.codes, judged.codes)
