import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { closeCodes } from '../../../rules/chat.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import type { ChatApi } from './api.ts';
import { ChatClient } from './client.ts';
import type { GroupInfo } from './group.ts';
import type { SocketLike } from './link.ts';

/** The server's end of a connection. */
class Wire {
  readonly sent: ClientWsFrame[] = [];
  isClosed = false;
  readonly socket: SocketLike = {
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (text) => void this.sent.push(JSON.parse(text as string) as ClientWsFrame),
    close: () => {
      this.isClosed = true;
    },
  };
  receive(frame: ServerWsFrame): void {
    this.socket.onmessage?.call({} as WebSocket, { data: JSON.stringify(frame) } as MessageEvent);
  }
  hang(code: number): void {
    this.socket.onclose?.call({} as WebSocket, { code } as CloseEvent);
  }
  of<Op extends ClientWsFrame['op']>(op: Op) {
    return this.sent.filter((f): f is Extract<ClientWsFrame, { op: Op }> => f.op === op);
  }
}

const ME = '8';
const info: GroupInfo = {
  groupId: '1',
  groupType: 1,
  orderSn: '1',
  closed: false,
  lastSeq: 0,
  readSeq: -1,
  muted: false,
  rated: null,
  members: ['8', '7'].map((imUid) => ({
    imUid,
    nickName: imUid,
    avatar: '',
    role: 'buyer',
    isCurrent: false,
    isStaff: false,
    online: true,
    readSeq: -1,
  })),
};

function message(seq: number, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    groupId: '1',
    targetId: '1',
    seq,
    messageUId: `u${seq}`,
    clientMsgId: `c${seq}`,
    senderUserId: '7',
    messageType: 'text',
    messageDirection: 2,
    sentTime: 0,
    content: { content: `第${seq}` },
    expansion: null,
    recalled: false,
    ...more,
  };
}

let wires: Wire[];
let ticket: ReturnType<typeof vi.fn<ChatApi['ticket']>>;
let client: ChatClient;
let api: ChatApi;
let ids = 0;

const wire = (): Wire => wires.at(-1) as Wire;
const hello = (): void => wire().receive({ op: 'hello', imUid: ME, nonce: 'n', heartbeatMs: 25_000 });
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const view = () => client.group('1');

/** Waits for the next connection attempt and sends the greeting. */
async function reconnect(): Promise<void> {
  const before = wires.length;
  for (let i = 0; i < 50 && wires.length === before; i++) await vi.advanceTimersByTimeAsync(500);
  hello();
}

beforeEach(async () => {
  vi.useFakeTimers();
  wires = [];
  ids = 0;
  ticket = vi.fn<ChatApi['ticket']>(() => Promise.resolve({ token: 't', nonce: 'n' }));
  api = {
    ticket,
    info: () => Promise.resolve(info),
    history: (_id, before) => Promise.resolve({ list: before === null ? [message(0)] : [], more: false }),
    search: () => Promise.resolve({ list: [], more: false }),
    upload: () => Promise.resolve({ key: 'picture-1' }),
  };
  client = new ChatClient({
    api,
    newId: () => `id-${ids++}`,
    open: () => {
      wires.push(new Wire());
      return wire().socket;
    },
  });
  client.start();
  await settle();
  hello();
  await client.open('1');
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

describe('the connection', () => {
  it('is not accepted from a server that did not issue the ticket', async () => {
    wire().hang(1006);
    await vi.advanceTimersByTimeAsync(1000);
    wire().receive({ op: 'hello', imUid: ME, nonce: 'other', heartbeatMs: 25_000 });
    expect(client.state).toBe('lost');
    expect(wire().isClosed).toBe(true);
  });

  it('reconnects with a fresh ticket and requests missed messages', async () => {
    wire().receive({ op: 'msg', ...message(1) });
    wire().hang(1006);
    expect(client.state).toBe('lost');
    await reconnect();
    expect(client.state).toBe('online');
    expect(ticket).toHaveBeenCalledTimes(2);
    expect(wire().of('sync')).toEqual([{ op: 'sync', groupId: '1', after: 1 }]);
  });

  it('ends with the session and waits after it was replaced elsewhere', async () => {
    wire().hang(closeCodes.tooMany);
    expect(client.state).toBe('replaced');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wires).toHaveLength(1);
    client.retryConnection();
    await settle();
    hello();
    expect(client.state).toBe('online');
    wire().hang(closeCodes.revoked);
    expect(client.state).toBe('ended');
    ticket.mockRejectedValue(new ApiFailure(1, '登录已过期，请重新登录', 401));
    client.retryConnection();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wires).toHaveLength(2);
  });

  it('is closed when no heartbeat response arrives', async () => {
    await vi.advanceTimersByTimeAsync(25_000 + 8000 + 10);
    expect(wires[0]?.isClosed).toBe(true);
    await reconnect();
    expect(client.state).toBe('online');
  });
});

