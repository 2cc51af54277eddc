"""What is equal where all that it tells is equal."""


class Value:
    """A result that may be compared and be a key: equal to another of its kind with the same attributes."""

    __slots__: tuple[str, ...] = ()

    def _told(self) -> object:
        """What it is compared by: every attribute that it documents."""
        return tuple(getattr(self, name) for name in type(self).__slots__ if not name.startswith("_"))

    def __eq__(self, other: object) -> bool:
        """Whether all attributes are equal."""
        if type(other) is not type(self):
            return NotImplemented
        return self._told() == other._told()

    def __hash__(self) -> int:
        """By its attributes."""
        return hash(self._told())
