/** What is to be played: by whom, how long, by which rules, against whom. */

const by = (id) => document.getElementById(id);
const AWAY = "away-";

/** Whether one of the sides plays at another table. */
function isAway() {
  return by("engine").value.startsWith(AWAY);
}

export class PlanForm {
  /**
   * @param {Record<string, any>} words those of the page
   * @param {() => Promise<any>} askCode asks for the code of this table
   */
  constructor(words, askCode) {
    this.words = words;
    this.askCode = askCode;
    this.profiles = [];
    this.isFilled = false;
  }

  /** What the table plays with these fields. */
  plan() {
    const length = by("length").value;
    const engine = by("engine").value;
    return {
      light: by("light").value.trim(),
      dark: by("dark").value.trim(),
      length: length === "money" ? null : Number(length),
      profile: by("learning").checked ? "" : by("profile").value,
      consent: by("consent").checked,
      learning: by("learning").checked,
      engine: isAway() ? "" : engine,
      away: isAway() ? engine.slice(AWAY.length) : "",
      code: by("table-code").value.trim(),
      level: Number(by("level").value),
      external: by("external").value,
    };
  }

  /** Fill the fields once: from then on they are what people want. */
  fill({ plan, lengths, profiles }) {
    if (this.isFilled) {
      return;
    }
    this.isFilled = true;
    this.profiles = profiles;
    const listed = [...new Set([...lengths, ...(plan.length ? [plan.length] : [])])].sort((a, b) => a - b);
    by("length").replaceChildren(
      ...listed.map((length) => new Option(String(length), String(length))), new Option(this.words.money, "money"),
    );
    by("profile").replaceChildren(new Option(this.words.profile_usual, ""), ...[...new Set(profiles.map((one) => one.family))].map((family) => this.familyOf(family)));
    by("light").value = plan.light;
    by("dark").value = plan.dark;
    by("length").value = plan.length === null ? "money" : String(plan.length);
    by("profile").value = plan.profile;
    by("consent").checked = plan.consent;
    by("engine").value = plan.away ? `${AWAY}${plan.away}` : plan.engine;
    by("table-code").value = plan.code;
    by("level").value = plan.level;
    by("external").value = plan.external;
    by("learning").checked = plan.learning;
    by("profile").addEventListener("change", () => this.showProfile());
    by("engine").addEventListener("change", () => this.nameEngine());
    by("engine").addEventListener("change", () => this.showOpponent());
    by("learning").addEventListener("change", () => this.showLearning());
    this.showProfile();
    this.showOpponent();
    this.showLearning();
  }

  /** The profiles of one family, below its name. */
  familyOf(family) {
    const group = document.createElement("optgroup");
    group.label = family;
    group.replaceChildren(...this.profiles.filter((one) => one.family === family).map((one) => new Option(one.name, one.key)));
    return group;
  }

  /** What is played by the rules that are chosen. */
  showProfile() {
    by("profile-about").textContent = this.profiles.find((one) => one.key === by("profile").value)?.about ?? "";
  }

  /** An engine has a name like everybody; what somebody has typed stays, names that say nothing do not. */
  nameEngine() {
    for (const side of ["light", "dark"]) {
      const field = by(side);
      if (by("engine").value === side && ["", "Light", "Dark"].includes(field.value.trim())) {
        field.value = this.words.engine_name;
      } else if (by("engine").value !== side && field.value === this.words.engine_name) {
        field.value = "";
      }
    }
  }

  /** How strong it plays is asked where an engine plays, the code of the other table where one side plays there. */
  showOpponent() {
    const away = isAway();
    for (const id of ["level", "external"]) {
      by(id).closest("p").hidden = away || !by("engine").value;
    }
    for (const id of ["table-code", "show-table-code"]) {
      by(id).closest("p").hidden = !away;
    }
    if (away && !by("own-table-code").textContent && !by("table-code").value) {
      this.askCode();
    }
    const about = by("engine-about");
    about.textContent = away ? about.dataset.away : about.dataset.engine;
  }

  /** Who learns plays by the usual rules, and is told of illegal plays anyway. */
  showLearning() {
    const learning = by("learning").checked;
    by("profile").disabled = learning;
    by("consent").disabled = learning;
  }
}
