"""What the payload of a journal's event is made of."""

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
"""Plain values for JSON."""
