"""How much may come from one table: what is more is left alone, so that none takes the room of the others."""


class Allowance:
    """An amount that is used up and grows again with time."""

    def __init__(self, most: int, grows_ms: int) -> None:
        """All of it is there.

        Args:
            most: it never grows beyond this.
            grows_ms: in this time it grows from nothing to all of it.
        """
        self._most, self._per_ms = most, most / grows_ms
        self._left: float = most
        self._at_ms: int | None = None

    def is_left(self, now_ms: int) -> bool:
        """Whether there is anything left of it."""
        self._grow(now_ms)
        return self._left > 0

    def take(self, amount: int, now_ms: int) -> None:
        """Use some of it up; more than there is counts against what grows later."""
        self._grow(now_ms)
        self._left -= amount

    def give_back(self, amount: int) -> None:
        """What was used up was put to use after all."""
        self._left = min(self._most, self._left + amount)

    def _grow(self, now_ms: int) -> None:
        # A clock that was set back makes nothing smaller.
        if self._at_ms is not None and now_ms > self._at_ms:
            self._left = min(self._most, self._left + (now_ms - self._at_ms) * self._per_ms)
        self._at_ms = now_ms
