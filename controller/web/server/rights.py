"""Who may open which address and give which command: one table for the whole server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.record.filter.corrections import CORRECTIONS
from controller.record.filter.line_reader import SAYINGS
from controller.web.table_service import Role, RoomState

RANK: Final[Mapping[Role, int]] = {Role.VIEWER: 0, Role.PLAYER: 1, Role.DIRECTOR: 2}


@dataclass(frozen=True, slots=True)
class Right:
    """What somebody must be.

    Attributes:
        least: the least role.
        to_set_up: whether somebody at the table's own machine may, too, as long as no match is on.
        when_over: the least role once the match is over.
        at_table: whether a player at the table's own machine may, too, at any time.
        here: whether anybody on the table's own machine may.
    """

    least: Role = Role.VIEWER
    to_set_up: bool = False
    when_over: Role | None = None
    at_table: bool = False
    here: bool = False

    def allows(self, role: Role, *, at_table: bool, room: RoomState) -> bool:
        """Whether a person may; ``at_table`` tells that they sit at the table's own machine."""
        if RANK[role] >= RANK[self.least]:
            return True
        if self.here and at_table:
            return True
        if self.at_table and at_table and RANK[role] >= RANK[Role.PLAYER]:
            return True
        if self.to_set_up and at_table and room is not RoomState.PLAYING:
            return True
        return self.when_over is not None and room is RoomState.OVER and RANK[role] >= RANK[self.when_over]


EVERYBODY: Final = Right()
PLAYERS_ONLY: Final = Right(Role.PLAYER)
DIRECTOR_ONLY: Final = Right(Role.DIRECTOR)
SETTING_UP: Final = Right(Role.DIRECTOR, to_set_up=True)
AT_THE_TABLE: Final = Right(Role.DIRECTOR, at_table=True)
KEEPERS_ONLY: Final = Right(Role.DIRECTOR, here=True)

ROUTES: Final[Mapping[tuple[str, str], Right]] = {
    ("GET", "/"): EVERYBODY,
    ("GET", "/watch"): EVERYBODY,
    ("GET", "/overlay"): EVERYBODY,
    ("GET", "/setup"): SETTING_UP,
    ("GET", "/see"): SETTING_UP,
    ("GET", "/director"): DIRECTOR_ONLY,
    ("GET", "/learn"): PLAYERS_ONLY,
    ("GET", "/camera"): EVERYBODY,
    ("GET", "/pins"): AT_THE_TABLE,
    ("GET", "/pins/{side}.svg"): AT_THE_TABLE,
    ("GET", "/login"): EVERYBODY,
    ("POST", "/login"): EVERYBODY,
    ("POST", "/logout"): EVERYBODY,
    ("GET", "/welcome"): EVERYBODY,
    ("POST", "/welcome"): EVERYBODY,
    ("GET", "/welcome.svg"): KEEPERS_ONLY,
    ("GET", "/api/v1/welcome"): KEEPERS_ONLY,
    ("GET", "/openapi.json"): EVERYBODY,
    ("GET", "/health"): EVERYBODY,
    ("GET", "/metrics"): KEEPERS_ONLY,
    ("GET", "/api/v1/state"): EVERYBODY,
    ("WS", "/api/v1/live"): EVERYBODY,
    ("POST", "/api/v1/commands"): PLAYERS_ONLY,
    ("GET", "/api/v1/matches/{match}/plies"): EVERYBODY,
    ("GET", "/api/v1/matches/{match}.{form}"): Right(Role.DIRECTOR, when_over=Role.PLAYER),
    ("GET", "/api/v1/matches/{match}/turns/{game}/{ply}"): DIRECTOR_ONLY,
    ("GET", "/api/v1/matches/{match}/turns/{game}/{ply}/{role}.jpg"): DIRECTOR_ONLY,
    ("GET", "/api/v1/matches/{match}/turns/{game}/{ply}/dispute.html"): DIRECTOR_ONLY,
    ("GET", "/api/v1/matches/{match}/packet.zip"): DIRECTOR_ONLY,
    ("GET", "/api/v1/evidence/{sha256}"): EVERYBODY,
    ("POST", "/api/v1/needs/{need}/settle"): DIRECTOR_ONLY,
    ("GET", "/api/v1/dice.jpg"): DIRECTOR_ONLY,
    ("GET", "/api/v1/learn"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/position"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/landings"): PLAYERS_ONLY,
    ("POST", "/api/v1/learn/answer"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/board"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/board.jpg"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/drawing.svg"): PLAYERS_ONLY,
    ("POST", "/api/v1/learn/keep"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/last"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/mistakes"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/course"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/course/lesson"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/course/landings"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/course/board"): PLAYERS_ONLY,
    ("POST", "/api/v1/learn/course/answer"): PLAYERS_ONLY,
    ("GET", "/api/v1/learn/course/class"): DIRECTOR_ONLY,
    ("GET", "/api/v1/picture"): SETTING_UP,
    ("WS", "/api/v1/pictures"): SETTING_UP,
}
"""Every address; files below ``/static`` are for everybody, ``evidence`` is for whoever shows the hub's pass."""

DEEDS: Final = frozenset(
    {
        *("opening_roll", "roll", "name_double", "roll_void", "played", "double", "take", "pass"),
        *("beaver", "raccoon", "resign"),
    }
    | {"accept", "refuse", "let_stand", "correct", "roll_stands", "pause", "go_on", "dispute", "rebuild"}
    | {"consent", "stop", "hint", "undo"}
)
"""What players may say themselves."""
OF_ENGINES: Final = frozenset({"best_play", "announced"})
"""What engines say, and no page."""
COMMANDS: Final[Mapping[str, Right]] = {
    **{what: PLAYERS_ONLY if what in DEEDS else DIRECTOR_ONLY for what in SAYINGS if what not in OF_ENGINES},
    "pressed": PLAYERS_ONLY,
    "hands": PLAYERS_ONLY,
    "start": SETTING_UP,
    "set_clock": DIRECTOR_ONLY,
    **dict.fromkeys(CORRECTIONS, DIRECTOR_ONLY),
}
"""Every command."""
