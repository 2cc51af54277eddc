"""What holds something until it is closed."""

from types import TracebackType
from typing import Self


class Closeable:
    """Has `close` called when its `with` block is left, however that happens."""

    def close(self) -> None:
        """Let go of whatever is held; closing twice does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
