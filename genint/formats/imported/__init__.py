"""Result files of other programs and of experiments, read into values."""
