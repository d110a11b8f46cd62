import { codes } from '#contract/codes.ts';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { isNetworkFailure, isApiFailure } from '#web/lib/api/api-failure.ts';
import { bellRang } from '#web/lib/pages/notices.ts';
import type { ChatApi } from './api.ts';
import { type GroupView, newGroup, type Pending, withOnline, withoutMe, withPending, withRead } from './group.ts';
import { Link, type LinkLike, type LinkOptions, type LinkState, type SocketLike } from './link.ts';
import { append, lastSeq, prepend } from './log.ts';

interface ClientOptions {
  api: ChatApi;
  open?: (token: string) => SocketLike;
  newId?: () => string;
}

/** Without an acknowledgement within this time a message is displayed as failed; a retry keeps its id, so it is never duplicated. */
const RECEIPT_LIMIT_MS = 12_000;
const TYPING_VISIBLE_MS = 4000;
const TYPING_EVERY_MS = 2000;
const REMIND_EVERY_MS = 60_000;
/** Acknowledgements can overtake the message itself; after this time the message is requested. */
const OWN_MESSAGE_LIMIT_MS = 1500;

const NO_CONNECTION = '网络连接不可用，消息未发出';
const FAILED = '消息发送失败！';

/**
 * The chat of one signed-in user: a connection, the opened groups, and the queue of unsent messages. Every message is
 * displayed once and in the order of its number, regardless of duplicates and arrival order.
 */
export class ChatClient {
  readonly #api: ChatApi;
  readonly #link: LinkLike;
  readonly #newId: () => string;
  readonly #groups = new Map<string, GroupView>();
  readonly #changed = new Set<() => void>();
  readonly #messageListeners = new Set<(message: ChatMessage) => void>();
  readonly #receipts = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #syncing = new Set<string>();
  /** Groups whose queue is resumed after a pause requested by the server. */
  readonly #held = new Set<string>();
  readonly #remindedAt = new Map<string, number>();
  /** The group that was opened last. */
  #current = '';
  #typedAt = 0;
  #state: LinkState = 'connecting';
  #imUid = '';

