// The first start: the table's own screen shows a code, and a phone that photographed it brings it behind the #.

const LOOK_MS = 2000;
const by = (id) => document.getElementById(id);

/** Show the newest code, until somebody has become the director; then this screen shows the table. */
async function follow() {
  let shown = "";
  for (;;) {
    try {
      const answer = await fetch("/api/v1/welcome", { credentials: "same-origin", cache: "no-store" });
      const { director, code, address } = await answer.json();
      if (director) {
        location.replace("/");
        return;
      }
      if (code !== shown) {
        shown = code;
        by("square").src = code ? `/welcome.svg?${code}` : "";
        by("code").textContent = code;
        by("address").textContent = address;
      }
      by("square").hidden = by("typed").hidden = !code;
      by("no-network").hidden = Boolean(code);
    } catch {
      // The table is starting anew; it is asked again.
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

const brought = decodeURIComponent(location.hash.slice(1));
if (by("square")) {
  follow();
} else if (/^[A-Z0-9]{4,32}$/.test(brought)) {
  history.replaceState(null, "", location.pathname + location.search);
  by("code").value = brought;
  by("pin").focus();
} else if (!by("code").value) {
  by("code").focus();
}
