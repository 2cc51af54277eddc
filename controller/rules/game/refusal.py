"""Why an event cannot happen now: a code with arguments, no sentences."""

from collections.abc import Mapping
from enum import StrEnum

from controller.errors import UserError


class Refusal(StrEnum):
    """Everything a cube, a game or a match refuses."""

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


class RefusedError(UserError):
    """An event that the rules do not allow now. The state it was meant for is unchanged.

    `code` and `arguments` say why; `controller.messages` has the sentences.
    """

    def __init__(self, code: Refusal, **arguments: str | int) -> None:
        """`arguments` are those that the text of `code` in the catalogues names."""
        self.code = code
        self.arguments: Mapping[str, str | int] = arguments
        told = ", ".join([str(code), *(f"{name} {value}" for name, value in arguments.items())])
        super().__init__(f"The rules do not allow this now ({told}).")
