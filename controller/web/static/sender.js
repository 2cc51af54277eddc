/** Sends pictures to the table one after the other: the next one when the one before was answered, so it never runs behind. */

import { Pace, PATIENCE_MS } from "./pace.js";

/** Between the beginnings of two tries, at least. */
export const AGAIN_MS = 300;
/** Bytes of a message; the table takes none with more than 65536. It tells what has come when a message has come whole: of
 * larger ones it would tell too seldom over a slow line. */
export const PIECE = 16_000;
/** What the table closes a WebSocket with when another phone is the camera. */
const REFUSED = 4401;

/** Another phone is the camera now. */
export class Refused extends Error {}

/** What `begin` comes to, if it takes no longer than so many ms; they begin anew whenever it calls its third function. */
function within(ms, begin) {
  return new Promise((done, fail) => {
    let timer = null;
    const goOn = () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(new Error("too slow")), ms);
    };
    const settle = (how) => (value) => {
      clearTimeout(timer);
      how(value);
    };
    goOn();
    begin(settle(done), settle(fail), goOn);
  });
}

/** By a WebSocket. */
class SocketWay {
  constructor(socket) {
    this.socket = socket;
  }

  static async open({ token, language }, Socket = WebSocket) {
    const socket = new Socket(new URL("/api/v1/camera", location.href).href.replace(/^http/, "ws"));
    socket.binaryType = "arraybuffer";
    try {
      await within(PATIENCE_MS, (done, fail) => {
        socket.onopen = done;
        socket.onclose = () => fail(new Error("not opened"));
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.send(JSON.stringify({ token, language, pieces: true }));
    return new SocketWay(socket);
  }

  /** A picture is not given up as long as the table tells that some more of it has come: sent again it would come no sooner. */
  send(jpeg, _, cameSome) {
    const { socket } = this;
    return within(PATIENCE_MS, (done, fail, goOn) => {
      socket.onmessage = (event) => {
        const told = JSON.parse(event.data);
        if (told.came === undefined) {
          done(told);
        } else {
          goOn();
          cameSome();
        }
      };
      socket.onclose = (event) => fail(event.code === REFUSED ? new Refused() : new Error("closed"));
      if (socket.readyState !== WebSocket.OPEN) {
        fail(new Error("closed"));
        return;
      }
      socket.send(JSON.stringify({ bytes: jpeg.size }));
      for (let at = 0; at < jpeg.size; at += PIECE) {
        socket.send(jpeg.slice(at, at + PIECE));
      }
    });
  }

  tell(news) {
    this.socket.send(JSON.stringify(news));
  }

  close() {
    this.socket.onclose = null;
    this.socket.close();
  }
}

/** By a request for each picture: iPhones open no WebSocket where their reader only went past the warning. */
class PostWay {
  constructor(who) {
    this.who = who;
    this.told = {};
  }

  async send(jpeg, pace) {
    try {
      return await this.post(jpeg, pace.patienceMs);
    } catch (error) {
      if (error.name === "TimeoutError") {
        pace.gaveUp();
      }
      throw error;
    }
  }

  async post(jpeg, patienceMs) {
    const { battery, charging, still } = this.told;
    const answer = await fetch("/api/v1/camera/picture", {
      method: "POST", body: jpeg, credentials: "omit", signal: AbortSignal.timeout?.(patienceMs),
      headers: {
        Authorization: `Bearer ${this.who.token}`, "Content-Type": "image/jpeg", "X-Language": this.who.language,
        ...(battery === undefined ? {} : { "X-Battery": battery, "X-Charging": charging ? "1" : "0" }),
        ...(still === undefined ? {} : { "X-Still": still.join("x") }),
      },
    });
    if (answer.status === 401) {
      throw new Refused();
    }
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
    return answer.json();
  }

  tell(news) {
    Object.assign(this.told, news);
  }

  close() {}
}

/** Keeps a way to the table open. */
export class Sender {
  /**
   * @param {Object} who
   * @param {string} who.token what this phone shows
   * @param {string} who.language of what the table tells
   * @param {() => void} [dragged] called while a picture takes long, and comes nevertheless
   * @param {() => number} [now] milliseconds
   */
  constructor(who, dragged = () => {}, now = () => performance.now()) {
    Object.assign(this, { who, dragged, now });
    this.pace = new Pace();
    this.way = null;
    this.everOpened = false;
    this.told = [];
  }

  /** Send a picture; the answer is what the table tells. Throws where it did not arrive, `Refused` where it may not. */
  async send(jpeg) {
    this.way ??= await this.open();
    const began = this.now();
    try {
      const told = await this.way.send(jpeg, this.pace, () => {
        this.pace.takes(this.now() - began);
        this.dragged();
      });
      this.pace.arrived(this.now() - began);
      return told;
    } catch (error) {
      this.way.close();
      this.way = null;
      throw error;
    }
  }

  async open() {
    let way;
    try {
      way = await SocketWay.open(this.who);
      this.everOpened = true;
    } catch (error) {
      if (this.everOpened) {
        throw error;
      }
      way = new PostWay(this.who);
    }
    this.told.forEach((news) => way.tell(news));
    return way;
  }

  /** Tell how full the battery is, 0 to 1, and whether it is being charged; or how large its stills are. */
  tell(news) {
    const [key] = Object.keys(news);
    this.told = [...this.told.filter((other) => !(key in other)), news];
    this.way?.tell(news);
  }

  /** Send a still, or null for none, beside those that go on meanwhile. Throws where it did not arrive within so many ms. */
  async sendStill(number, jpeg, patienceMs) {
    const answer = await fetch(`/api/v1/camera/still?number=${number}`, {
      method: "POST", body: jpeg, credentials: "omit", signal: AbortSignal.timeout?.(patienceMs),
      headers: { Authorization: `Bearer ${this.who.token}`, "Content-Type": "image/jpeg" },
    });
    if (answer.status >= 500) {
      throw new Error(String(answer.status));
    }
  }
}
