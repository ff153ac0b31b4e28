"""A small player in plain Python that speaks every protocol, well or as badly as its first argument says.

python -I -S opponent.py PROTOCOL [FAULT]
"""

import json
import os
import re
import subprocess
import sys
import time

EIGHT = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def say(line: str) -> None:
    print(line, flush=True)


class Board:
    """Othello, just as far as it takes to play the first legal move."""

    def __init__(self) -> None:
        self.discs = {(3, 3): "w", (4, 4): "w", (4, 3): "b", (3, 4): "b"}
        self.side = "b"

    def flips(self, x: int, y: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for dx, dy in EIGHT if (x, y) not in self.discs else ():
            row = []
            place = (x + dx, y + dy)
            while self.discs.get(place, self.side) != self.side:
                row.append(place)
                place = (place[0] + dx, place[1] + dy)
            found += row if place in self.discs else []
        return found

    def legal(self) -> list[str]:
        return [f"{'abcdefgh'[x]}{y + 1}" for y in range(8) for x in range(8) if self.flips(x, y)]

    def play(self, move: str) -> None:
        if move.lower() not in ("pass", "pa"):
            place = ("abcdefgh".index(move[0].lower()), int(move[1]) - 1)
            for flipped in self.flips(*place):
                self.discs[flipped] = self.side
            self.discs[place] = self.side
        self.side = "w" if self.side == "b" else "b"


def burn() -> None:
    end = time.process_time() + 0.5
    while time.process_time() < end:
        sum(range(10_000))


def crash() -> None:
    sys.stderr.write("Segmentation fault, or so\n")
    os._exit(3)


def write_forever(block: bytes) -> None:
    while True:
        os.write(1, block)


def close_output() -> None:
    os.close(1)
    time.sleep(3600)


EFFECTS = {
    "slow": lambda: time.sleep(0.3),
    "busy": burn,
    "silent": lambda: time.sleep(3600),
    "crash": crash,
    "leave": sys.exit,
    "flood": lambda: write_forever(b"x" * (1 << 20)),
    "chatter": lambda: write_forever(b"status still thinking about everything\n" * 1000),
    "complain": lambda: os.write(2, b"complaint " * 100_000 + b"\n"),
    "close": close_output,
}
WRONG_MOVES = {"illegal": "a1", "occupied": "d4", "pass": "pass", "words": "hello world", "resign": "resign"}
WRONG_MOVES |= {"binary": "\0\x07é", "huge": "d" * 70_000}
ANSWERS = {"nothing": "", "twice": "{0}\n{0}", "junk": "banner\n\n# a remark\n{0}"}


def misbehave(fault: str, move: str, answer: str) -> str:
    """Return the faulty answer, after the other effects of the fault."""
    EFFECTS.get(fault, lambda: None)()
    return ANSWERS.get(fault, "{0}").format(answer.replace(move, WRONG_MOVES.get(fault, move)))


def gtp(fault: str) -> None:
    board = Board()
    for line in sys.stdin:
        number, command, *words = line.split()
        text = {"name": "Opponent", "list_commands": "name\nplay\ngenmove"}.get(command, "")
        if fault == "refuse":
            say(f"?{number} unknown command\n")
            continue
        if command == "quit":
            say(f"={number}\n")
            return
        if command == "clear_board":
            board = Board()
        elif command == "play":
            board.play(words[1])
        elif command == "genmove":
            text = (board.legal() or ["pass"])[0]
            board.play(text)
        answers = {"unnumbered": f"= {text}\n", "spaced": f"= {number} {text.upper()}\n"}
        is_late = fault == "late" and command == "genmove"
        answer = answers.get(fault, f"={int(number) - is_late} {text}\n")
        if command == "genmove":
            answer = misbehave(fault, text, answer)
        say(answer)
        if fault == "unasked" and command == "genmove":
            say("= a1\n")


def nboard(fault: str) -> None:
    board = Board()
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "ping":
            say(f"pong {int(rest) + (7 if fault == 'wrong pong' else 0)}")
        elif command == "set" and rest.startswith("depth"):
            say("set myname Opponent" + "\x1b[31m" * (fault == "spaced"))
        elif command == "set" and rest.startswith("game"):
            board = Board()
            squares, _, moves = rest.partition("BO[8 ")[2].partition("]")
            board.side = "w" if squares[-1] == "O" else "b"
            board.discs = {(n % 8, n // 8): {"*": "b", "O": "w"}[c] for n, c in enumerate(squares[:64]) if c != "-"}
            for move in re.findall(r"[BW]\[(\w\w)", moves):
                board.play(move)
        elif command == "move":
            board.play(rest.split("/")[0])
        elif command == "go":
            move = (board.legal() or ["PA"])[0]
            say("status Opponent is thinking\nnodestats 42 0.00")
            say(f"search {move} (1.5,2.5) 0 3 and more")
            say(misbehave(fault, move, f"=== {move} 4.00 0.1" if fault == "spaced" else f"=== {move}/4.00/0.1"))
            if fault == "unasked":
                say("=== a1")
        elif command == "hint":
            for value, move in enumerate(board.legal()):
                say(f"search {move} {value} 0 5")
            say("status")
        elif command == "quit":
            return


def json_lines(fault: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(json.dumps({"type": "ready", "name": "Opponent", "version": 1, "capabilities": ["game_over"]}))
        elif message["type"] == "game_over":
            say(json.dumps({"type": "done"}))
        elif message["type"] == "go":
            move = message["legal"][0]
            asked = message["id"] - (fault == "late")
            answer = {"type": "move", "id": asked, "move": move, "value": 1.5, "nodes": 9, "depth": 2, "line": [move]}
            if message["analyse"]:
                answer["values"] = {text: place / 2 for place, text in enumerate(message["legal"])}
            if fault == "infinite":
                answer["value"] = float("inf")
            say(misbehave(fault, move, json.dumps(answer)))
        elif message["type"] == "quit":
            return


if __name__ == "__main__":
    protocol, fault = sys.argv[1], (sys.argv[2:] or [""])[0]
    if fault == "exit":
        sys.exit("no evaluation file")
    if fault == "mute":
        time.sleep(3600)
    if fault == "family":  # children and grandchildren, some of which leave the group
        sleep = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"]
        subprocess.Popen(sleep)
        subprocess.Popen(sleep, start_new_session=True)
        subprocess.Popen([sys.executable, "-I", "-S", "-c", f"import subprocess; subprocess.Popen({sleep!r})"]).wait()
    if fault == "greedy":
        memory = bytearray(1 << 30)
    {"gtp": gtp, "nboard": nboard, "json": json_lines}[protocol](fault)
