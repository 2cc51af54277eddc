"""The hub of a club: one broker, one store, one desk for many tables, and the screens of the hall."""
