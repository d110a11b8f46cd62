/** Trade and chat that go on while parts of a market die or are replaced: everybody asks again under the same key until the answer is definitive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type KillableMarket, NO_RESPONSE, type Walker } from '#tests/support/servers/killable.ts';

/** Experience of users: requests that were lost, those that were put off by our gate or a proxy, and how long it took until an answer was there. */
export interface Window {
  calls: number;
  lost: number;
  putOff: number;
  longestMs: number;
}
const none = (): Window => ({ calls: 0, lost: 0, putOff: 0, longestMs: 0 });

const AGAIN_MS = 150;
const LIMIT_MS = 60_000;
const PAUSE_MS = 30;

type Send = Pick<KillableMarket, 'send'>;

export class Load {
  readonly #market: Send;
  readonly #forSale: string[];
  #isOver = false;
  #failure: unknown;
  #work: Promise<unknown> = Promise.resolve();
  #window = none();
  /** Orders by their key, in the order placed. */
  readonly placed = new Map<string, string>();
  /** Orders whose payment was acknowledged. */
  readonly paid = new Set<string>();
  /** Messages that were acknowledged, by group. */
  readonly sent = new Map<string, string[]>();

  /** `forSale` are the listings that its buyers take, one for each order. */
  constructor(market: Send, forSale: string[]) {
    this.#market = market;
    this.#forSale = forSale;
  }

  /** Whether people have ended, or one of them failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins to count anew what users meet. Returns what they met until now. */
  restart(): Window {
    const before = this.#window;
    this.#window = none();
    return before;
  }

  /** Asks again under the same key until the answer is definitive. Rejects with an answer that is an error, or after a minute. */
  async until(who: Walker, path: string, form: Record<string, string>, key?: string): Promise<Record<string, unknown>> {
    const began = performance.now();
    for (;;) {
      const { status, body } = await this.#market.send(who.headers, path, form, key);
      this.#window.calls += 1;
      if (status === 200) {
        this.#window.longestMs = Math.max(this.#window.longestMs, performance.now() - began);
        const { code, data, msg } = JSON.parse(body) as { code: number; data: Record<string, unknown>; msg: string };
        if (code === 0) return data;
        throw new Error(`${path}: ${code} ${msg}`);
      }
      // Lost, a proxy without a node, or a node that says it is busy or has lost its database.
      if (![NO_RESPONSE, 502, 503, 504].includes(status)) throw new Error(`${path}: ${status} ${body}`);
      if (status === NO_RESPONSE) this.#window.lost += 1;
      else this.#window.putOff += 1;
      if (performance.now() - began > LIMIT_MS) throw new Error(`${path}: no answer within a minute`);
      await sleep(AGAIN_MS);
    }
  }

  /** Places and pays one order. Returns its number. */
  async buy(buyer: Walker, goodsSn: string, key: string): Promise<string> {
    const { orderId } = await this.until(buyer, '/api/order/placeOrder', { goodsSn }, `place-${key}`);
    this.placed.set(key, String(orderId));
    await this.until(buyer, '/api/pay/balancePay', { orderId: String(orderId) }, `pay-${key}`);
    this.paid.add(String(orderId));
    return String(orderId);
  }

  /** Adds somebody who buys one listing after the other. */
  async trade(buyer: Walker): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const goodsSn = this.#forSale.pop();
      if (goodsSn === undefined) throw new Error('everything is sold');
      await this.buy(buyer, goodsSn, `${buyer.id}-${i}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Adds somebody who sends one message after the other, with a pause that keeps within what the chat allows: 20 messages in 10 s. */
  async talk(who: Walker, groupId: string, pauseMs: number): Promise<void> {
    const list = this.sent.get(groupId) ?? [];
    this.sent.set(groupId, list);
    for (let i = 0; !this.#isOver; i++) {
      const clientMsgId = `${who.id}-${i}`;
      await this.until(who, '/api/im/sendMessage', { groupId, clientMsgId, content: `消息 ${i}` });
      list.push(clientMsgId);
      await sleep(pauseMs);
    }
  }

  /** Starts what people do, until `end` or the first failure. */
  start(people: readonly Promise<void>[]): void {
    this.#work = Promise.all(people).catch((error: unknown) => {
      this.#failure = error;
      this.#isOver = true;
    });
  }

  /** Lets everybody finish what they are doing. Returns what failed, undefined when nothing did. */
  async end(): Promise<unknown> {
    this.#isOver = true;
    await this.#work;
    return this.#failure;
  }
}
