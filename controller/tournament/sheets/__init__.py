"""What people read of a tournament: lines for a terminal, tables, pages, brackets to print. Each is a function that
returns text, in the language asked for.
"""
