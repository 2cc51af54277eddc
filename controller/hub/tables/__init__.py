"""The tables as the hub knows them: what they say, what they are told, and what is wrong with them."""
