// A camera whose pictures tell when they were taken: 44 fields in the top row, black or white, are the bits of the
// milliseconds since 1970. The rest is a scene with noise, as of a sensor; `window.moves` has something move in it,
// `window.dark` darkens it. There are `window.filmRate` of them a second, else ten: without a graphics card a browser
// takes half of a processor for thirty.
(() => {
  const [width, height, bits] = [1920, 1080, 44];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const drawing = canvas.getContext("2d", { alpha: false });
  const noise = Object.assign(document.createElement("canvas"), { width: 480, height: 270 });
  const grain = noise.getContext("2d");
  const grains = grain.createImageData(480, 270);
  let turn = 0;
  function draw() {
    // All of the first picture, and a seventh of each later one.
    const step = turn ? 7 : 1;
    for (let at = turn++ % step; at < grains.data.length / 4; at += step) {
      grains.data.set([100 + Math.random() * 24, 90 + Math.random() * 24, 70 + Math.random() * 24, 255], 4 * at);
    }
    grain.putImageData(grains, 0, 0);
    drawing.drawImage(noise, 0, 0, width, height);
    if (window.moves) {
      drawing.fillStyle = "#ddd";
      drawing.fillRect((performance.now() / 2) % width, 300, 500, 600);
    }
    if (window.dark) {
      drawing.fillStyle = "rgba(0, 0, 0, 0.75)";
      drawing.fillRect(0, 60, width, height - 60);
    }
    const now = BigInt(Date.now());
    for (let bit = 0; bit < bits; bit += 1) {
      drawing.fillStyle = (now >> BigInt(bit)) & 1n ? "#fff" : "#000";
      drawing.fillRect((bit * width) / bits, 0, width / bits, 60);
    }
  }
  navigator.mediaDevices.getUserMedia = async (wish) => {
    window.wished = wish;
    const rate = window.filmRate ?? 10;
    window.setInterval(draw, 1000 / rate);
    draw();
    return canvas.captureStream(rate);
  };
})();
