"""What may be thrown away: pressed profiles; every path is passed in."""
