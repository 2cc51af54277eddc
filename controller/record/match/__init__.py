"""What was played: turns, acts and notes as values, played through the rules again, corrected, kept in a journal."""
