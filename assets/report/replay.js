// Replays the games of a report. What is on the board after every move stands in the page: no rules are needed here.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 40;
  const MARGIN = 24;
  const OWNERS = ["empty", "black", "white"];
  const CIRCLE = "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0 -34 0";
  const CROSS = "M-12 -12L12 12M12 -12L-12 12";
  const NOUGHT = "M-13 0a13 13 0 1 0 26 0a13 13 0 1 0 -26 0";

  const root = document.getElementById("replay");
  const part = (name) => root.querySelector("." + name);
  const data = JSON.parse(part("games").textContent);
  const choice = part("choice");
  const board = part("board");
  const moves = part("moves");
  let pieces = [];
  let shapes = [];
  let sides = [];
  let marks = null;
  let game = null;
  let ply = 0;

  function add(parent, name, attributes, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  const sidesOf = ({ areTurned }) => (areTurned ? ["black", "white"] : ["X", "O"]);

  function drawBoard({ columns, rows, columnNames, rowNames, blockSize, areTurned }) {
    const width = columns * CELL;
    const height = rows * CELL;
    const middle = (place) => (place + 0.5) * CELL;
    board.replaceChildren();
    board.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`);
    add(board, "rect", { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN, rx: 8, class: "frame" });
    add(board, "rect", { width, height, class: "ground" });
    const kind = (line) => (blockSize && line % blockSize === 0 ? "line edge" : "line");
    for (let line = 0; line <= columns; line++) add(board, "path", { d: `M${line * CELL} 0V${height}`, class: kind(line) });
    for (let line = 0; line <= rows; line++) add(board, "path", { d: `M0 ${line * CELL}H${width}`, class: kind(line) });
    columnNames.forEach((name, column) => add(board, "text", { x: middle(column), y: -7 }, name));
    rowNames.forEach((name, row) => add(board, "text", { x: -MARGIN / 2, y: middle(row) + 5 }, name));
    board.classList.toggle("marks", !areTurned);
    shapes = areTurned ? ["", CIRCLE, CIRCLE] : ["", CROSS, NOUGHT];
    sides = sidesOf({ areTurned });
    pieces = Array.from({ length: columns * rows }, (_, square) => {
      const place = `translate(${middle(square % columns)} ${middle(Math.floor(square / columns))})`;
      return add(board, "path", { transform: place });
    });
    marks = add(board, "g", { class: "last" });
  }

  // The owners of all squares after every move, from the squares that each changes: two figures of base 36 each.
  function positionsOf(changes, squares) {
    let owners = new Array(squares).fill(0);
    return changes.split(",").map((word) => {
      owners = owners.slice();
      for (let at = 0; at < word.length; at += 2) {
        const value = parseInt(word.slice(at, at + 2), 36);
        owners[Math.floor(value / 3)] = value % 3;
      }
      return owners;
    });
  }

  function open(index) {
    const { board: form, moves: text, changes, scores, squares, note } = data.games[index];
    const { columns, rows } = data.boards[form];
    drawBoard(data.boards[form]);
    game = {
      note,
      moves: text ? text.split(" ") : [],
      scores: scores.split(","),
      squares,
      positions: positionsOf(changes, columns * rows),
    };
    choice.selectedIndex = index;
    moves.replaceChildren(...["start", ...game.moves].map((move, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = number ? `${number}. ${move}` : "Start";
      button.addEventListener("click", () => show(number));
      return button;
    }));
    show(0);
  }

  function show(number) {
    ply = Math.max(0, Math.min(number, game.moves.length));
    const owners = game.positions[ply];
    const before = game.positions[Math.max(0, ply - 1)];
    pieces.forEach((piece, square) => {
      const isTurned = before[square] && owners[square] !== before[square];
      piece.setAttribute("class", OWNERS[owners[square]] + (isTurned ? " turned" : ""));
      piece.setAttribute("d", shapes[owners[square]]);
    });
    marks.replaceChildren();
    for (const square of ply ? game.squares[ply - 1] : []) {
      add(marks, "circle", { r: 0.12 * CELL, transform: pieces[square].getAttribute("transform") });
    }
    const told = ply ? `Move ${ply} of ${game.moves.length}: ${sides[(ply - 1) % 2]} ${game.moves[ply - 1]}` : "The start";
    const end = ply === game.moves.length ? ` ${game.note}` : "";
    const score = game.scores[ply] ? ` ${game.scores[ply]}.` : "";
    part("told").textContent = `${told}.${score}${end}`;
    board.setAttribute("aria-label", part("told").textContent);
    [...moves.children].forEach((button, place) => {
      if (place === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const current = moves.children[ply];
    moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
    part("first").disabled = part("back").disabled = ply === 0;
    part("on").disabled = part("end").disabled = ply === game.moves.length;
  }

  const turn = (games) => open(Math.max(0, Math.min(choice.selectedIndex + games, data.games.length - 1)));
  const everywhere = { ArrowLeft: () => show(ply - 1), ArrowRight: () => show(ply + 1) };
  const inside = {
    ...everywhere,
    Home: () => show(0),
    End: () => show(game.moves.length),
    PageUp: () => turn(-1),
    PageDown: () => turn(1),
  };

  part("first").addEventListener("click", inside.Home);
  part("back").addEventListener("click", inside.ArrowLeft);
  part("on").addEventListener("click", inside.ArrowRight);
  part("end").addEventListener("click", inside.End);
  choice.addEventListener("change", () => open(choice.selectedIndex));
  document.addEventListener("keydown", (event) => {
    if (event.target === choice || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const act = (root.contains(event.target) ? inside : everywhere)[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });

  // The games come grouped by their two players.
  const groups = new Map();
  for (const { board: form, number, players, score, isForfeited } of data.games) {
    const [first, second] = sidesOf(data.boards[form]);
    const pair = [...players].sort().join(" – ");
    if (!groups.has(pair)) groups.set(pair, []);
    const option = document.createElement("option");
    option.textContent = `${number}: ${players[0]} (${first}) ${score || "–"} ${players[1]} (${second})`
      + (isForfeited ? ", forfeited" : "");
    groups.get(pair).push(option);
  }
  choice.replaceChildren(...[...groups].map(([pair, options]) => {
    const group = document.createElement("optgroup");
    group.label = `${pair}: ${options.length} ${options.length === 1 ? "game" : "games"}`;
    group.append(...options);
    return group;
  }));
  root.hidden = false;
  open(0);
})();
