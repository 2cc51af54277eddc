"""What a live table is told and tells, set down as it happens, so that it goes on where its program ended."""
