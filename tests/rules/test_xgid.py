"""XGID, against the ids that GNU Backgammon 1.07.001 prints for the same position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.forms.gnuid import GnuState, match_id, position_id
from controller.rules.forms.xgid import IdError, MatchState, OfferCode, from_xgid, xgid
from controller.rules.position import START, Position, Roll, Side
from tests.rows import each_row
from tests.rules.strategies import positions, rolls

PRINTED_BY_GNUBG = [
    ("-KAA-aA-----A----aa-a--ch-:1:-1:1:00:1:6:0:7:10", "/44UAAL/VwQCAA", "QQngAGAACAAE"),
    ("-DK-----a------b--b----cg-:2:-1:-1:00:0:3:0:5:10", "7/8AAAB/B2NAAA", "AgGgADAAAAAE"),
    ("-AH--c-a--a---------c-abd-:3:-1:-1:00:0:0:1:0:10", "/QMAALzlAEQOAA", "AwEAAAAAAAAA"),
    ("-bB---GA-A-adB---b-Aca-bA-:0:0:1:00:3:4:0:5:10", "pmPwAjCGv4SBIA", "cAmgAEAAGAAE"),
    ("-ABAaaC-aaa-Ab-aA-B-AcAdB-:1:1:1:00:2:6:0:7:10", "ngMZFQUtDoRMMg", "UQngAGAAEAAE"),
    ("-DA--BB-AA---------B-AAah-:1:1:1:21:0:0:1:0:10", "/wIAALzYFIApAA", "UQkFAAAAAAAA"),
    ("-AB-aaBBcabBD-Ba----a-bba-:2:1:-1:61:4:3:0:5:10", "DRv2DABtgmAdBQ", "EgGnADAAIAAE"),
    ("-B----------------------j-:1:1:1:64:0:0:0:0:10", "/wMAABgAAAAAAA", "UQkTAAAAAAAE"),
    ("abDA--DC--a-bA--Abad--aaA-:3:-1:-1:00:0:1:0:7:10", "XrwDESCK12ACWA", "AwHgABAAAAAE"),
    ("--ADa-DA--a-bB-a-a-fab-AAA:0:0:1:00:5:6:0:7:10", "WD+JCQR6vMAAVA", "cAngAGAAKAAE"),
    ("-cAaBBC-B---bC-A--ad-aabA-:0:0:-1:41:1:6:0:7:10", "sp3BCSBWXmAAOQ", "MAHmAGAACAAE"),
    ("-EBb-CA----AAAbA---a---fd-:2:-1:-1:32:6:9:0:11:10", "37igEgDvh2AADA", "AoFpAZAAMAAE"),
    ("cCbAAAB-BA-ba--aaaAcAa-B--:0:0:1:32:1:4:0:5:10", "yKloAHOnmgWQGA", "cImpAEAACAAE"),
    ("aAa-abGA-A--cC-----da-B-b-:0:0:1:00:0:0:1:0:10", "Qw84YEnBX8IBDA", "cAkAAAAAAAAA"),
    ("-CBBDaA-a-A--A-----b--cAh-:0:0:-1:21:0:0:1:0:10", "tz0hAhD/HAMgAg", "MAEFAAAAAAAA"),
    ("-AaaAAC-AaA-cBa----fABAb-A:1:1:1:00:5:5:0:11:10", "hh/kCBRRJzGgRQ", "UQlgAVAAKAAE"),
    ("-DC-----B-D----AA-------b-:1:1:-1:00:0:0:1:0:10", "78A8KAADAAAAAA", "EQEAAAAAAAAA"),
    ("-aGDc-A-aA-aAbA-------eb--:2:1:-1:53:0:0:0:0:10", "/h4RCQD2AUyEIw", "EoEOAAAAAAAE"),
]


@each_row(("line", "position_text", "match_text"), PRINTED_BY_GNUBG)
def test_an_xgid_says_what_gnubg_s_ids_say(line: str, position_text: str, match_text: str) -> None:
    position, state = from_xgid(line)
    assert position_id(position, state.on_roll) == position_text
    assert match_id(GnuState.from_match_state(state)) == match_text


states = st.builds(
    MatchState,
    on_roll=st.sampled_from(Side),
    roll=st.none() | rolls,
    cube=st.sampled_from([1, 2, 4, 64]),
    owner=st.none() | st.sampled_from(Side),
    length=st.integers(1, 25),
    score=st.tuples(st.integers(0, 24), st.integers(0, 24)),
    crawford=st.booleans(),
)


@given(positions(), states)
def test_an_xgid_comes_back_as_it_was(position: Position, state: MatchState) -> None:
    assert from_xgid(xgid(position, state)) == (position, state)


def test_money_settings_travel_in_an_xgid() -> None:
    state = MatchState(jacoby=True, beavers=True, cube=4, owner=Side.DARK, max_cube=64)
    line = xgid(START, state)
    assert line == "XGID=-b----E-C---eE---c-e----B-:2:-1:1:00:0:0:3:0:6"
    assert from_xgid(line) == (START, state)


@pytest.mark.parametrize(
    ("offer", "letter"), [(OfferCode.DOUBLE, "D"), (OfferCode.BEAVER, "B"), (OfferCode.RACCOON, "R")]
)
def test_an_offered_cube_is_a_letter_in_an_xgid(offer: OfferCode, letter: str) -> None:
    state = MatchState(offer=offer)
    assert xgid(START, state).split(":")[4] == letter
    assert from_xgid(xgid(START, state))[1].offer is offer


@each_row(
    ("text", "reason"),
    [
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0", "9 fields"),
        ("-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10", "26 characters"),
        ("-b----E-C---eE---c-e----B.:0:0:1:00:0:0:0:0:10", "26 characters"),
        ("A----------------------b--:0:0:1:00:0:0:0:0:10", "26 characters"),
        ("-O----E-------------------:0:0:1:00:0:0:0:0:10", "X 20 checkers"),
        ("-b----E-C---eE---c-e----B-:x:0:1:00:0:0:0:0:10", "cube in the XGID"),
        ("-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10", "owner of the cube"),
        ("-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10", "turn in the XGID"),
        ("-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10", "dice in the XGID"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:-1:0:0:0:10", "score X"),
        ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:5:10", "flags in the XGID"),
    ],
)
def test_a_wrong_xgid_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(IdError, match=reason):
        from_xgid(text)


def test_a_position_with_too_many_checkers_has_no_id() -> None:
    crowded = Position.seen([15, 1] + [0] * 22)
    with pytest.raises(IdError, match="too many checkers"):
        xgid(crowded, MatchState())


def test_a_cube_that_is_no_power_of_two_has_no_id() -> None:
    with pytest.raises(IdError, match="power of two"):
        xgid(START, MatchState(cube=6, roll=Roll.from_dice(2, 1)))
