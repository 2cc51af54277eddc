"""The pictures behind the verdicts, and the page that settles a dispute with them."""
