"""What is said aloud at a table: from the referee's actions to phrases, in spoken forms of four languages."""
