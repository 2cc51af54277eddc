// A phone that photographed the square of a player brings the PIN behind the # of the address.

const pin = decodeURIComponent(location.hash.slice(1));

if (/^\d{4}$/.test(pin)) {
  history.replaceState(null, "", location.pathname + location.search);
  const field = document.getElementById("pin");
  field.value = pin;
  document.getElementById("entry").requestSubmit();
}
