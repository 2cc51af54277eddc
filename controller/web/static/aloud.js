/** Reading aloud: the browser's voice says what the table sends to be said, the newest above all. */

/** What had to wait for so long is not said any more. */
const STALE_MS = 6000;
/** Hertz and seconds of each tone of a sound; 0 Hz is a rest. As `controller/devices/voice/tones.py` has them. */
const TONES = {
  legal: [[880, 0.09]],
  illegal: [[330, 0.16], [220, 0.24]],
  clock: [[660, 0.08], [0, 0.06], [660, 0.08]],
};
const LOUD = 0.3;
const FADE_S = 0.01;

/** A voice that is off until somebody turns it on. */
export class ReadingAloud {
  /**
   * @param {Object} [means]
   * @param {SpeechSynthesis} [means.voice] what speaks
   * @param {() => number} [means.now] milliseconds
   */
  constructor({ voice = globalThis.speechSynthesis, now = () => performance.now() } = {}) {
    Object.assign(this, { voice, now, on: false, current: null, waiting: null, sounds: null });
  }

  /** Whether this browser can speak at all. */
  get can() {
    return Boolean(this.voice) && typeof globalThis.SpeechSynthesisUtterance === "function";
  }

  /** Turn it on or off; what is said then lets people hear that it works. */
  turn(on, word, language) {
    this.on = on && this.can;
    this.waiting = this.current = null;
    if (this.can) {
      this.voice.cancel();
    }
    if (this.on) {
      this.sounds ??= typeof AudioContext === "function" ? new AudioContext() : null;
      this.sounds?.resume();
      this.start({ text: word, language });
    }
  }

  /** Say a message of the live channel; one that waits lets a weighty one come to its end. */
  say(message) {
    if (!this.on) {
      return;
    }
    if (message.waits && this.current?.weighty) {
      this.waiting = { message, since: this.now() };
      return;
    }
    this.waiting = this.current = null;
    this.voice.cancel();
    this.start(message);
  }

  start(message) {
    this.play(message.sound);
    if (!message.text) {
      return;
    }
    const speech = new SpeechSynthesisUtterance(message.text);
    speech.lang = message.language;
    const voices = this.voice.getVoices();
    speech.voice = voices.find(({ lang }) => lang.toLowerCase().startsWith(message.language)) ?? null;
    this.current = message;
    speech.onend = speech.onerror = () => this.ended(message);
    this.voice.speak(speech);
  }

  ended(message) {
    if (this.current !== message) {
      return;
    }
    const next = this.waiting;
    this.waiting = this.current = null;
    if (next && this.on && this.now() - next.since < STALE_MS) {
      this.start(next.message);
    }
  }

  play(sound) {
    const context = this.sounds;
    let at = context?.currentTime ?? 0;
    for (const [hertz, seconds] of context ? TONES[sound] ?? [] : []) {
      if (hertz) {
        const tone = new OscillatorNode(context, { frequency: hertz });
        const loud = new GainNode(context, { gain: 0 });
        loud.gain.setValueAtTime(0, at);
        loud.gain.linearRampToValueAtTime(LOUD, at + FADE_S);
        loud.gain.setValueAtTime(LOUD, at + seconds - FADE_S);
        loud.gain.linearRampToValueAtTime(0, at + seconds);
        tone.connect(loud).connect(context.destination);
        tone.start(at);
        tone.stop(at + seconds);
      }
      at += seconds;
    }
  }
}
