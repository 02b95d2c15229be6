"""What may be thrown away: pressed profiles, results, online answers; every path is passed in."""
