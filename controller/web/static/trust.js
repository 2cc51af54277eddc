// Whoever trusts the certificate already, or has gone past the warning before, is led on at once.

const where = document.getElementById("trust").dataset.where;

// What stands behind the # is for the page that is led to: a phone brings a code there.
for (const way of document.querySelectorAll(`a[href="${where}"]`)) {
  way.href = where + location.search + location.hash;
}

if (location.protocol === "http:" && location.pathname !== "/trust") {
  fetch(new URL("/trust", where), { mode: "no-cors", cache: "no-store", credentials: "omit" })
    .then(() => location.replace(where + location.search + location.hash))
    .catch(() => {}); // the page says what to do
}
