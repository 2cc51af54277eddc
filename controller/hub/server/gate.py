"""What the pages of the hall need to know of whoever asks; the hub's server fills it in."""

from typing import Protocol

from starlette.requests import HTTPConnection

from controller.web.server.access import Person


class HallGate(Protocol):
    """Knows who asks."""

    def person(self, asking: HTTPConnection) -> Person:
        """Who asks."""

    def language(self, asking: HTTPConnection) -> str:
        """The language to answer in."""
