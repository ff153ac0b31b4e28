"""`python -m othello`."""

from othello.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
