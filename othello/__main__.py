"""`python -m othello`, and the command `othello`."""


def start() -> int:
    """Do what the command line says, and return the exit status; 130 where Ctrl-C comes before that can hear of it."""
    try:
        from othello.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(start())
