// Reads the match in a packet from its events, corrections followed, as `match/history.py` reads it for every other
// page and for exports. Whoever gives the events decides how much is read: those with a seal, or those without.
"use strict";

const SIDES = ["light", "dark"];
const isCount = (value) => Number.isInteger(value) && value >= 0;
// A turn that was played by the rules: its pictures are in a packet only where a flagged one shares them, or on demand.
const isPlain = (event) => event.kind === "turn" && event.payload.legal === true;

// Of a turn that nobody confirmed there may be no play that it is likeliest to have been.
const isMove = ({ move, legal }) => isText(move) || move === null && legal === null;

function resultOf(said, bad) {
  need(isObject(said) && SIDES.includes(said.winner) && isCount(said.points), bad);
  return { winner: said.winner, points: said.points };
}

// Each correction that was taken back, with the one that did; a revocation that is revoked itself does nothing.
function revocations(corrections) {
  const revoked = new Map();
  for (const { id, payload } of [...corrections].reverse()) {
    if (Number.isInteger(payload.revokes) && !revoked.has(id) && !revoked.has(payload.revokes)) revoked.set(payload.revokes, id);
  }
  return revoked;
}

const placeOf = (entries, event) => entries.findIndex((each) => each.event === event);

const STEPS = {
  undo(game, _, { from }) {
    const place = placeOf(game.entries, from);
    if (place >= 0) Object.assign(game, { entries: game.entries.slice(0, place), result: null });
  },
  turn(game, event, { of, turn }) {
    need(isObject(turn));
    for (const entry of game.entries.filter((each) => each.event === of && each.kind === "turn")) {
      Object.assign(entry, { said: turn, corrected: event.id });
    }
  },
  cube(game, event, { acts, replaces, before }) {
    need(Array.isArray(acts) && Array.isArray(replaces));
    const kept = game.entries.filter((each) => !(each.kind === "act" && replaces.includes(each.event)));
    const place = placeOf(kept, before);
    kept.splice(place < 0 ? kept.length : place, 0, ...acts.map((said) => ({ event: event.id, kind: "act", said, corrected: event.id })));
    game.entries = kept;
  },
  ruling(game, event, { of, text }) {
    need(isText(text));
    const place = placeOf(game.entries, of);
    game.entries.splice(place < 0 ? game.entries.length : place + 1, 0, { event: event.id, kind: "ruling", said: { text }, corrected: event.id });
  },
  score(game, _, { light, dark }) {
    need(isCount(light) && isCount(dark));
    Object.assign(game, { light, dark });
  },
  result(game, _, { result }) {
    game.result = result === null ? null : resultOf(result);
  },
};

function correct(games, event) {
  const { action, game } = event.payload, number = games.findIndex((each) => each.event === game);
  need(action === "void" || action === "revoke" || owns(STEPS, action), say("bad_event", { event: event.id }));
  if (action === "revoke" || number < 0) return;
  if (action === "void") games.splice(number, 1);
  else STEPS[action](games[number], event, event.payload);
}

// Leave out a turn that was taken back at the table, and all that came of it; returns the events that are left out.
function leaveOut(game, ply) {
  const place = game.entries.findIndex((each) => each.kind === "turn" && each.said.ply === ply);
  return place < 0 ? [] : game.entries.splice(place).map((each) => each.event);
}

// The match of that name among these events: the event that began it (null if it is not among them), its games, its
// corrections, which of them were taken back, and the events that were taken back at the table.
function matchIn(events, name) {
  const own = events.filter((event) => event.match === name), corrections = own.filter((event) => event.kind === "correction");
  const revoked = revocations(corrections), games = [], undone = new Set();
  let begun = null;
  for (const event of own) {
    const said = event.payload, bad = say("bad_event", { event: event.id });
    if (event.kind === "match") {
      need(isText(said.light) && isText(said.dark), bad);
      begun = event;
    } else if (event.kind === "game") {
      need(isCount(said.light_score) && isCount(said.dark_score), bad);
      games.push({ event: event.id, light: said.light_score, dark: said.dark_score, entries: [], result: null });
    } else if (event.kind === "turn" || event.kind === "act" || event.kind === "result") {
      // What follows a game may be read without it, where only what has no seal is read.
      if (event.kind === "turn") need(SIDES.includes(said.player) && Array.isArray(said.dice) && isMove(said) && Array.isArray(said.reasons), bad);
      const game = games[games.length - 1], result = event.kind === "result" ? resultOf(said, bad) : null;
      if (game && result) game.result = result;
      else if (game) game.entries.push({ event: event.id, kind: event.kind, said, corrected: null });
    } else if (event.kind === "undone") {
      need(isCount(said.ply), bad);
      const game = games[games.length - 1];
      if (game) for (const each of leaveOut(game, said.ply)) undone.add(each);
    } else if (event.kind === "correction") {
      need(isText(said.action) && isText(said.by) && isText(said.why), bad);
      if (!revoked.has(event.id)) correct(games, event);
    }
  }
  return { begun, games, corrections, revoked, undone };
}
