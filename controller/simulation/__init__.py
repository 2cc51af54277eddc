"""A virtual table: painted boards, dice and cubes."""