describe('messages', () => {
  it('are listed once and in order, and a gap is requested', () => {
    wire().sent.length = 0;
    wire().receive({ op: 'synced', groupId: '1', list: [], more: false, lastSeq: 0 });
    wire().receive({ op: 'msg', ...message(2) });
    expect(wire().of('sync')).toEqual([{ op: 'sync', groupId: '1', after: 0 }]);
    wire().receive({ op: 'synced', groupId: '1', list: [message(1), message(2)], more: false, lastSeq: 2 });
    wire().receive({ op: 'msg', ...message(1) });
    expect(view()?.log.list.map((m) => m.seq)).toEqual([0, 1, 2]);
  });

  it('stay queued until they are stored, and are sent again with their id after a lost connection', async () => {
    client.sendText('1', '一');
    client.sendText('1', '二');
    expect(view()?.pending.map((p) => [p.text, p.state])).toEqual([
      ['一', 'sending'],
      ['二', 'sending'],
    ]);
    wire().hang(1006);
    await reconnect();
    expect(
      wire()
        .of('send')
        .map((f) => [f.clientMsgId, f.content]),
    ).toEqual([
      ['id-0', '一'],
      ['id-1', '二'],
    ]);
    wire().receive({ op: 'msg', ...message(1, { messageDirection: 1, senderUserId: ME, clientMsgId: 'id-0' }) });
    expect(view()?.pending.map((p) => p.clientMsgId)).toEqual(['id-1']);
  });

  it('fail with a message without a response, and can be retried or discarded', async () => {
    client.sendText('1', '一');
    client.sendText('1', '二');
    wire().hang(1006);
    ticket.mockRejectedValue(new ApiFailure(-1, '网络超时', 0));
    await vi.advanceTimersByTimeAsync(13_000);
    expect(view()?.pending.map((p) => [p.state, p.reason])).toEqual([
      ['failed', '网络连接不可用，消息未发出'],
      ['failed', '网络连接不可用，消息未发出'],
    ]);
    client.discard('1', 'id-1');
    ticket.mockResolvedValue({ token: 't', nonce: 'n' });
    client.retry('1', 'id-0');
    await settle();
    hello();
    expect(
      wire()
        .of('send')
        .map((f) => f.clientMsgId),
    ).toEqual(['id-0']);
  });

  it('are sent again in order after the server rejected them for a pause', async () => {
    client.sendText('1', '一');
    client.sendText('1', '二');
    wire().sent.length = 0;
    for (const clientMsgId of ['id-0', 'id-1'])
      wire().receive({
        op: 'error',
        code: 4290,
        msg: '发送过于频繁',
        retryAfterMs: 3000,
        ref: { op: 'send', groupId: '1', clientMsgId },
      });
    await vi.advanceTimersByTimeAsync(2900);
    client.sendText('1', '三');
    expect(wire().of('send')).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(
      wire()
        .of('send')
        .map((f) => f.clientMsgId),
    ).toEqual(['id-0', 'id-1', 'id-2']);
  });

  it('show the reason when they are rejected', () => {
    client.sendText('1', '一');
    const ref = { op: 'send', groupId: '1', clientMsgId: 'id-0' };
    wire().receive({ op: 'error', code: 3303, msg: '该群聊已结束，不能再发送消息', ref });
    expect(view()?.pending[0]).toMatchObject({ state: 'failed', reason: '该群聊已结束，不能再发送消息' });
  });

  it('are marked as read once, up to the newest', () => {
    wire().receive({ op: 'msg', ...message(1) });
    client.read('1');
    client.read('1');
    expect(wire().of('read')).toEqual([{ op: 'read', groupId: '1', seq: 1 }]);
  });

  it('are sent after their picture is uploaded, and a retry does not upload it again', async () => {
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    client.sendImage('1', new File(['x'], 'a.png', { type: 'image/png' }));
    await settle();
    expect(wire().of('send')).toEqual([
      { op: 'send', groupId: '1', clientMsgId: 'id-0', messageType: 'image', imageKey: 'picture-1' },
    ]);
    vi.unstubAllGlobals();
  });
});

