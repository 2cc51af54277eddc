"""One test of a whole table: what `pytest.mark.parametrize` makes a thousand tests of, each with its own overhead.

    @each_row("path", SOURCES, ids=module_name)
    def test_imports_run_downwards_only(path): ...

Every row is tried, also behind one that fails. The failure is that of the first, and its note names every row that
failed. Use it where rows are many and quick and where each may use the fixtures that the one before has used; where a
row needs a folder of its own or takes a second, `pytest.mark.parametrize` is right.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

Rows = Iterable[Any]
Test = Callable[..., None]
Named = Callable[[Any], object] | Iterable[str] | None


def each_row(
    names: str | Sequence[str], rows: Rows | Callable[[], Rows], ids: Named = None
) -> Callable[[Test], Test]:
    """Make one test of all rows of a table.

    Args:
        names: the argument that a row is handed over as, or the arguments that it is taken apart into.
        rows: the table, also with entries of `pytest.param`; or a function that makes it when the test runs, for
            tables that take long to make.
        ids: what the message calls each row, as `pytest.mark.parametrize` has it; the row itself if left out.
    """
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def wrap(test: Test) -> Test:
        signature = inspect.signature(test)
        assert set(named) <= set(signature.parameters), f"{test.__name__} takes no {named}"

        @functools.wraps(test)
        def whole(**fixtures: object) -> None:
            table = list(rows if isinstance(rows, Iterable) else rows())
            assert table, "the table has no rows"
            failed: list[tuple[str, BaseException]] = []
            for number, row in enumerate(table):
                values = row.values if isinstance(row, ParameterSet) else row if len(named) > 1 else (row,)
                try:
                    test(**dict(zip(named, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # raised again below
                    failed.append((_name(row, number, values), error))
            if failed:
                _raise(failed, len(table))

        del whole.__wrapped__  # type: ignore[attr-defined]  # pytest would look for the rows' arguments in it
        left = [parameter for name, parameter in signature.parameters.items() if name not in named]
        whole.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    listed = ids if ids is None or callable(ids) else list(ids)

    def _name(row: object, number: int, values: Sequence[object]) -> str:
        if isinstance(row, ParameterSet) and row.id is not None:
            return str(row.id)
        if callable(listed):
            return "-".join(str(listed(value)) for value in values)
        return listed[number] if listed is not None else ", ".join(map(repr, values))

    return wrap


def _raise(failed: Sequence[tuple[str, BaseException]], rows: int) -> None:
    """Fail as the first row did, and name all that did."""
    error = failed[0][1]
    error.add_note(f"{len(failed)} of {rows} rows failed; this is the first of them:")
    for name, _ in failed:
        error.add_note(f"  {name}")
    raise error
