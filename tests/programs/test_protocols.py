"""Dialogues with external programs, line by line. Some were recorded, others are invented."""

import json
import re
from unittest.mock import Mock

import pytest

from othello.aliases import FORMER_WORDS
from othello.errors import ProgramError
from othello.game import AnyGame
from othello.programs import engine_connection, engine_protocol
from othello.programs.program_registry import Program
from othello.programs.protocols import DIALOGUES
from othello.records.transcript import parse_transcript
from tests.golden.dialogues import assert_answers
from tests.positions import RULES

GTP = """
< 1001 name
> =1001 GTP GRhino
>
< 1002 version
> =1002 0.16.1
>
< 1003 list_commands
> =1003 name
> play
> time_settings
> time_left
>
< 1004 boardsize 8
> =1004
! greeted
"""
NBOARD = """
< nboard 2
< set depth 9
< set contempt 0
< ping 1
> set myname Ntest9
> pong 1
! greeted
"""
NBOARD_GO = f"""{NBOARD}
? -
< set game (;GM[Othello]PC[othello-lab]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {{board}} *];)
< ping 2
> pong 2
< go
"""
SCRIPTS = {
    # gtp-rhino 0.16.1, recorded
    "gtp: a game, a pass, and a game that goes back": GTP
    + """
>
? f5
< 1005 clear_board
> =1005
< 1006 play black f5
> =1006
< 1007 genmove white
> =1007 D6
! answered d6
>
? f5d6c3
< 1008 play black c3
> =1008
< 1009 genmove white
> =1009 D3
! answered d3
? f5f6 seconds=2.5
< 1010 clear_board
> =1010
< 1011 play black f5
> =1011
< 1012 play white f6
> =1012
< 1013 time_settings 0 3 1
> =1013
< 1014 time_left black 2 1
> ?1014 syntax error
< 1015 genmove black
> =1015 E6
! answered e6
""",
    # Edax 4.4: a blank before the number; other programs: no number at all, or remarks
    "gtp: other ways to answer": """
< 1001 name
> = 1001 Edax
< 1002 version
> = 4.6
< 1003 list_commands
> ? 1003 unknown command
< 1004 boardsize 8
> = 1004
! greeted
? -
< 1005 clear_board
> book loaded
> =
< 1006 genmove black
> info move d3 visits 10 winrate 0.61 scoreMean 2.5 depth 7 pv d3 c3 a1
! judged d3 2.5 depth 7 c3
> = 1006 D3
! answered d3
""",
    "gtp: a clock": GTP
    + """
? - seconds=0.4 clock
< 1005 clear_board
> =1005
< 1006 time_settings 300 0 0
> =1006
< 1007 time_left black 7 0
> =1007
< 1008 genmove black
> =1008 F5
! answered f5
? f5d6 clock
< 1009 play white d6
> =1009
< 1010 time_left black 7 0
> =1010
< 1011 genmove black
""",
    "gtp: an analysis": GTP.replace("> play", "> kata-analyze")
    + """
? f5 judges seconds=9
< 1005 clear_board
> =1005
< 1006 play black f5
> =1006
< 1007 time_settings 0 9 1
> =1007
< 1008 time_left white 9 1
> =1008
< 1009 kata-analyze white 20
> =1009
> info move d6 visits 9 winrate 0.4 scoreMean -1.5 pv d6 c3 info move f6 visits 2 winrate 0.3 pv f6
! judged d6 -1.5 c3
! judged f6 0.3
> info move f4 visits 2 winrate 2500 pv f4
! judged f4 0.25
hurry
< 1010 name
>
> =1010 GTP GRhino
! answered nothing
""",
    "gtp: an answer to a dropped question": GTP
    + """
? -
< 1005 clear_board
> =1005
< 1006 genmove black
drop
> =1006 F5
? f5d6
< 1007 play white d6
> =1007
< 1008 genmove black
> =1008 c3
! answered c3
""",
    "gtp: a question that is dropped before it is asked": GTP
    + """
? f5d6
< 1005 clear_board
drop
> =1005
? f5d6
< 1006 clear_board
> =1006
< 1007 play black f5
""",
    "gtp: a refusal": GTP + "? -\n< 1005 clear_board\n> ?1005 cannot\nx rejected “clear_board”: “?1005 cannot”",
    "gtp: an older answer": GTP + "? -\n< 1005 clear_board\n> =1004\nx sent a late answer",
    "gtp: an answer to nothing": GTP + ">\n> =1004\nx expected: nothing",
    # after NBoard's own example
    "nboard: a game and its values": NBOARD
    + """
? f5d6c3
< set game (;GM[Othello]PC[othello-lab]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {board} *]B[F5]W[D6]B[C3];)
< ping 2
> pong 2
< go
> status Ntest is thinking
> nodestats 35805 0.00
! counted 35805
> search d3-C4 (-1.25,2.00) 0 12@73% more
! judged d3 -1.25 depth 12 c4
> book D3 1.5 20 13
! judged d3 1.5 depth 13
> search
> search z9 1 0 1
> === d3 64.00 0.0
! judged d3 64.0
! answered d3
> status Ntest is waiting
? f5d6c3d3c4
< move D3
< move C4
< ping 3
> pong 3
< go
> === F4/-2.50/0.3
! judged f4 -2.5
! answered f4
""",
    "nboard: values without an answer": NBOARD
    + """
? f5 judges
< set game (;GM[Othello]PC[othello-lab]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 {board} *]B[F5];)
< ping 2
> pong 2
< hint 3
> status Analyzing
> search D6 0.5 0 9
! judged d6 0.5 depth 9
> status
! answered nothing
""",
    "nboard: time is up": NBOARD_GO
    + """
> search D3c3E6d2D1e1B2c1PA 0.5 0 9
! judged d3 0.5 depth 9 c3 e6 d2 d1 e1 b2 c1 pass
hurry
< ping 3
> pong 3
! answered nothing
""",
    "nboard: an answer to a dropped question": NBOARD_GO
    + """
drop
< ping 3
> === F5//0.1
> pong 3
? f5
< move F5
< ping 4
> pong 4
< go
> === PA//3.1
x answered with pass, which is not legal; legal: f4, d6, f6
""",
    "nboard: an answer to nothing": NBOARD + "> === f5\nx expected: nothing",
    "nboard: a pong for nothing": NBOARD + "> pong 12\nx expected: nothing",
    "json: a game and its values": """
< {"type": "hello", "version": 1, "game": "othello", "rules": {rules}}
> {"type": "ready", "name": "Anna", "version": "1.2"}
! greeted
? f5 seconds=1.5
< {"type": "go", "id": 1, "board": "{f5}", "color": "white", "legal": ["f4", "d6", "f6"], "start": "{start}", \
"moves": ["f5"], "seconds": 1.5, "clock": null, "analyse": false, "judge": false, "seed": 0}
> {"type": "info", "id": 1, "values": {"d6": 1, "f4": -2.5, "a1": 7}, "nodes": 80}
! judged d6 1.0
! judged f4 -2.5
! counted 80
> {"type": "info", "id": 7, "values": {"d6": 9}}
hurry
< {"type": "stop", "id": 1}
> {"type": "move", "id": 1, "move": "f6", "value": 0.4, "unit": "win_probability", "line": ["f6", "e6"], "depth": 4}
! judged f6 0.4 depth 4 e6
! answered f6
> {"type": "move", "id": 1, "move": "f6"}
x expected: nothing
""",
    "json: a program with more capabilities": """
< {"type": "hello", "version": 1, "game": "othello", "rules": {rules}}
> {"type": "ready", "name": "Anna", "capabilities": ["pause", "game_over", 7]}
! greeted
? f5
< {}
hold
< {"type": "pause", "id": 1}
> {"type": "paused", "id": 1}
! held
on
< {"type": "resume", "id": 1}
> {"type": "move", "id": 1, "move": "f6"}
! answered f6
over
< {"type": "game_over", "board": "{f5}", "start": "{start}", "moves": ["f5"]}
> {"type": "done"}
> {"type": "done"}
x expected: nothing
""",
}
SCRIPTS["gtp: two responses"] = SCRIPTS["gtp: an analysis"].partition("> info")[0] + "> =\nx expected: lines “search”"
_FORMER = re.compile(f'"({"|".join(FORMER_WORDS)})"(?!: false)')
SCRIPTS |= {
    f"{name}, in former words": _FORMER.sub(lambda word: f'"{FORMER_WORDS[word[1]]}"', script)
    for name, script in SCRIPTS.items()
    if name.startswith("json") and _FORMER.search(script)
}
SCRIPTS |= {
    f"nboard: pong {number[:5]}": f"{NBOARD.partition('> pong')[0]}> pong {number}\nx expected: pong"
    for number in ("²", "99", "9" * 5000)
}
SCRIPTS |= {
    f"json: {line}": f"< {{}}\n> {line}\nx {fault}"
    for line, fault in {
        "hello": "expected: a JSON object",
        "x" * 200: f"“{'x' * 120}”",
        "[1]": "expected: a JSON object",
        '{"type": "move", "move": "f5"}': "of type ready",
        '{"type": "error", "message": "no weights"}': "answer from the program: “no weights”",
        '{"type": "ready", "type": "ready"}': "expected: a JSON object",
    }.items()
}


