"""``python -m genint``."""

from genint.cli.main import main

if __name__ == "__main__":
    main()
