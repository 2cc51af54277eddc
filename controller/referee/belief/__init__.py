"""Everything that a turn may have been, with how well the pictures and the rules speak for it."""
