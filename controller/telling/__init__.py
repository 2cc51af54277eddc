"""What people read of the referee's actions, in any of the languages: at a terminal, on a screen."""
