"""What people read of the referee's actions, in any of the languages: at the `table`, and in a `transcript`."""