describe('a message of this user', () => {
  const mine = (seq: number, clientMsgId: string) =>
    message(seq, { messageDirection: 1, senderUserId: ME, clientMsgId });
  const ack = (seq: number, clientMsgId = 'id-0') =>
    wire().receive({ op: 'ack', groupId: '1', clientMsgId, seq, messageUId: 'u', sentTime: 0, masked: false });
  const error = (code: number, msg: string, op: string, more: object = {}) =>
    wire().receive({ op: 'error', code, msg, ref: { op, groupId: '1', ...more } } as ServerWsFrame);
  const states = () => view()?.pending.map((p) => [p.clientMsgId, p.state, p.reason]);
  beforeEach(() => {
    wire().receive({ op: 'synced', groupId: '1', list: [], more: false, lastSeq: 0 });
    wire().sent.length = 0;
  });
  afterEach(() => vi.unstubAllGlobals());

  it('has a separate id, also without one from the test', async () => {
    const other = new ChatClient({ api, open: () => new Wire().socket });
    await other.open('1');
    other.sendText('1', '一');
    other.sendText('1', '二');
    expect(new Set(other.group('1')?.pending.map((p) => p.clientMsgId)).size).toBe(2);
    expect(other.group('1')?.pending[0]?.clientMsgId).toMatch(/^[\da-f-]{36}$/);
    other.stop();
  });

  it('is requested when its acknowledgement came alone', async () => {
    client.sendText('1', '一');
    ack(1);
    await vi.advanceTimersByTimeAsync(1499);
    expect(wire().of('sync')).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(wire().of('sync')).toEqual([{ op: 'sync', groupId: '1', after: 0 }]);
    // Acknowledged, so it does not fail.
    await vi.advanceTimersByTimeAsync(12_000);
    expect(states()).toEqual([['id-0', 'sending', null]]);
  });

  it('is not requested when it is here', async () => {
    client.sendText('1', '一');
    ack(1);
    wire().receive({ op: 'msg', ...mine(1, 'id-0') });
    await vi.advanceTimersByTimeAsync(1600);
    expect([wire().of('sync'), states()]).toEqual([[], []]);
  });

  it('leaves the queue only when it is in the log itself', () => {
    client.sendText('1', '一');
    wire().receive({ op: 'msg', ...message(1, { clientMsgId: 'id-0' }) });
    expect(states()).toEqual([['id-0', 'sending', null]]);
    // After a gap it is not in the log yet.
    wire().receive({ op: 'msg', ...mine(4, 'id-0') });
    expect(states()).toEqual([['id-0', 'sending', null]]);
  });

  it.each([
    [undefined, '消息发送失败！'],
    [{ onLine: true }, '消息发送失败！'],
    [{}, '消息发送失败！'],
    [{ onLine: false }, '网络连接不可用，消息未发出'],
  ])('fails after 12 seconds without a response, navigator %j', async (navigator, reason) => {
    vi.stubGlobal('navigator', navigator);
    client.sendText('1', '一');
    await vi.advanceTimersByTimeAsync(5000);
    await vi.advanceTimersByTimeAsync(6990);
    expect(states()).toEqual([['id-0', 'sending', null]]);
    await vi.advanceTimersByTimeAsync(20);
    expect(states()).toEqual([['id-0', 'failed', reason]]);
  });

  it('fails no more once the client has stopped or the message is discarded', async () => {
    client.sendText('1', '一');
    client.sendText('1', '二');
    client.discard('1', 'id-1');
    client.stop();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(states()).toEqual([['id-0', 'sending', null]]);
  });

  it('is not sent again on a new connection once it has failed', async () => {
    client.sendText('1', '一');
    error(3303, '该群聊已结束', 'send', { clientMsgId: 'id-0' });
    await vi.advanceTimersByTimeAsync(13_000);
    expect(states()).toEqual([['id-0', 'failed', '该群聊已结束']]);
    wire().hang(1006);
    await reconnect();
    expect(wire().of('send')).toEqual([]);
  });

  it('in a group that is not open is not sent', () => {
    client.sendText('9', '一');
    client.retry('9', 'id-0');
    client.discard('9', 'id-0');
    expect(wire().of('send')).toEqual([]);
  });

  it('is withdrawn by its number, and a refusal is shown until a message goes on', () => {
    expect(client.recall('1', 5)).toBe(true);
    expect(wire().of('recall')).toEqual([{ op: 'recall', groupId: '1', seq: 5 }]);
    error(3304, '只能撤回两分钟内的消息', 'recall');
    error(1, '其他', 'typing');
    expect([view()?.notice, states()]).toEqual(['只能撤回两分钟内的消息', []]);
    wire().receive({ op: 'msg', ...mine(1, 'x') });
    expect(view()?.notice).toBe('只能撤回两分钟内的消息');
    wire().receive({ op: 'synced', groupId: '1', list: [mine(2, 'y'), message(3)], more: false, lastSeq: 3 });
    expect(view()?.notice).toBeNull();
    error(3304, '只能撤回两分钟内的消息', 'recall');
    client.sendText('1', '一');
    expect(view()?.notice).toBeNull();
  });

  it('reminds an absent partner once a minute, and says so', async () => {
    vi.setSystemTime(1_000_000_000);
    const remind = vi.fn<NonNullable<ChatApi['remind']>>(() => Promise.resolve({ msg: '已提醒对方' } as never));
    api.remind = remind;
    const acknowledged = async (at: number): Promise<[number, string | null | undefined]> => {
      vi.setSystemTime(1_000_000_000 + at);
      error(3304, '旧', 'recall');
      ack(0);
      await settle();
      return [remind.mock.calls.length, view()?.notice];
    };
    expect(await acknowledged(0)).toEqual([1, '已提醒对方']);
    expect(await acknowledged(59_999)).toEqual([1, '旧']);
    remind.mockResolvedValueOnce({ msg: '' } as never);
    expect(await acknowledged(60_000)).toEqual([2, '旧']);
    remind.mockRejectedValueOnce(new TypeError('x'));
    expect(await acknowledged(120_000)).toEqual([3, '旧']);
  });
});
