"""The web server of a table: addresses, rights, commands, and the thread that it all runs in."""
