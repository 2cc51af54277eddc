/** The tournament: entries, draw, tables, results, standings, its log and its files. */

import { element, sync } from "../elements.js";
import { pageData } from "../page.js";
import { Underway } from "../underway.js";
import { speaker } from "../words.js";
import { directorName, doDeed, keepDirectorName, noticeTrees, timeOfDay } from "./deeds.js";
import { Hall } from "./hall.js";

const VIEWS = ["matches", "players", "standings", "log", "files"];
/** How often scores of matches that are being played are shown anew. */
const TICK_MS = 2000;
const SHEETS = ["standings", "matches", "ratings", "players"];
const CLOCKS = ["", "none", "simple", "bronstein"];
/** What is chosen for some formats only; the hub says for which, with the usual value. */
const CHOICES = ["length", "consolation", "last_chance", "knockout", "rounds"];

class TournamentPage {
  constructor() {
    const data = pageData();
    this.say = speaker(data.words, data.language);
    this.profiles = data.snapshot?.profiles ?? [];
    this.pending = null;
    this.notice = null;
    this.underway = new Underway();
    /** The last refusal of those that are sent at the same time: what else is done does not hide it. */
    this.refusal = null;
    this.open = null;
    this.fields = {};
    this.hall = new Hall({ language: data.language, asViewer: false, hear: (names) => names ?? this.draw() });
  }

