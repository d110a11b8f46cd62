import type { ServerResponse } from 'node:http';

/** Requests that may be there at once, slow senders among them. */
const MAX_PRESENT = 1000;
/** Requests that may be worked on at once: what waits longer than about a second is of no use to anybody. */
const MAX_WORKING = 320;

/**
 * How much there is to do. Counted down when a response closes, which it also does when its client has gone: Fastify's own hooks
 * never tell of those, and counters that only rise would shut the door for good.
 */
export class Load {
  #present = 0;
  #working = 0;

  /** A request has come; its body may still be on the way. */
  arrive(response: ServerResponse): void {
    this.#present += 1;
    response.once('close', () => {
      this.#present -= 1;
    });
  }

  get isFull(): boolean {
    return this.#present > MAX_PRESENT;
  }

  /** Work on a request may begin; false = there is too much already, and a quick refusal serves everybody better. */
  begin(response: ServerResponse): boolean {
    if (this.#working >= MAX_WORKING) return false;
    this.#working += 1;
    response.once('close', () => {
      this.#working -= 1;
    });
    return true;
  }
}
