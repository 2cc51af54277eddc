"""What holds for every server of pages: what pydantic makes of the arguments of its routes is made once a worker."""

from typing import Any, get_args

import fastapi._compat.v2 as arguments
from pydantic import TypeAdapter

_made: dict[tuple[object, str, str], TypeAdapter[Any]] = {}


def share_adapter(kind: Any, *, config: Any = None) -> TypeAdapter[Any]:
    """What checks an argument of a route; that of a route before, if it was of the same type with the same limits.

    Each server of a test declares the same routes again, which takes half as long with what is known of them.
    """
    annotation, *limits = get_args(kind)
    known = annotation, repr(limits), repr(config)
    if known not in _made:
        _made[known] = TypeAdapter(kind, config=config)
    return _made[known]


vars(arguments)["TypeAdapter"] = share_adapter
