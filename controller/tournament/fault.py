"""What a tournament refuses."""

from dataclasses import dataclass
from typing import Final

from controller.errors import UserError
from controller.messages.catalogue import catalogue

ENGLISH: Final = "en"


class TournamentError(UserError):
    """Something that cannot be done in a tournament; nothing is changed then."""


class RefusalError(TournamentError):
    """Something that people asked for and that cannot be, with a sentence in every language.

    Attributes:
        key: its entry under `tournament.refused` in the catalogues.
        values: what stands in the braces of that entry; a refusal or a `RefusedThing` among them is told, too.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def __str__(self) -> str:
        """The sentence in English, as the command line speaks."""
        return self.in_language(ENGLISH)

    def in_language(self, language: str) -> str:
        """The sentence in `language`, one of `LANGUAGES`."""
        values = {
            name: value.in_language(language) if isinstance(value, RefusalError | RefusedThing) else value
            for name, value in self.values.items()
        }
        return catalogue(language).text("tournament", "refused", self.key, **values)


@dataclass(frozen=True, slots=True)
class RefusedThing:
    """What a refusal speaks of, where that has a word of its own: an entry under `tournament.refused.what`."""

    key: str

    def in_language(self, language: str) -> str:
        """The word in `language`."""
        return catalogue(language).text("tournament", "refused", "what", self.key)