def description(game: AnyGame, fact: engine_protocol.Fact) -> str:
    match fact:
        case engine_protocol.EngineReady():
            return "greeted"
        case engine_protocol.NodeCount(nodes):
            return f"counted {nodes}"
        case engine_protocol.EngineAnalysis(move, value, _, depth, line):
            replies = game.texts_of(line)[1:]
            parts = (f"judged {game.text_of(move)} {value}", f"depth {depth}" * (depth > 0), *replies)
            return " ".join(filter(None, parts))
        case engine_protocol.EnginePaused():
            return "held"
        case engine_protocol.EngineMove(move):
            return f"answered {'nothing' if move is None else game.text_of(move)}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_dialogue(name: str) -> None:
    """Play a script: `?` asks for a move, `<` is sent, `>` is received, `!` is its meaning, `x` its fault."""
    protocol, script = name.partition(":")[0], SCRIPTS[name]
    start, board = RULES.start(), "---------------------------O*------*O---------------------------"
    after = RULES.format_position(parse_transcript("f5", RULES).position)
    for key, text in {"board": board, "f5": after, "start": RULES.format_position(start)}.items():
        script = script.replace(f"{{{key}}}", text)
    script = script.replace("{rules}", str(dict(RULES.spec.options)).replace("'", '"'))
    dialogue = DIALOGUES[protocol](Program("it", ("it",), protocol=protocol, depth=9), RULES)
    dialogue.greet()
    game, facts, fault = parse_transcript("", RULES), list[str](), ""
    for line in filter(None, script.splitlines()):
        sign, _, rest = line.partition(" ")
        match sign:
            case "<":
                assert rest in ("{}", dialogue.to_say.pop(0))
            case ">":
                assert facts == []
                assert dialogue.to_say == [] or not rest
                try:
                    facts = [description(game, fact) for fact in dialogue.handle_line(rest)]
                except ProgramError as error:
                    fault = str(error)
            case "!":
                assert facts.pop(0) == rest
            case "x":
                assert rest in fault
                return
            case "?":
                moves, *options = rest.split()
                game = parse_transcript(moves.strip("-"), RULES)
                assert (dialogue.expected, dialogue.is_deterministic, dialogue.set_paused(False)) == ("", False, False)
                seconds = next((float(word[8:]) for word in options if word.startswith("seconds=")), None)
                clock = (300.0, 7.9) if "clock" in options else None
                dialogue.ask(engine_protocol.EngineRequest(game, seconds, clock, judges="judges" in options))
            case "hold" | "on":
                assert dialogue.set_paused(sign == "hold") == (protocol == "json")
            case "over":
                dialogue.end(game)
            case "drop":
                dialogue.drop()
            case "hurry":
                dialogue.move_now()
        assert fault == "" or sign == ">", fault
    assert facts == []
    assert fault == ""


