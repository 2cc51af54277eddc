"""Texts for people, one catalogue for each language, made from the codes of the lower rooms.

`catalogue` reads them; `game_words` (broken rules, results), `table_words` (messages, refusals) and `profile_words`
(rule profiles) make sentences.
"""
