"""Every event of a table, appended to one SQLite file and never changed, with its copies and its rescue."""
