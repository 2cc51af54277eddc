"""What FastAPI makes of a parameter of a route is made once for all apps of a worker.

A table's app has fifty such parameters, and pydantic takes a millisecond to compile the check of each: of 70 ms for
an app 23 are left. Nearly each test of pages has an app of its own, with the same parameters.
"""

from typing import Any


def share_adapters() -> None:
    """Have parameters that are alike share their check from now on, which keeps nothing of what it has checked."""
    try:
        from fastapi._compat import v2
    except ImportError:  # other versions than the one that is tried have it elsewhere, and make each anew
        return
    make, made = v2.ModelField.__post_init__, dict[tuple[Any, ...], Any]()

    def make_once(field: v2.ModelField) -> None:
        known = v2.asdict(field.field_info)
        key = (
            known["annotation"],
            *(repr(each) for each in (known["metadata"], known["attributes"], field.config)),
        )
        try:
            kept = made.get(key)
        except TypeError:  # an annotation that holds a list
            return make(field)
        if kept is None:
            make(field)
            made[key] = field._type_adapter
        else:
            field._type_adapter = kept
        return None

    v2.ModelField.__post_init__ = make_once  # type: ignore[method-assign]
