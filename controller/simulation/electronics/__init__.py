"""The electronics of a board that is not there, in virtual time: the real firmware in a simulator, or its twin."""
