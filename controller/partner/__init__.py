"""An engine that plays one side: it decides, people roll its dice and move its checkers on their own board."""
