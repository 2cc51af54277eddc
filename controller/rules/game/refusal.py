"""Why an event cannot happen now: a code with arguments, and the sentence it makes."""

from collections.abc import Mapping
from enum import StrEnum

from controller.errors import UserError


class Refusal(StrEnum):
    """Everything a cube, a game or a match refuses. `SENTENCES` shows the arguments of each."""

    NO_CUBE = "no_cube"
    CRAWFORD_GAME = "crawford_game"
    CUBE_NOT_OWNED = "cube_not_owned"
    CUBE_AT_MAXIMUM = "cube_at_maximum"
    CUBE_DEAD = "cube_dead"
    ROLL_BEFORE_DOUBLE = "roll_before_double"
    NOT_ON_TURN = "not_on_turn"
    OFFER_PENDING = "offer_pending"
    NO_OFFER = "no_offer"
    OWN_OFFER = "own_offer"
    BEAVER_NOT_PLAYED = "beaver_not_played"
    RACCOON_NOT_PLAYED = "raccoon_not_played"
    BEAVER_MUST_BE_ACCEPTED = "beaver_must_be_accepted"
    NOT_A_DIE = "not_a_die"
    ROLL_NOT_DUE = "roll_not_due"
    PLAY_NOT_DUE = "play_not_due"
    OPENING_ROLL_DUE = "opening_roll_due"
    OPENING_ROLL_NOT_DUE = "opening_roll_not_due"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    RESIGNATION_TOO_SMALL = "resignation_too_small"
    RESIGNATION_TOO_LARGE = "resignation_too_large"
    RESIGNATION_MUST_BE_ACCEPTED = "resignation_must_be_accepted"
    AWARD_TOO_SMALL = "award_too_small"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


SENTENCES: Mapping[Refusal, str] = {
    Refusal.NO_CUBE: "{side} cannot double: this game is played without a cube.",
    Refusal.CRAWFORD_GAME: "{side} cannot double: the Crawford game is played without a cube.",
    Refusal.CUBE_NOT_OWNED: "{side} cannot double: the cube belongs to {owner}.",
    Refusal.CUBE_AT_MAXIMUM: "{side} cannot double to {value}: the cube goes no higher than {maximum}.",
    Refusal.CUBE_DEAD: "{side} cannot double: a win at {value} is the match.",
    Refusal.ROLL_BEFORE_DOUBLE: "{side} cannot double after rolling; double before the next roll.",
    Refusal.NOT_ON_TURN: "{side} is not on turn; {turn} is.",
    Refusal.OFFER_PENDING: "{side} must first answer the offer.",
    Refusal.NO_OFFER: "{side} has no offer to answer.",
    Refusal.OWN_OFFER: "{side} made this offer; the other side answers it.",
    Refusal.BEAVER_NOT_PLAYED: "{side} cannot beaver here; take or pass.",
    Refusal.RACCOON_NOT_PLAYED: "{side} cannot raccoon here; take or pass.",
    Refusal.BEAVER_MUST_BE_ACCEPTED: "{side} cannot pass a beaver in these rules; it stands at {value}.",
    Refusal.NOT_A_DIE: "A die shows {number}, but must show a number from 1 to 6.",
    Refusal.ROLL_NOT_DUE: "{side} has rolled already; the play is due.",
    Refusal.PLAY_NOT_DUE: "{side} cannot play before rolling.",
    Refusal.OPENING_ROLL_DUE: "The game begins with an opening roll, one die each.",
    Refusal.OPENING_ROLL_NOT_DUE: "The opening roll is over; the game has begun.",
    Refusal.NOTHING_TO_TAKE_BACK: "{side} has no play that could still be corrected.",
    Refusal.RESIGNATION_TOO_SMALL: "{side} cannot resign {amount}; offer at least 1.",
    Refusal.RESIGNATION_TOO_LARGE: "{side} cannot resign {amount}; offer at most {maximum}.",
    Refusal.RESIGNATION_MUST_BE_ACCEPTED: "{side} must accept a resignation in these rules.",
    Refusal.AWARD_TOO_SMALL: "A game cannot be awarded for {points} points; award at least 1.",
    Refusal.GAME_OVER: "The game is over.",
    Refusal.MATCH_OVER: "The match is over; {winner} has won it.",
}


class RefusedError(UserError):
    """An event that the rules do not allow now. The state it was meant for is unchanged.

    ``code`` and ``arguments`` say why, for programs and for other languages; ``str()`` is English.
    """

    def __init__(self, code: Refusal, **arguments: str | int) -> None:
        """Arguments are those that the sentence of ``code`` in `SENTENCES` names."""
        self.code = code
        self.arguments: Mapping[str, str | int] = arguments
        shown = {name: value.capitalize() if name == "side" else value for name, value in _texts(arguments)}
        super().__init__(SENTENCES[code].format(**shown))


def _texts(arguments: Mapping[str, str | int]) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in arguments.items()]
