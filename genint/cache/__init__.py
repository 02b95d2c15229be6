"""What may be thrown away: indexed profiles, results, online answers; every path is passed in."""
