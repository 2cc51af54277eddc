"""Keys of USB keyboards, foot switches and presenters as buttons of the table."""
