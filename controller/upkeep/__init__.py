"""What keeps a table over the years: backups, their return, and what is sent to whoever is asked for help."""
