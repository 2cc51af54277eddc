/** What is being asked of a table or hub: it is asked once, however often it is pressed before the answer comes. */

export class Underway {
  constructor() {
    /** What each thing that waits for its answer is called. @type {Set<string>} */
    this.names = new Set();
  }

  /** @param {string} name */
  has(name) {
    return this.names.has(name);
  }

  /**
   * Do what is called so, unless it is being done.
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} act
   * @returns {Promise<T|null>} what came of it; null where it was being done
   */
  async once(name, act) {
    if (this.names.has(name)) {
      return null;
    }
    this.names.add(name);
    try {
      return await act();
    } finally {
      this.names.delete(name);
    }
  }
}