  start() {
    this.draw();
    this.hall.open();
    setInterval(() => this.draw(), TICK_MS);
    window.addEventListener("hashchange", () => this.turnTo());
    document.addEventListener("visibilitychange", () => document.hidden || this.hall.open());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  get tournament() {
    return this.hall.evening?.tournament ?? null;
  }

  get view() {
    const name = location.hash.slice(1);
    return VIEWS.includes(name) ? name : "matches";
  }

  turnTo() {
    this.pending = this.notice = null;
    const match = /^#match-(\d+)$/.exec(location.hash);
    this.open = match ? Number(match[1]) : null;
    this.draw();
  }

  close() {
    if (this.pending || this.open) {
      this.pending = this.open = null;
      this.draw();
    }
  }

  // --- what is done -------------------------------------------------------------------------------------------

  async act(deed, then = () => {}) {
    const asked = this.pending;
    const reply = await this.underway.once(JSON.stringify(deed), () => {
      this.refusal = this.underway.names.size > 1 ? this.refusal : null;
      this.draw();
      return doDeed(deed);
    });
    if (!reply) {
      return;
    }
    // What was asked meanwhile, such as on another tab, still waits for its answer.
    this.pending = this.pending === asked ? null : this.pending;
    if (reply.answer === "done") {
      this.notice = this.refusal ?? { well: true, text: this.say("tournament_done") };
      then();
    } else {
      this.notice = this.refusal = { well: false, text: reply.text || this.say(`answer.${reply.answer}`) };
    }
    this.draw();
  }

  ask(place, sure, text, deed, then) {
    this.notice = null;
    this.pending = { place, sure, text, deed, then };
    this.draw();
    document.getElementById("safe")?.focus();
  }

  field(name, usual = "") {
    return this.fields[name] ?? usual;
  }

  /** What was filled in has been done; what else is being filled in stays. */
  forget(...names) {
    names.forEach((name) => delete this.fields[name]);
  }

  input(name, label, more = {}) {
    const { usual = "", tag = "input", ...attributes } = more;
    return element("p", { key: `field-${name}`, class: "field" },
      element("label", { key: "label", for: `field-${name}` }, label),
      element(tag, { key: "field", id: `field-${name}`, type: tag === "input" ? "text" : null, autocomplete: "off", ...attributes, value: this.field(name, usual), on: { input: (event) => { this.fields[name] = event.target.value; this.draw(); } } }));
  }

  select(name, label, options, usual = "") {
    return element("p", { key: `field-${name}`, class: "field" },
      element("label", { key: "label", for: `field-${name}` }, label),
      element("select", { key: "field", id: `field-${name}`, "data-value": this.field(name, usual), on: { change: (event) => { this.fields[name] = event.target.value; this.draw(); } } },
        options.map(({ value, text }) => element("option", { key: value, value }, text))));
  }

  // --- the page ----------------------------------------------------------------------------------------------

  draw() {
    const { say, tournament } = this;
    sync(document.getElementById("head"), [
      element("p", { key: "where", class: "where" }, element("strong", { key: "name" }, tournament?.name ?? say("hall_page.tournament")),
        tournament ? element("span", { key: "format" }, tournament.format) : null),
      element("nav", { key: "pages", class: "pages", "aria-label": say("pages") }, ["director", "", "wall", "screen"].map((page) => element("a", { key: page || "hall", href: `/${page}` }, say(`hall_page.${page || "hall"}`)))),
      element("label", { key: "name", class: "who-rules" }, element("span", { key: "text" }, say("your_name")),
        element("input", { key: "field", type: "text", maxlength: 60, autocomplete: "name", value: directorName(), on: { change: (event) => keepDirectorName(event.target.value) } })),
    ]);
    const ready = this.hall.evening !== null;
    sync(document.getElementById("main"), [
      element("h1", { key: "title", class: tournament ? "hidden" : null }, tournament ? tournament.name : say("begin_tournament")),
      this.hall.isSilent() ? element("p", { key: "silent", class: "away" }, say("hub_silent")) : null,
      ...this.hall.troubles.map(({ fault, reason }) => element("p", { key: `hub-${fault}`, class: "away", role: "alert" }, say(`hub_trouble.${fault}`, { reason }))),
      this.hall.evening?.trouble ? element("p", { key: "trouble", class: "result" }, this.hall.evening.trouble) : null,
      ...noticeTrees(this.hall.evening?.notices ?? [], say, (deed) => this.act(deed)),
      element("p", { key: "said", class: this.notice ? `notice-line${this.notice.well ? "" : " refused"}` : "hidden", role: this.notice && !this.notice.well ? "alert" : "status" }, this.notice?.text ?? ""),
      tournament ? this.tabs() : ready && !this.hall.evening?.trouble ? this.beginTree() : null,
      tournament ? this[`${this.view}Tree`](tournament) : null,
    ]);
    for (const menu of document.querySelectorAll("select[data-value]")) {
      menu.value = menu.dataset.value;
    }
  }

  tabs() {
    const { say } = this;
    return element("nav", { key: "tabs", class: "tabs", "aria-label": say("views") }, VIEWS.map((name) => element("a", { key: name, href: `#${name}`, "aria-current": name === this.view ? "page" : null }, say(`view.${name}`))));
  }

  beginTree() {
    const { say } = this;
    const formats = this.hall.evening?.formats ?? [];
    const chosen = this.field("format", "club-evening");
    const choices = formats.find(({ name }) => name === chosen)?.usual ?? {};
    const offered = CHOICES.filter((name) => name in choices);
    return element("form", { key: "begin", class: "fields", on: { submit: (event) => {
      event.preventDefault();
      const typed = Object.fromEntries(offered.filter((name) => this.field(name)).map((name) => [name, name === "rounds" ? Number(this.field(name)) : this.field(name)]));
      this.act({
        what: "begin", name: this.field("name"), format: chosen, ...typed,
        ...(this.field("clock") ? { clock: this.field("clock") } : {}), fee: Number(this.field("fee")) || 0, shares: this.field("shares"), profile: this.field("profile", "standard-match"), seed: this.field("seed"),
      }, () => { this.fields = {}; location.hash = "#players"; });
    } } },
    this.input("name", say("field.name"), { required: true, maxlength: 60 }),
    this.select("format", say("field.format"), formats.map(({ name, title }) => ({ value: name, text: title })), "club-evening"),
    offered.map((name) => this.input(name, say(`field.${name}`), { inputmode: "numeric", ...(name === "rounds" ? { maxlength: 2, pattern: "[1-9][0-9]?" } : { maxlength: 30 }), placeholder: this.usualOf(name, choices) || say("as_format") })),
    this.select("clock", say("field.clock"), CLOCKS.map((value) => ({ value, text: say(`clock_kind.${value || "usual"}`) }))),
    this.select("profile", say("field.profile"), this.profiles.map(({ name, title }) => ({ value: name, text: title })), "standard-match"),
    this.input("seed", say("field.seed"), { maxlength: 60, placeholder: say("by_chance") }),
    this.input("fee", say("field.fee"), { inputmode: "decimal", pattern: "[0-9]{1,6}([.][0-9]{1,2})?", maxlength: 9, placeholder: say("no_fee") }),
    this.input("shares", say("field.shares"), { maxlength: 200, placeholder: say("as_format") }),
    element("button", { key: "go", type: "submit", class: "main" }, say("begin_tournament")));
  }

  /** What counts where nothing is typed: a length that is typed is for all brackets, that of the consolation for the last chance. */
  usualOf(name, choices) {
    const before = name === "last_chance" ? this.field("consolation") || this.field("length") : ["consolation", "knockout"].includes(name) ? this.field("length") : "";
    return before || choices[name];
  }

  // --- matches -----------------------------------------------------------------------------------------------

  matchesTree(tournament) {
    const { say } = this;
    const waiting = tournament.rounds.flatMap(({ matches }) => matches).filter((match) => match.current && match.progress === "open" && !match.table);
    const rounds = [...tournament.rounds].reverse();
    return element("section", { key: "matches" },
      element("p", { key: "facts", class: "small" }, tournament.facts.map(capital).join(". ")),
      tournament.over ? element("p", { key: "over", class: "champion" }, tournament.champion) : null,
      tournament.free_pairs ? this.pairTree(tournament) : this.pending?.place === "draw" ? this.sureTree() : element("div", { key: "draw", class: "pair" },
        element("button", { key: "draw", type: "button", class: "main", "aria-disabled": tournament.can_draw ? null : "true", on: { click: () => tournament.can_draw && this.ask("draw", say("sure_draw"), say("draw_now"), { what: "draw", assign: true }) } }, say("draw_now")),
        waiting.length && tournament.free_tables.length ? element("button", { key: "assign", type: "button", on: { click: () => this.act({ what: "assign_free" }) } }, say("assign_free", { count: Math.min(waiting.length, tournament.free_tables.length) })) : null),
      tournament.play_offs.length ? this.playOffTree(tournament) : null,
      tournament.begun ? null : element("p", { key: "none" }, say("nothing_drawn_yet")),
      rounds.map((round) => element("section", { key: `round-${round.name}`, class: "round" },
        element("h2", { key: "head" }, round.name, element("span", { key: "length", class: "count" }, round.length)),
        element("ol", { key: "rows", class: "matches" }, round.matches.map((match) => this.matchTree(match))))));
  }

  /** Two who are free, for an event whose pairs the director makes. */
  pairTree(tournament) {
    const { say } = this;
    const names = new Map(tournament.players.map(({ number, name }) => [number, name]));
    const idle = tournament.idle.map((number) => ({ value: `#${number}`, text: names.get(number) }));
    if (idle.length < 2) {
      return element("p", { key: "pair" }, say("nobody_is_free"));
    }
    const one = idle.some(({ value }) => value === this.field("one")) ? this.field("one") : idle[0].value;
    const others = idle.filter(({ value }) => value !== one);
    const other = others.some(({ value }) => value === this.field("other")) ? this.field("other") : others[0].value;
    return element("form", { key: "pair", class: "line", on: { submit: (event) => {
      event.preventDefault();
      this.act({ what: "pair", name: one, other }, () => { this.forget("one", "other"); });
    } } }, this.select("one", say("pair_one"), idle, one), this.select("other", say("pair_other"), others, other),
    element("button", { key: "go", type: "submit", class: "main" }, say("pair_now")));
  }

  /** Who shares a place may play for it. */
  playOffTree(tournament) {
    const { say } = this;
    const pairs = tournament.play_offs.map(({ players, names }) => ({ value: players.join("-"), text: names.join(" – ") }));
    const chosen = pairs.some(({ value }) => value === this.field("play_off")) ? this.field("play_off") : pairs[0].value;
    return element("details", { key: "play-off" }, element("summary", { key: "head" }, say("play_off")),
      element("form", { key: "form", class: "line", on: { submit: (event) => {
        event.preventDefault();
        const [name, other] = chosen.split("-").map((number) => `#${number}`);
        this.act({ what: "play_off", name, other, length: this.field("play_off_length", "1") }, () => { this.forget("play_off", "play_off_length"); });
      } } }, this.select("play_off", say("play_off_pair"), pairs, chosen),
      this.input("play_off_length", say("play_off_length"), { usual: "1", inputmode: "numeric", pattern: "[0-9]{1,2}", maxlength: 2, required: true, class: "points" }),
      element("button", { key: "go", type: "submit" }, say("play_off_now"))));
  }

  matchTree(match) {
    const { say } = this;
    const open = this.open === match.number;
    const editable = ["open", "over"].includes(match.progress);
    const name = (place) => element("span", { key: `name-${place}`, class: `person${match.winner === place ? " won" : ""}` }, match.players[place]);
    return element("li", { key: match.number, id: `match-${match.number}`, class: `match ${match.progress}${match.unconfirmed ? " unconfirmed" : ""}` },
      element("div", { key: "row", class: "match-row" },
        element("span", { key: "number", class: "number" }, match.number),
        element("span", { key: "names", class: "names" }, name(0), element("span", { key: "dash", class: "tally" }, match.score || match.begins || (match.progress === "bye" ? "" : "–")), name(1)),
        element("span", { key: "status", class: "status" }, this.statusOf(match)),
        match.unconfirmed ? element("button", { key: "confirm", type: "button", on: { click: () => this.act({ what: "confirm", match: match.number }) } }, say("confirm")) : null,
        editable ? element("button", { key: "edit", type: "button", "aria-expanded": open ? "true" : "false", on: { click: () => { this.open = open ? null : match.number; this.pending = this.notice = null; this.fields = {}; this.draw(); } } },
          say(match.progress === "open" ? "edit_open" : "edit_over"), element("span", { key: "which", class: "hidden" }, ` ${match.players.join(" – ")}`)) : null),
      match.sent?.state === "refused" && !this.playedNow(match) ? element("p", { key: "refused", class: "result" }, match.sent.text || say("not_sent"),
        element("button", { key: "again", type: "button", on: { click: () => this.act({ what: "send", match: match.number }) } }, say("send_again"))) : null,
      open ? this.editTree(match) : null);
  }

  statusOf(match) {
    const { say } = this;
    const names = match.confirmed_by.join(", ");
    if (match.unconfirmed) {
      return names ? say("half_confirmed", { names }) : say("unconfirmed");
    }
    if (names) {
      return say("confirmed_by", { names });
    }
    if (match.progress === "open" && match.table) {
      const played = this.playedNow(match);
      return played ? `${match.title} · ${played.score.light}–${played.score.dark}` : say("at", { table: match.title });
    }
    return match.progress === "open" ? say("no_table") : match.progress === "waiting" ? say("waits") : match.recorded && match.title ? say("recorded_at", { table: match.title }) : "";
  }

  /** The match as its table shows it, while it is played there. */
  playedNow(match) {
    const played = this.hall.tables.get(match.table)?.screen?.match;
    const names = match.players.map((name) => name.toLocaleLowerCase());
    return played && !played.winner && played.event === this.tournament.name && [played.light, played.dark].every((name) => names.includes(name.toLocaleLowerCase())) ? played : null;
  }

  editTree(match) {
    const { say, tournament } = this;
    const place = `match-${match.number}`;
    const tables = [
      { value: "", text: say("no_table") },
      ...(match.table ? [{ value: match.table, text: match.title }] : []),
      ...tournament.free_tables.filter(({ name }) => name !== match.table).map(({ name, title }) => ({ value: name, text: title || name })),
    ];
    const points = (seat) => this.field(`points-${seat}`, match.points && !this.isWalkover(match) ? String(match.points[seat]) : "");
    const done = () => { this.open = this.open === match.number ? null : this.open; };
    return element("div", { key: "edit", class: "edit" },
      this.pending?.place === place ? this.sureTree() : [
        match.progress === "open" ? element("form", { key: "table", class: "line", on: { submit: (event) => {
          event.preventDefault();
          this.act({ what: "assign", match: match.number, table: this.field("table", match.table) }, done);
        } } }, this.select("table", say("table"), tables, match.table), element("button", { key: "go", type: "submit" }, say("assign"))) : null,
        element("form", { key: "score", class: "line", on: { submit: (event) => {
          event.preventDefault();
          const deed = { what: "result", match: match.number, score: [Number(points(0)), Number(points(1))] };
          if (match.progress === "over") {
            this.ask(place, say("sure_replace", { names: match.players.join(" – "), old: match.score, score: deed.score.join("-") }), say("enter_result"), deed, done);
          } else {
            this.act(deed, done);
          }
        } } },
        [0, 1].map((seat) => element("p", { key: seat, class: "field" }, element("label", { key: "label", for: `points-${seat}` }, match.players[seat]),
          element("input", { key: "field", id: `points-${seat}`, type: "text", inputmode: "numeric", pattern: "[0-9]{1,3}", required: true, maxlength: 3, class: "points", value: points(seat), on: { input: (event) => { this.fields[`points-${seat}`] = event.target.value; } } }))),
        element("button", { key: "go", type: "submit", class: "main" }, say("enter_result"))),
        match.progress === "open" && match.current ? element("form", { key: "late", class: "line", on: { submit: (event) => {
          event.preventDefault();
          this.act({ what: "late", name: this.field("late", `#${match.seats[0]}`), minutes: Number(this.field("minutes")) }, done);
        } } }, this.select("late", say("late_who"), [0, 1].map((seat) => ({ value: `#${match.seats[seat]}`, text: match.players[seat] })), `#${match.seats[0]}`),
        this.input("minutes", say("late_minutes"), { inputmode: "numeric", pattern: "[0-9]{1,3}", maxlength: 3, required: true, class: "points" }),
        element("button", { key: "go", type: "submit" }, say("late_now"))) : null,
        element("div", { key: "walkover", class: "pair" },
          [0, 1].map((seat) => element("button", { key: seat, type: "button", on: { click: () => this.ask(place, say("sure_walkover", { name: match.players[seat] }), say("walkover_now"), { what: "result", match: match.number, ending: "walkover", score: seat ? [0, 1] : [1, 0] }, done) } }, say("walkover_for", { name: match.players[seat] }))),
          element("button", { key: "both", type: "button", on: { click: () => this.ask(place, say("sure_neither"), say("neither"), { what: "result", match: match.number, ending: "double_walkover" }, done) } }, say("neither"))),
      ]);
  }

  isWalkover(match) {
    return match.points && Math.max(...match.points) < match.length;
  }

  // --- players, standings, log, files ------------------------------------------------------------------------

  playersTree(tournament) {
    const { say } = this;
    return element("section", { key: "players" },
      element("form", { key: "enter", class: "stack", on: { submit: (event) => {
        event.preventDefault();
        const players = this.field("players");
        this.act({ what: "enter", players }, () => { this.fields.players = this.fields.players === players ? "" : this.fields.players; });
      } } },
      this.input("players", say("field.players"), { tag: "textarea", rows: 5, required: true, spellcheck: "false" }),
      element("p", { key: "hint", class: "small" }, say("players_hint")),
      element("button", { key: "go", type: "submit", class: "main" }, say("enter_players"))),
      element("h2", { key: "head" }, say("entered", { count: tournament.players.length })),
      tournament.players.length ? element("p", { key: "pins", class: "pair" }, element("a", { key: "to", class: "button", href: "/player-pins" }, say("pin_sheet"))) : null,
      element("ol", { key: "rows", class: "players" }, tournament.players.map((player) => element("li", { key: player.number, class: player.withdrawn ? "gone" : null },
        element("span", { key: "number", class: "number" }, player.number), element("span", { key: "name", class: "person" }, player.name),
        element("span", { key: "more", class: "small" }, [player.club, player.rating ?? "", player.pin ? say("pin", { pin: player.pin }) : "", ...player.remarks].filter(Boolean).join(" · ")),
        this.pending?.place === `player-${player.number}` ? this.sureTree() : player.withdrawn ? null : element("button", { key: "out", type: "button", on: { click: () => this.ask(`player-${player.number}`, say("sure_withdraw", { name: player.name }), say("withdraw"), { what: "withdraw", name: `#${player.number}` }) } }, say("withdraw"), element("span", { key: "who", class: "hidden" }, ` ${player.name}`))))));
  }

  standingsTree(tournament) {
    const { say } = this;
    const columns = ({ records, prizes }) => ["place", "player", records && "points", prizes && "prize", ...(records ? ["wins", "losses", "byes"] : []), "notes"].filter(Boolean);
    return element("section", { key: "standings" }, tournament.begun ? tournament.standings.map((table) => element("section", { key: table.name, class: "standing" },
      element("h2", { key: "head" }, table.name),
      element("div", { key: "scroll", class: "scroll", tabindex: 0, role: "region", "aria-label": table.name }, element("table", { key: "table" },
        element("thead", { key: "head" }, element("tr", { key: "row" }, columns(table).map((name) => element("th", { key: name, scope: "col" }, say(`column.${name}`))))),
        element("tbody", { key: "body" }, table.rows.map((row) => element("tr", { key: row.name },
          columns(table).map((name) => element("td", { key: name, class: name === "notes" ? "notes" : null }, row[name === "player" ? "name" : name] ?? "")))))))))
      : element("p", { key: "none" }, say("nothing_drawn_yet")));
  }

  logTree(tournament) {
    const { say } = this;
    return element("section", { key: "log" },
      element("p", { key: "about", class: "small" }, say("log_about")),
      element("ol", { key: "rows", class: "log" }, [...tournament.log].reverse().map((event) => element("li", { key: event.number, class: event.undone ? "gone" : null },
        element("span", { key: "number", class: "number" }, event.number),
        element("span", { key: "text", class: "person" }, event.text),
        element("span", { key: "who", class: "small" }, [timeOfDay(event.utc), event.by, event.undone ? say("undone") : ""].filter(Boolean).join(" · ")),
        this.pending?.place === `event-${event.number}` ? this.sureTree() : event.undo ? element("button", { key: "undo", type: "button", on: { click: () => {
          const deed = { what: "undo", event: event.number };
          this.ask(`event-${event.number}`, say("sure_undo_event", { number: event.number, text: event.text }), say("undo_event"), deed);
          this.pending.second = { text: say("undo_later"), deed: { ...deed, later: true } };
          this.draw();
          document.getElementById("safe")?.focus();
        } } }, say("undo_event"), element("span", { key: "which", class: "hidden" }, ` ${event.number}`)) : null))));
  }

  filesTree(tournament) {
    const { say } = this;
    const link = (key, path, text) => element("li", { key }, element("a", { key: "to", class: "button", href: `/api/v1/evening/export/${path}`, download: "" }, text));
    return element("section", { key: "files" },
      element("ul", { key: "rows", class: "files" },
        link("html", "html", say("file_html")), link("json", "json", say("file_json")),
        SHEETS.map((table) => link(table, `csv?table=${table}`, say("file_csv", { table: say(`sheet.${table}`) }))),
        element("li", { key: "disputes" }, element("a", { key: "to", class: "button", href: "/api/v1/evidence.zip", download: "" }, say("file_disputes"))),
        tournament.charts.map(({ name, title }) => link(`svg-${name}`, `svg?bracket=${name}`, say("file_svg", { bracket: title })))),
      element("h2", { key: "end" }, say("put_away")),
      element("p", { key: "about" }, say("put_away_about")),
      this.pending?.place === "away" ? this.sureTree() : element("button", { key: "away", type: "button", on: { click: () => this.ask("away", say("sure_put_away", { name: tournament.name }), say("put_away"), { what: "put_away" }, () => { location.hash = ""; }) } }, say("put_away")));
  }

  sureTree() {
    const { pending, say } = this;
    return element("form", { key: "sure", class: "sure", role: "group", "aria-label": pending.sure, on: { submit: (event) => { event.preventDefault(); this.act(pending.deed, pending.then); } } },
      element("p", { key: "question", class: "question" }, pending.sure),
      element("div", { key: "buttons", class: "pair" },
        element("button", { key: "no", id: "safe", type: "button", on: { click: () => this.close() } }, say("no")),
        element("button", { key: "yes", type: "submit", "aria-disabled": this.underway.has(JSON.stringify(pending.deed)) ? "true" : null }, pending.text),
        pending.second ? element("button", { key: "second", type: "button", on: { click: () => this.act(pending.second.deed, pending.then) } }, pending.second.text) : null));
  }
}

/** A sentence begins with a capital. */
function capital(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

new TournamentPage().start();
