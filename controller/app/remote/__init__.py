"""A live table and the one at which the other side plays: how the two find each other and what people are told."""
