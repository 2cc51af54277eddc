// Digests, signatures and the codes that people compare; what the browser does not have is worked out in plain
// numbers: pages that come over plain HTTP have neither.
"use strict";

const utf8 = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function unhex(text) {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found;
}

// The first 64 bits after the point of the square root (degree 2) or the cube root (3) of a prime: the constants
// of SHA-2 (FIPS 180-4, section 4.2).
function rootBits(prime, degree) {
  const target = BigInt(prime) << BigInt(64 * degree);
  let low = 0n, high = 1n << 72n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) <= target) low = middle;
    else high = middle;
  }
  return low & 0xffffffffffffffffn;
}

const CUBES = primes(80).map((prime) => rootBits(prime, 3));
const SQUARES = primes(8).map((prime) => rootBits(prime, 2));
const CUBES_32 = Uint32Array.from(CUBES.slice(0, 64), (bits) => Number(bits >> 32n));
const SQUARES_32 = SQUARES.map((bits) => Number(bits >> 32n));

function padded(message, block) {
  const length = Math.ceil((message.length + 1 + block / 8) / block) * block;
  const out = new Uint8Array(length);
  out.set(message);
  out[message.length] = 0x80;
  new DataView(out.buffer).setBigUint64(length - 8, BigInt(message.length) * 8n);
  return out;
}

function plainSha256(message) {
  const data = new DataView(padded(message, 64).buffer);
  const state = Uint32Array.from(SQUARES_32), w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let start = 0; start < data.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + CUBES_32[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setUint32(4 * i, value));
  return new Uint8Array(out.buffer);
}

function plainSha512(message) {
  const data = new DataView(padded(message, 128).buffer), cut = (x) => BigInt.asUintN(64, x);
  const turn = (x, n) => (x >> n) | cut(x << (64n - n));
  const state = [...SQUARES], w = new Array(80);
  for (let start = 0; start < data.byteLength; start += 128) {
    for (let i = 0; i < 16; i++) w[i] = data.getBigUint64(start + 8 * i);
    for (let i = 16; i < 80; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = cut(w[i - 16] + w[i - 7] + (turn(a, 1n) ^ turn(a, 8n) ^ (a >> 7n)) + (turn(b, 19n) ^ turn(b, 61n) ^ (b >> 6n)));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (cut(~e) & g)) + CUBES[i] + w[i];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + one), c, b, a, cut(one + two)];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = cut(state[i] + value); });
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((value, i) => out.setBigUint64(8 * i, value));
  return new Uint8Array(out.buffer);
}

// Ed25519 (RFC 8032): points as X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z.
const P = 2n ** 255n - 19n, ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (x) => ((x % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (base = mod(base); exponent; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % P;
    base = (base * base) % P;
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n)), ROOT = power(2n, (P - 1n) / 4n);

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D), d = mod(2n * z1 * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(number, point) {
  let result = [0n, 1n, 1n, 0n];
  for (; number; number >>= 1n) {
    if (number & 1n) result = add(result, point);
    point = add(point, point);
  }
  return result;
}

const littleEndian = (bytes) => BigInt("0x" + (hex(Uint8Array.from(bytes).reverse()) || "0"));

// The point that 32 bytes stand for, null if there is none.
function pointOf(bytes) {
  const whole = littleEndian(bytes), odd = whole >> 255n, y = whole & (2n ** 255n - 1n);
  if (y >= P) return null;
  const u = mod(y * y - 1n), v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
  if (mod(v * x * x) !== u || (x === 0n && odd)) return null;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE = pointOf(unhex("58" + "66".repeat(31)));

function plainVerify(key, signature, message) {
  const a = pointOf(key), r = pointOf(signature.slice(0, 32)), s = littleEndian(signature.slice(32));
  if (!a || !r || s >= ORDER) return false;
  const joined = new Uint8Array(64 + message.length);
  joined.set(signature.slice(0, 32));
  joined.set(key, 32);
  joined.set(message, 64);
  const k = littleEndian(plainSha512(joined)) % ORDER;
  const [x1, y1, z1] = times(s, BASE), [x2, y2, z2] = add(r, times(k, a));
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n;
}

const subtle = globalThis.crypto?.subtle;

async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : plainSha256(bytes);
}

async function verify(key, signature, text) {
  const message = utf8.encode(text);
  if (key.length !== 32 || signature.length !== 64) return false;
  let known = null;
  try {
    known = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return plainVerify(key, signature, message);
  }
  return subtle.verify({ name: "Ed25519" }, known, signature, message);
}

// Five groups of five signs from the first 125 bits, as Pointsman prints them.
async function fingerprint(bytes) {
  const number = BigInt("0x" + hex(await sha256(bytes))) >> 131n;
  const signs = Array.from({ length: 25 }, (_, i) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[Number((number >> BigInt(120 - 5 * i)) & 31n)]);
  return signs.join("").match(/.{5}/g).join("-");
}

const plainCode = (text) =>
  (text.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1").match(/.{1,5}/g) ?? []).join("-");
