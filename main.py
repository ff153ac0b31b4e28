from othello.__main__ import start

if __name__ == "__main__":
    raise SystemExit(start())
