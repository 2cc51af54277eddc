"""What a tournament refuses."""

from controller.errors import UserError


class TournamentError(UserError):
    """Something that cannot be done in a tournament; nothing is changed then."""
