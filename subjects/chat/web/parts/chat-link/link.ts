import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { closeCodes } from '../../../rules/chat.ts';
import { isApiFailure } from '#web/lib/api/api-failure.ts';

/**
 * connecting: the first attempt; online; lost: reconnects automatically; replaced: too many connections elsewhere,
 * reconnects on a click; ended: the session is over.
 */
export type LinkState = 'connecting' | 'online' | 'lost' | 'replaced' | 'ended';

export interface Ticket {
  token: string;
  /** Repeated in the server's greeting. */
  nonce: string;
}

/** The part of WebSocket that a link needs. */
export type SocketLike = Pick<WebSocket, 'onmessage' | 'onclose' | 'onerror' | 'send' | 'close'>;

/** Callbacks of a link. */
export interface LinkOptions {
  onWsFrame: (wsFrame: ServerWsFrame) => void;
  /** Connected: missed messages can be requested and queued ones sent now. */
  onUp: (imUid: string) => void;
  onState: (state: LinkState) => void;
  /** Each heartbeat, while online. */
  onBeat: () => void;
}

/** A connection to the chat, over our own socket or an IM provider. */
export interface LinkLike {
  start(): void;
  stop(): void;
  /** Reconnects immediately instead of waiting. */
  retry(): void;
  /** Checks whether the connection is still alive. */
  probe(): void;
  /** Returns false when there is no connection. */
  send(wsFrame: ClientWsFrame): boolean;
}

/** How our own socket is opened. */
export interface SocketOptions {
  ticket: () => Promise<Ticket>;
  open?: (token: string) => SocketLike;
}

/**
 * A broken connection is retried almost immediately; the random part keeps the clients of a failed gateway from
 * reconnecting in the same moment.
 */
const AT_ONCE_MS = 80;
const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 15_000;
const HELLO_LIMIT_MS = 10_000;
const RATE_LIMITED_RETRY_MS = 3000;
/** The server is stopping or has an error and needs a pause (RFC 6455, registry of close codes). */
const SERVER_RESTART_CODES = new Set([1012, 1013]);
/** The connection is considered dead when a response takes longer. */
const RESPONSE_TIMEOUT_MS = 8000;

function browserSocket(token: string): SocketLike {
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${window.location.host}/ws/im?token=${encodeURIComponent(token)}`);
}

/** A connection to the chat that reconnects automatically: a fresh ticket each time, increasing waits, heartbeats. */
export class Link implements LinkLike {
  readonly #o: LinkOptions & SocketOptions;
  #socket: SocketLike | null = null;
  #state: LinkState = 'connecting';
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #answer: ReturnType<typeof setTimeout> | undefined;
  /** Distinguishes the current attempt from earlier ones. */
  #round = 0;
  #running = false;

  constructor(options: LinkOptions & SocketOptions) {
    this.#o = options;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#connect();
  }

  stop(): void {
    this.#running = false;
    this.#drop();
  }

  /** Reconnects immediately instead of waiting; also after `replaced`. */
  retry(): void {
    if (!this.#running || this.#state === 'online' || this.#state === 'ended') return;
    this.#tries = 0;
    void this.#connect();
  }

  /** Checks whether the connection is still alive, after sleep or a change of network. */
  probe(): void {
    if (this.#state === 'online') this.#ping();
    else this.retry();
  }

  /** Returns false when there is no connection. Data may still be lost until it is acknowledged. */
  send(wsFrame: ClientWsFrame): boolean {
    if (this.#state !== 'online' || !this.#socket) return false;
    this.#socket.send(JSON.stringify(wsFrame));
    return true;
  }

  #set(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#o.onState(state);
  }

  #drop(): void {
    this.#round++;
    clearTimeout(this.#timer);
    clearTimeout(this.#answer);
    clearInterval(this.#beat);
    this.#answer = undefined;
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  async #connect(): Promise<void> {
    this.#drop();
    const round = this.#round;
    if (this.#tries > 0 || this.#state === 'online') this.#set('lost');
    let ticket: Ticket;
    try {
      ticket = await this.#o.ticket();
    } catch (error) {
      if (round !== this.#round) return;
      if (isApiFailure(error) && error.status === 401) return this.#set('ended');
      return this.#later();
    }
    if (round !== this.#round) return;
    const socket = (this.#o.open ?? browserSocket)(ticket.token);
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#fail(), HELLO_LIMIT_MS);
    socket.onerror = null;
    socket.onclose = ({ code }) => this.#closed(code);
    socket.onmessage = ({ data }) => this.#onWsFrame(JSON.parse(String(data)) as ServerWsFrame, ticket);
  }

  #onWsFrame(wsFrame: ServerWsFrame, ticket: Ticket): void {
    clearTimeout(this.#answer);
    this.#answer = undefined;
    if (wsFrame.op !== 'hello') return this.#o.onWsFrame(wsFrame);
    // Not the server that issued the ticket.
    if (wsFrame.nonce !== ticket.nonce) return this.#fail();
    clearTimeout(this.#timer);
    this.#tries = 0;
    this.#beat = setInterval(() => {
      this.#ping();
      this.#o.onBeat();
    }, wsFrame.heartbeatMs);
    this.#set('online');
    this.#o.onUp(wsFrame.imUid);
  }

  #ping(): void {
    this.send({ op: 'ping' });
    this.#answer ??= setTimeout(() => this.#fail(), RESPONSE_TIMEOUT_MS);
  }

  #closed(code: number): void {
    this.#drop();
    if (code === closeCodes.revoked) return this.#set('ended');
    if (code === closeCodes.tooMany) return this.#set('replaced');
    if (code === closeCodes.slow) return this.#later(RATE_LIMITED_RETRY_MS);
    this.#later(SERVER_RESTART_CODES.has(code) ? FIRST_RETRY_MS : 0);
  }

  #fail(): void {
    this.#drop();
    this.#later();
  }

  #later(leastMs = 0): void {
    if (!this.#running) return;
    this.#set(this.#state === 'connecting' && this.#tries === 0 ? 'connecting' : 'lost');
    const delay = this.#tries === 0 ? AT_ONCE_MS : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#tries - 1));
    this.#tries++;
    this.#timer = setTimeout(() => void this.#connect(), leastMs + delay * (0.5 + Math.random() / 2));
  }
}