  constructor({ api, open, newId = () => crypto.randomUUID() }: ClientOptions) {
    this.#api = api;
    this.#newId = newId;
    const options: LinkOptions = {
      onWsFrame: (wsFrame) => this.#onWsFrame(wsFrame),
      onUp: (imUid) => this.#up(imUid),
      onState: (state) => {
        this.#state = state;
        this.#tell();
      },
      // Messages that the bus may have lost, and members' presence, are loaded with the next heartbeat.
      onBeat: () => {
        this.#syncAll();
        void this.refresh(this.#current);
      },
    };
    this.#link = api.connect?.(options) ?? new Link({ ...options, ticket: () => api.ticket(), ...(open && { open }) });
  }

  start(): void {
    this.#link.start();
  }

  stop(): void {
    this.#link.stop();
    for (const timer of this.#receipts.values()) clearTimeout(timer);
    this.#receipts.clear();
  }

  retryConnection(): void {
    this.#link.retry();
  }

  probe(): void {
    this.#link.probe();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** This user's id in the chat; '' before the first connection. */
  get imUid(): string {
    return this.#imUid;
  }

  /** For useSyncExternalStore: called after every change. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  };

  /** Calls the listener with each new message of every group of this user, open or not; returns the unsubscribe function. */
  onMessage(listener: (message: ChatMessage) => void): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  group(groupId: string): GroupView | undefined {
    return this.#groups.get(groupId);
  }

  /** Loads a group's newest messages and members, once; again after a failure. */
  async open(groupId: string): Promise<void> {
    this.#current = groupId;
    const existing = this.#groups.get(groupId);
    if (existing && !existing.left && (existing.loading === 'first' || existing.error === null)) return;
    this.#put({ ...(existing ?? newGroup(groupId)), left: false, loading: 'first', error: null });
    try {
      const [page, info] = await Promise.all([this.#api.history(groupId, null), this.#api.info(groupId)]);
      this.#update(groupId, (g) => ({ ...g, info, loading: null, log: prepend(g.log, page.list, page.more) }));
      this.#sync(groupId);
    } catch (error) {
      this.#update(groupId, (g) => ({ ...g, loading: null, error: errorText(error) }));
    }
  }

  /** Loads the 20 (or `count`) messages before the oldest loaded one. Resolves to false when that failed. */
  async older(groupId: string, count?: number): Promise<boolean> {
    const group = this.#groups.get(groupId);
    const first = group?.log.list[0];
    if (!group || !first || !group.log.hasOlder || group.loading) return true;
    this.#put({ ...group, loading: 'older' });
    try {
      const page = await this.#api.history(groupId, first.seq, count);
      this.#update(groupId, (g) => ({ ...g, loading: null, log: prepend(g.log, page.list, page.more) }));
      return true;
    } catch {
      this.#update(groupId, (g) => ({ ...g, loading: null }));
      return false;
    }
  }

  sendText(groupId: string, text: string): void {
    this.#enqueue(groupId, { text, image: null });
  }

  sendImage(groupId: string, file: File): void {
    this.#enqueue(groupId, { text: '', image: { file, preview: URL.createObjectURL(file), key: null } });
  }

  /** Sends a failed message again, with its id. */
  retry(groupId: string, clientMsgId: string): void {
    this.#update(groupId, (g) => withPending(g, clientMsgId, { state: 'sending', reason: null }));
    this.#link.probe();
    this.#dispatch(groupId, clientMsgId);
  }

  /** Discards a failed message. */
  discard(groupId: string, clientMsgId: string): void {
    this.#settle(groupId, [clientMsgId]);
  }

  recall(groupId: string, seq: number): boolean {
    return this.#link.send({ op: 'recall', groupId, seq });
  }

  /** Reports that everything up to the newest message has been read. */
  read(groupId: string): void {
    const group = this.#groups.get(groupId);
    const me = group?.info?.members.find((m) => m.imUid === this.#imUid);
    if (!group || !me) return;
    const seq = lastSeq(group.log);
    if (seq > me.readSeq && this.#link.send({ op: 'read', groupId, seq })) this.#put(withRead(group, me.imUid, seq));
  }

  typing(groupId: string): void {
    const now = Date.now();
    if (now - this.#typedAt < TYPING_EVERY_MS) return;
    this.#typedAt = now;
    this.#link.send({ op: 'typing', groupId });
  }

  /** The calls in addition to the socket, for functions outside the conversation itself. */
  get api(): ChatApi {
    return this.#api;
  }

  /** Reloads the members of a group. */
  async refresh(groupId: string): Promise<void> {
    if (this.#groups.get(groupId)?.left !== false) return;
    try {
      const info = await this.#api.info(groupId);
      this.#update(groupId, (g) => ({ ...g, info }));
    } catch {
      // The displayed members stay; the next change requests them again.
    }
  }

  #tell(): void {
    for (const listener of this.#changed) listener();
  }

  #put(group: GroupView): void {
    this.#groups.set(group.groupId, group);
    this.#tell();
  }

  #update(groupId: string, change: (group: GroupView) => GroupView): void {
    const group = this.#groups.get(groupId);
    if (group) this.#put(change(group));
  }

  #up(imUid: string): void {
    this.#imUid = imUid;
    this.#syncing.clear();
    this.#held.clear();
    this.#tell();
    this.#syncAll();
    for (const group of this.#groups.values()) {
      void this.refresh(group.groupId);
      this.#resend(group.groupId);
    }
  }

  #syncAll(): void {
    for (const groupId of this.#groups.keys()) this.#sync(groupId);
  }

  /** Requests the messages after the newest loaded one; one request per group at a time. */
  #sync(groupId: string): void {
    const group = this.#groups.get(groupId);
    if (!group || group.left || group.loading === 'first' || group.error !== null || this.#syncing.has(groupId)) return;
    const after = Math.max(0, lastSeq(group.log));
    if (this.#link.send({ op: 'sync', groupId, after })) this.#syncing.add(groupId);
  }

  #onWsFrame(wsFrame: ServerWsFrame): void {
    if (wsFrame.op === 'msg') {
      const { op: _, ...message } = wsFrame;
      this.#take(message.groupId, [message]);
      for (const notify of this.#messageListeners) notify(message);
    } else if (wsFrame.op === 'synced') {
      this.#syncing.delete(wsFrame.groupId);
      const before = lastSeq(this.#groups.get(wsFrame.groupId)?.log ?? { list: [], hasOlder: false });
      this.#take(wsFrame.groupId, wsFrame.list);
      for (const m of wsFrame.list) if (m.seq > before) for (const notify of this.#messageListeners) notify(m);
      if (wsFrame.more) this.#sync(wsFrame.groupId);
    } else if (wsFrame.op === 'ack') this.#acknowledged(wsFrame);
    else if (wsFrame.op === 'typing') this.#typed(wsFrame.groupId, wsFrame.imUid);
    else if (wsFrame.op === 'read') this.#update(wsFrame.groupId, (g) => withRead(g, wsFrame.imUid, wsFrame.seq));
    else if (wsFrame.op === 'group' && wsFrame.left) this.#update(wsFrame.groupId, (g) => withoutMe(g, this.#imUid));
    else if (wsFrame.op === 'group') void this.refresh(wsFrame.groupId);
    else if (wsFrame.op === 'notice') bellRang();
    else if (wsFrame.op === 'error') this.#onRejected(wsFrame);
  }

  #take(groupId: string, messages: readonly ChatMessage[]): void {
    const group = this.#groups.get(groupId);
    if (!group || group.loading === 'first') return;
    const { log, missing } = append(group.log, messages);
    const typing = new Map(group.typing);
    for (const m of messages) typing.delete(m.senderUserId);
    const notice = messages.some((m) => m.messageDirection === 2) ? null : group.notice;
    if (log !== group.log) {
      // Missed messages do not show that their senders are online now.
      const here = messages.length === 1 ? messages.map((m) => m.senderUserId) : [];
      this.#put(withOnline({ ...group, log, typing, notice }, here));
    }
    this.#settle(
      groupId,
      messages.filter((m) => m.messageDirection === 1 && m.seq <= lastSeq(log)).map((m) => m.clientMsgId),
    );
    if (missing) this.#sync(groupId);
    if (messages.some((m) => m.expansion?.type === 'transfer_order')) void this.refresh(groupId);
  }

  #typed(groupId: string, imUid: string): void {
    const until = Date.now() + TYPING_VISIBLE_MS;
    this.#update(groupId, (g) => ({ ...g, typing: new Map(g.typing).set(imUid, until) }));
    setTimeout(() => {
      this.#update(groupId, (g) => {
        if ((g.typing.get(imUid) ?? 0) > Date.now()) return g;
        const typing = new Map(g.typing);
        typing.delete(imUid);
        return { ...g, typing };
      });
    }, TYPING_VISIBLE_MS + 20);
  }

  #enqueue(groupId: string, what: Pick<Pending, 'text' | 'image'>): void {
    const clientMsgId = this.#newId();
    const pending: Pending = { ...what, clientMsgId, at: Date.now(), state: 'sending', reason: null };
    this.#update(groupId, (g) => ({ ...g, pending: [...g.pending, pending], notice: null }));
    this.#dispatch(groupId, clientMsgId);
  }

  /** Sends one queued message; without a connection it stays queued, and is displayed as failed when that takes too long. */
  #dispatch(groupId: string, clientMsgId: string): void {
    const pending = this.#groups.get(groupId)?.pending.find((p) => p.clientMsgId === clientMsgId);
    if (!pending || pending.state !== 'sending') return;
    clearTimeout(this.#receipts.get(clientMsgId));
    if (pending.image && pending.image.key === null) return void this.#upload(groupId, pending);
    const limit = setTimeout(() => {
      const reason = this.#state === 'online' && globalThis.navigator?.onLine !== false ? FAILED : NO_CONNECTION;
      this.#update(groupId, (g) => withPending(g, clientMsgId, { state: 'failed', reason }));
    }, RECEIPT_LIMIT_MS);
    this.#receipts.set(clientMsgId, limit);
    // Messages held back by the server go first; their retry includes this one.
    if (this.#held.has(groupId)) return;
    this.#link.send(
      pending.image?.key
        ? { op: 'send', groupId, clientMsgId, messageType: 'image', imageKey: pending.image.key }
        : { op: 'send', groupId, clientMsgId, content: pending.text },
    );
  }

  async #upload(groupId: string, pending: Pending): Promise<void> {
    const { clientMsgId, image } = pending;
    if (!image) return;
    try {
      const { key } = await this.#api.upload(image.file);
      this.#update(groupId, (g) => withPending(g, clientMsgId, { image: { ...image, key } }));
      this.#dispatch(groupId, clientMsgId);
    } catch (error) {
      const reason = errorText(error);
      this.#update(groupId, (g) => withPending(g, clientMsgId, { state: 'failed', reason }));
    }
  }

  /** Sends all queued messages, in order. */
  #resend(groupId: string): void {
    for (const p of this.#groups.get(groupId)?.pending ?? []) {
      if (!p.image || p.image.key !== null) this.#dispatch(groupId, p.clientMsgId);
    }
  }

  #resendLater(groupId: string, ms: number): void {
    if (this.#held.has(groupId)) return;
    this.#held.add(groupId);
    setTimeout(() => {
      this.#held.delete(groupId);
      this.#resend(groupId);
    }, ms);
  }

  #acknowledged(ack: Extract<ServerWsFrame, { op: 'ack' }>): void {
    clearTimeout(this.#receipts.get(ack.clientMsgId));
    const { groupId } = ack;
    setTimeout(() => {
      if (lastSeq(this.#groups.get(groupId)?.log ?? { list: [], hasOlder: false }) < ack.seq) this.#sync(groupId);
    }, OWN_MESSAGE_LIMIT_MS);
    void this.#remind(groupId);
  }

  #onRejected(wsFrame: Extract<ServerWsFrame, { op: 'error' }>): void {
    const { groupId, clientMsgId, op } = wsFrame.ref ?? {};
    if (groupId === undefined) return;
    if (op === 'sync') return void this.#syncing.delete(groupId);
    if (op === 'send' && clientMsgId !== undefined) {
      if (wsFrame.code === codes.RATE_LIMITED[0]) {
        clearTimeout(this.#receipts.get(clientMsgId));
        return this.#resendLater(groupId, wsFrame.retryAfterMs ?? 1000);
      }
      clearTimeout(this.#receipts.get(clientMsgId));
      this.#update(groupId, (g) => withPending(g, clientMsgId, { state: 'failed', reason: wsFrame.msg }));
      return;
    }
    if (op === 'recall') this.#update(groupId, (g) => ({ ...g, notice: wsFrame.msg }));
  }

  /** Removes messages from the queue: they are in the log now, or discarded. */
  #settle(groupId: string, clientMsgIds: readonly string[]): void {
    const group = this.#groups.get(groupId);
    const failed = group?.pending.filter((p) => clientMsgIds.includes(p.clientMsgId)) ?? [];
    if (!group || failed.length === 0) return;
    for (const p of failed) {
      clearTimeout(this.#receipts.get(p.clientMsgId));
      this.#receipts.delete(p.clientMsgId);
      if (p.image) URL.revokeObjectURL(p.image.preview);
    }
    this.#put({ ...group, pending: group.pending.filter((p) => !failed.includes(p)) });
  }

  /** Reminds the absent partner, at most once a minute, and displays the result. */
  async #remind(groupId: string): Promise<void> {
    const now = Date.now();
    if (!this.#api.remind || now - (this.#remindedAt.get(groupId) ?? 0) < REMIND_EVERY_MS) return;
    this.#remindedAt.set(groupId, now);
    try {
      const { msg } = await this.#api.remind(groupId);
      if (msg !== '') this.#update(groupId, (g) => ({ ...g, notice: msg }));
    } catch {
      // The message itself has arrived; the reminder is optional.
    }
  }
}

function errorText(error: unknown): string {
  return isApiFailure(error) && !isNetworkFailure(error) ? error.msg : '网络错误';
}
