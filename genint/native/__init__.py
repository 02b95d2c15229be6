"""What is compiled: inner loops that no library has, in C, behind arrays of numpy."""
