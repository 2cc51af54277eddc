"""Speech and short sounds at the table, made by other programs: a `ProgramVoice`, and the tones that it plays."""
