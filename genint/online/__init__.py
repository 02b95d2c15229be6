"""UniProt and InterPro, asked politely: never faster than they like, never a reason to fail."""
