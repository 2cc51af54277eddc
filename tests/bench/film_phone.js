// A camera that shows a film: `film.times` are the seconds of its pictures, which lie at /film/NUMBER.jpg.
// `film.go()` and `film.hold()` start and stop its clock; `film.ended` becomes true when its last picture was shown.
(() => {
  const ahead = 12;
  const film = { times: [0], shown: -1, ended: false };
  const pictures = new Map();
  let canvas, drawing, began = null, gone = 0, tick = 0;
  const now = () => (began === null ? gone : gone + (performance.now() - began) / 1000);
  film.go = () => (began ??= performance.now());
  film.hold = () => ([gone, began] = [now(), null]);

  function fetchAhead(from) {
    for (let number = from; number < Math.min(from + ahead, film.times.length); number += 1) {
      if (!pictures.has(number)) {
        pictures.set(number, null);
        fetch(`/film/${number}.jpg`)
          .then((answer) => answer.blob())
          .then(createImageBitmap)
          .then((picture) => pictures.set(number, picture))
          .catch(() => pictures.delete(number));
      }
    }
  }

  function draw() {
    let due = Math.max(0, film.shown);
    while (due + 1 < film.times.length && film.times[due + 1] <= film.times[0] + now()) due += 1;
    fetchAhead(due);
    const picture = pictures.get(due);
    if (due !== film.shown && picture) {
      drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
      film.shown = due;
      for (const number of pictures.keys()) if (number < due) pictures.delete(number);
      film.ended = due > 0 && due === film.times.length - 1;
    }
    // A sensor never gives the same picture twice.
    drawing.fillStyle = (tick += 1) % 2 ? "#000" : "#444";
    drawing.fillRect(0, 0, 2, 2);
  }

  window.film = film;
  navigator.mediaDevices.getUserMedia = async () => {
    const first = await fetch("/film/0.jpg").then((answer) => answer.blob()).then(createImageBitmap);
    canvas = Object.assign(document.createElement("canvas"), { width: first.width, height: first.height });
    drawing = canvas.getContext("2d", { alpha: false });
    pictures.set(0, first);
    window.setInterval(draw, 33);
    draw();
    return canvas.captureStream(30);
  };
})();
