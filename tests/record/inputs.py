"""Any input of the table's referee, for property tests."""

from hypothesis import strategies as st

from controller.devices.link.happenings import Button
from controller.referee import events as told
from controller.referee.events import FrameLost, FrameMoving, FrameSame, FrameSeen, RollReported
from controller.rules.game import events as ruled
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.vision.reading import BoardDrift, Count, CubeSeen, DieSeen, HandSeen, Reading
from tests.rules.strategies import positions, rolls, sides

times = st.floats(0, 1e6)
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)
shares = st.floats(0, 1)
lengths = st.floats(-2000, 4000)
points = st.frozensets(st.integers(1, 24), max_size=24)
log_likelihoods = st.one_of(st.just(0.0), st.floats(-50, 0), st.just(float("-inf")))
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
frames = st.integers(0, 10**7)

opinions = st.dictionaries(st.integers(-15, 15), log_likelihoods, max_size=31)
trays = st.none() | st.dictionaries(st.integers(0, 15), log_likelihoods, max_size=16)
counts = st.builds(Count, st.none() | st.integers(0, 15), st.none() | st.integers(0, 15))
dice_seen = st.builds(
    DieSeen,
    st.integers(1, 6),
    lengths,
    lengths,
    shares,
    st.booleans(),
    st.sampled_from(["light", "dark", None]),
    st.just(()) | st.tuples(*[shares] * 6),
)
cubes = st.builds(
    CubeSeen,
    st.sampled_from([1, 2, 4, 64]),
    st.sampled_from(["center", "light", "dark"]),
    shares,
    st.sampled_from([2, 64]),
    lengths,
    lengths,
)
hands = st.builds(HandSeen, st.sampled_from(["light", "dark", None]), points)
stances = st.builds(
    BoardDrift,
    st.floats(-300, 300),
    st.floats(-300, 300),
    st.floats(-180, 180),
    st.tuples(*[st.floats(0.01, 20)] * 3),
    st.floats(-1, 1),
    shares,
)
readings = st.builds(
    Reading,
    points=st.tuples(*[st.integers(-15, 15)] * 24),
    bar=counts,
    off=counts,
    dice=st.lists(dice_seen, max_size=5).map(tuple),
    cube=st.none() | cubes,
    hand=st.booleans(),
    confidence=shares,
    point_confidence=st.tuples(*[shares] * 24),
    unsure=points,
    covered=points,
    likelihoods=st.tuples(*[opinions] * 24),
    bar_likelihoods=st.dictionaries(
        st.tuples(st.integers(0, 15), st.integers(0, 15)), log_likelihoods, max_size=21
    ),
    assumed_off=st.booleans(),
    off_likelihoods=st.tuples(trays, trays),
    drift=st.none() | stances,
    hands=st.none() | st.lists(hands, max_size=3).map(tuple),
    fault=st.sampled_from([None, "no_board", "blurred", "too_bright"]),
)
said = st.one_of(
    st.builds(ruled.OpeningRoll, st.integers(1, 6), st.integers(1, 6)),
    st.builds(ruled.Rolled, sides, rolls),
    st.builds(ruled.Played, sides, positions(), st.none()),
    *(
        st.builds(kind, sides)
        for kind in (
            ruled.RollVoided,
            ruled.TakenBack,
            ruled.Doubled,
            ruled.Taken,
            ruled.Passed,
            ruled.Beavered,
            ruled.Raccooned,
            ruled.ResignationAccepted,
            ruled.ResignationRefused,
            ruled.MatchForfeited,
        )
    ),
    st.builds(ruled.Resigned, sides, st.integers(1, 3)),
    st.builds(ruled.GameAwarded, sides, st.integers(1, 99)),
)
events = st.one_of(
    st.builds(FrameSeen, times, frames, readings),
    st.builds(FrameSame, times, frames),
    st.builds(FrameMoving, times, frames),
    st.builds(FrameLost, times, frames, words, words),
    st.builds(RollReported, times, dice, st.booleans()),
    st.builds(told.Pressed, times, st.sampled_from(Button), st.none() | sides),
    st.builds(told.Said, times, said, words),
    *(
        st.builds(kind, times)
        for kind in (
            told.LetStand,
            told.Correct,
            told.Pause,
            told.GoOn,
            told.Disputed,
            told.Ticked,
            told.Resumed,
            told.Corrected,
        )
    ),
    st.builds(told.RollStands, times, st.booleans()),
    st.builds(told.PositionRuled, times, positions(), sides),
    st.builds(told.Rebuild, times, st.none() | positions()),
    st.builds(told.HintAsked, times, st.integers(0, 3)),
    st.builds(
        told.BestPlayFound,
        times,
        st.integers(0, 200),
        positions(),
        st.lists(positions(), max_size=3).map(tuple),
        st.lists(st.floats(0, 2), max_size=3).map(tuple),
    ),
    st.builds(told.PlayAnnounced, times, st.integers(0, 200), sides, positions()),
    st.builds(told.ConsentGiven, times, st.booleans()),
    st.builds(told.ProfileChosen, times, st.sampled_from(profile_names()).map(load_profile)),
    st.builds(told.FlagFell, times, sides),
    st.builds(told.DeviceChanged, times, words, st.booleans(), words),
    st.builds(told.BoardTroubled, times, st.sampled_from(told.BoardTrouble), st.integers(0, 65_535), words),
)
