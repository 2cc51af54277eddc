"""How well a match was played, whatever engine says so."""

from dataclasses import dataclass

from controller.rules.position import Position, Roll, Side


@dataclass(frozen=True, slots=True)
class Skill:
    """One player's figures. Errors and luck are in points of equity (for a match, of its normalised equity).

    Attributes:
        moves: turns that were analysed.
        unforced: those of them in which there was a choice.
        play_error: what was lost by checker plays.
        cube_decisions: cube decisions that were made or were close; 0 where no cube was played.
        cube_error: what was lost by them.
        luck: what the dice gave.
    """

    moves: int
    unforced: int
    play_error: float
    cube_decisions: int
    cube_error: float
    luck: float

    def __add__(self, other: "Skill") -> "Skill":
        """The figures of two matches together."""
        return Skill(
            self.moves + other.moves,
            self.unforced + other.unforced,
            self.play_error + other.play_error,
            self.cube_decisions + other.cube_decisions,
            self.cube_error + other.cube_error,
            self.luck + other.luck,
        )

    @property
    def rate(self) -> float | None:
        """Thousandths of a point lost for each decision, plays and cube together; `None` without decisions."""
        return _rate(self.play_error + self.cube_error, self.unforced + self.cube_decisions)

    @property
    def play_rate(self) -> float | None:
        """The same for checker plays alone."""
        return _rate(self.play_error, self.unforced)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A play that lost something.

    Attributes:
        game: the number of the game, from 1; `ply` that of the turn in it.
        player: who made it, with `roll` from `before`.
        played: the play in notation; `best` what would have been better.
        loss: by how many points of equity.
    """

    game: int
    ply: int
    player: Side
    roll: Roll
    before: Position
    played: str
    best: str
    loss: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine says of a match.

    Attributes:
        engine: its name and how it was set.
        light: figures of light; `dark` those of dark.
        mistakes: the plays that lost something, the worst first.
        left_out: illegal plays and turns that do not follow from the ones before, which no engine can judge.
        cautions: why the figures may not hold for these rules, as sentences.
    """

    engine: str
    light: Skill
    dark: Skill
    mistakes: tuple[Mistake, ...]
    left_out: int
    cautions: tuple[str, ...]


def _rate(lost: float, decisions: int) -> float | None:
    return 1000 * lost / decisions if decisions else None
