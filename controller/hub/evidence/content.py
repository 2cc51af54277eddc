"""Disputed turns and their pictures as plain values for the director's desk, in one language."""

from collections.abc import Iterable
from typing import Any, Final

from controller.hub.evidence.desk import EvidenceDesk
from controller.hub.hall import TableShown
from controller.messages.catalogue import catalogue

MOST_SHOWN: Final = 100
"""How many of the latest turns a page gets."""


def evidence_content(desk: EvidenceDesk, tables: Iterable[TableShown], language: str) -> list[dict[str, Any]]:
    """The latest disputed turns, the newest last; ``why`` says what keeps a picture away, empty if nothing does."""
    texts, faults = catalogue(language), desk.faults()
    titles = {each.name: each.title or each.name for each in tables}
    return [
        {
            "table": turn.table,
            "journal": turn.journal,
            "players": [*turn.players],
            "game": turn.game,
            "ply": turn.ply,
            "what": turn.what,
            "pictures": [
                {
                    "role": each.role,
                    "number": each.number,
                    "t_s": each.t_s,
                    "sha256": each.sha256,
                    "here": desk.kept.has(each.sha256),
                }
                for each in turn.pictures
            ],
            "why": texts.text(
                "hall", "evidence", str(faults[turn.name]), table=titles.get(turn.table, turn.title)
            )
            if turn.name in faults
            else "",
        }
        for turn in desk.turns()[-MOST_SHOWN:]
    ]
