"""What set-up does: each device chosen, tried and kept, the board found, lamps looked for, firmware written."""