GREETINGS = {
    "gtp": (["?"] * 2 + ["= time_settings", "time_left", "lz-analyze", "", "="], ["="] * 2),
    "nboard": (["pong 1"], ["pong 2"]),
    "json": (['{"type": "ready"}'], []),
}


def test_lines_have_the_golden_meaning() -> None:
    """Send a line to a protocol that waits for a move after f5, or see what it sends when asked for a move."""

    def answer(question: str) -> str:
        protocol, _, line = question.partition(" ")
        dialogue = DIALOGUES[protocol](Program("it", ("it",), protocol=protocol), RULES)
        dialogue.greet()
        greeting, answers = GREETINGS[protocol]
        for text in greeting:
            dialogue.handle_line(text)
        if line.startswith("send "):
            options = json.loads(line[5:])
            dialogue.to_say.clear()
            dialogue.ask(engine_protocol.EngineRequest(parse_transcript(options.pop("moves"), RULES), **options))
            for said in dialogue.to_say:  # grows
                if protocol == "gtp" and dialogue.expected == "answer" and "analyze" not in said:
                    dialogue.handle_line("=")
                elif said.startswith("ping"):
                    dialogue.handle_line(said.replace("ping", "pong"))
            return "\n".join(dialogue.to_say)
        dialogue.ask(engine_protocol.EngineRequest(parse_transcript("f5", RULES)))
        for text in answers:
            dialogue.handle_line(text)
        try:
            facts = dialogue.handle_line(line)
        except ProgramError as error:
            return str(error)
        return "\n".join([*map(repr, facts), f"expected: {dialogue.expected or 'nothing'}"])

    assert_answers("programs.txt", answer)


