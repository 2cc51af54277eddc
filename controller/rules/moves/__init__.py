"""What a roll can become: the law of a step, and every complete legal play.

``generator``, ``doubles``, ``home`` and ``legality`` are the standard game on packed numbers, where speed is made, on
the board as the mover sees it (`controller.rules.packed.view`); ``law`` and ``search`` the game under any settings,
one step at a time; ``deduction`` and ``arrangement`` what can have been done, and in which order.
"""
