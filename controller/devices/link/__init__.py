"""The serial link to the board's electronics; hardware_docs/protocol.md says what goes over it."""
