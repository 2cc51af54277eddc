"""What a roll can become: the law of a step, and every complete legal play."""
