import type { ClientWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { isNetworkFailure, isApiFailure } from '#web/lib/api/api-failure.ts';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { LinkLike, LinkOptions, LinkState } from './link.ts';
import type { ImSdk } from './rong-sdk.ts';

/** The calls that replace the socket's frames. They throw ApiFailure. */
export interface RongCalls {
  /** The IM provider's token, and this user's id. */
  token(): Promise<{ imToken: string; imUid: string }>;
  send(message: Extract<ClientWsFrame, { op: 'send' }>): Promise<{
    seq: number;
    messageUId: string;
    sentTime: number;
    masked: boolean;
  }>;
  after(groupId: string, seq: number): Promise<{ list: ChatMessage[]; more: boolean }>;
  read(groupId: string, seq: number): Promise<unknown>;
  recall(groupId: string, seq: number): Promise<unknown>;
  typing(groupId: string): Promise<unknown>;
  /** Read positions of the members, from our own records. */
  readMarks(groupId: string): Promise<{ members: readonly { imUid: string; readSeq: number }[] }>;
}

/** The token is invalid or expired: a new one is requested. */
const STALE_TOKEN = [31_004, 31_020];
/** Connected elsewhere: reconnects only on a click. */
const KICKED = [31_010, 31_023];
const TOKEN_TRIES = 2;
const POLL_MS = 25_000;
const RETRY_MS = 5000;
const QUEUE_DELAY_MS = 1000;

/**
 * The chat over an IM provider: its SDK only signals that a message was sent; the message itself is read from our own
 * history. So nothing forged by a client of the provider is ever displayed, and order, gaps and duplicates behave as on
 * our own socket.
 */
export class RongLink implements LinkLike {
  readonly #o: LinkOptions;
  readonly #calls: RongCalls;
  readonly #load: () => Promise<ImSdk>;
  #sdk: ImSdk | undefined;
  #state: LinkState = 'connecting';
  #running = false;
  #tokens = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;
  /** Messages are sent one after the other, so that a sender's order is preserved. */
  #sending: Promise<void> = Promise.resolve();

  constructor(options: LinkOptions, calls: RongCalls, load: () => Promise<ImSdk>) {
    this.#o = options;
    this.#calls = calls;
    this.#load = load;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#connect();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    this.#sdk?.disconnect();
  }

  retry(): void {
    if (!this.#running || this.#state === 'online' || this.#state === 'ended') return;
    clearTimeout(this.#timer);
    this.#tokens = 0;
    void this.#connect();
  }

  probe(): void {
    if (this.#state === 'online') this.#o.onBeat();
    else this.retry();
  }

  send(wsFrame: ClientWsFrame): boolean {
    if (this.#state !== 'online') return false;
    this.#sending = this.#sending.then(() => this.#do(wsFrame));
    return true;
  }

  #set(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#o.onState(state);
  }

  async #connect(): Promise<void> {
    try {
      const { imToken, imUid } = await this.#calls.token();
      const sdk = this.#sdk ?? (await this.#load());
      if (!this.#running) return;
      if (!this.#sdk) this.#hear(sdk, imUid);
      const code = await sdk.connect(imToken);
      if (!this.#running) return;
      if (STALE_TOKEN.includes(code) && ++this.#tokens < TOKEN_TRIES) return await this.#connect();
      if (code !== 0) return this.#later(code);
      this.#up(imUid);
    } catch (error) {
      if (isApiFailure(error) && error.status === 401) this.#set('ended');
      else this.#later(0);
    }
  }

  #up(imUid: string): void {
    this.#tokens = 0;
    clearInterval(this.#look);
    // Events lost by the IM provider are found by the next poll.
    this.#look = setInterval(() => this.#o.onBeat(), POLL_MS);
    if (this.#state === 'online') return;
    this.#set('online');
    this.#o.onUp(imUid);
  }

  #hear(sdk: ImSdk, imUid: string): void {
    this.#sdk = sdk;
    sdk.onMessage((groupId, seq) => void this.#fetch(groupId, seq));
    sdk.onHint((groupId, sender, kind) => {
      if (sender === imUid) return;
      if (kind === 'typing') this.#o.onWsFrame({ op: 'typing', groupId, imUid: sender });
      else void this.#marks(groupId, imUid);
    });
    sdk.onState((up, code) => {
      if (!this.#running) return;
      if (up) return this.#up(imUid);
      this.#later(code);
      // A token that expires during a conversation is renewed immediately, once.
      if (STALE_TOKEN.includes(code) && ++this.#tokens < TOKEN_TRIES) {
        clearTimeout(this.#timer);
        void this.#connect();
      }
    });
  }

  #later(code: number): void {
    clearInterval(this.#look);
    clearTimeout(this.#timer);
    if (KICKED.includes(code)) return this.#set('replaced');
    this.#set('lost');
    if (this.#running) this.#timer = setTimeout(() => void this.#connect(), RETRY_MS);
  }

  /** Reads new messages from our history; without a number the group is checked as after a heartbeat. */
  async #fetch(groupId: string, seq: number | null): Promise<void> {
    if (seq === null) return this.#o.onBeat();
    try {
      const { list } = await this.#calls.after(groupId, seq - 1);
      for (const message of list) this.#o.onWsFrame({ op: 'msg', ...message });
    } catch {
      // The next poll retries.
    }
  }

  /** A member has read further: the position is loaded from our server, whatever the signal says. */
  async #marks(groupId: string, me: string): Promise<void> {
    try {
      const { members } = await this.#calls.readMarks(groupId);
      for (const { imUid, readSeq: seq } of members)
        if (imUid !== me) this.#o.onWsFrame({ op: 'read', groupId, imUid, seq });
    } catch {
      // The next signal or opening retries.
    }
  }

  async #do(wsFrame: ClientWsFrame): Promise<void> {
    try {
      if (wsFrame.op === 'send') {
        const { groupId, clientMsgId } = wsFrame;
        this.#o.onWsFrame({ op: 'ack', groupId, clientMsgId, ...(await this.#calls.send(wsFrame)) });
      } else if (wsFrame.op === 'sync') {
        const { list, more } = await this.#calls.after(wsFrame.groupId, wsFrame.after);
        const lastSeq = list.at(-1)?.seq ?? wsFrame.after;
        this.#o.onWsFrame({ op: 'synced', groupId: wsFrame.groupId, list, more, lastSeq });
      } else if (wsFrame.op === 'read') await this.#calls.read(wsFrame.groupId, wsFrame.seq);
      else if (wsFrame.op === 'typing') await this.#calls.typing(wsFrame.groupId);
      else if (wsFrame.op === 'recall') await this.#calls.recall(wsFrame.groupId, wsFrame.seq);
    } catch (error) {
      this.#onRejected(wsFrame, error);
    }
  }

  /**
   * Reports errors as the socket does: with the server's message if there is one; without a response the message waits
   * for the next connection.
   */
  #onRejected(wsFrame: ClientWsFrame, error: unknown): void {
    if (isApiFailure(error) && error.status === 401) return this.#set('ended');
    if (!('groupId' in wsFrame) || wsFrame.op === 'typing') return;
    if (!isApiFailure(error) || isNetworkFailure(error)) {
      if (wsFrame.op === 'send') return;
      return this.#o.onWsFrame({
        op: 'error',
        code: 0,
        msg: '网络错误',
        ref: { op: wsFrame.op, groupId: wsFrame.groupId },
      });
    }
    const clientMsgId = wsFrame.op === 'send' ? { clientMsgId: wsFrame.clientMsgId } : {};
    this.#o.onWsFrame({
      op: 'error',
      code: error.code,
      msg: error.msg,
      ref: { op: wsFrame.op, groupId: wsFrame.groupId, ...clientMsgId },
      retryAfterMs: QUEUE_DELAY_MS,
    });
  }
}
