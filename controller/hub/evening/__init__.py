"""A club evening: one tournament whose matches are played at the tables of a hall."""