def test_a_connection_pauses_drops_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    child, game = Mock(stderr_tail=None), parse_transcript("f5", RULES)
    lines = ['{"type": "ready", "capabilities": ["pause", "game_over"]}']
    child.line.side_effect = lambda _: lines.pop(0) if lines else None
    monkeypatch.setattr(engine_connection, "ChildProcess", Mock(return_value=child))
    connection = engine_connection.EngineConnection(Program("it", ("it",), protocol="json"), RULES)
    connection.ask(engine_protocol.EngineRequest(game))
    lines += ['{"type": "info", "id": 1, "nodes": 8}', '{"type": "paused", "id": 1}', "never read"]
    facts = connection.set_paused()
    assert (facts, lines.pop()) == ([engine_protocol.NodeCount(8), engine_protocol.EnginePaused()], "never read")
    connection.resume()
    connection.move_now()
    connection.drop()
    assert not connection.is_idle(0.0)
    lines += ['{"type": "info", "id": 1}', '{"type": "move", "id": 1, "move": "f6"}', '{"type": "info", "id": 1}']
    assert connection.is_idle(9.0)
    lines += ["what?", '{"type": "done"}']
    with pytest.raises(ProgramError, match="what"):
        connection.is_idle(9.0)
    connection.end(game)
    assert lines == []
    connection.close()
    done = list[str]()
    for name, values, _ in child.mock_calls:
        done += [json.loads(line)["type"] for line in values[0]] if name == "send" else [f"{name} {values[0]}"]
    said = "hello go pause, set_paused True, set_paused False, resume stop stop game_over quit, close 0.2"
    assert " ".join(each for each in done if not each.startswith("line")) == said.replace(",", "")
