import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { closeCodes } from '../../../rules/chat.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
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
  const api: ChatApi = {
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

  it('without a heartbeat response is closed', async () => {
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

  it('that the server rejects for a pause are sent again in order afterwards', async () => {
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

  it('that are rejected show the reason', () => {
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

  it('with a picture are uploaded first, and a retry does not upload again', async () => {
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    client.sendImage('1', new File(['x'], 'a.png', { type: 'image/png' }));
    await settle();
    expect(wire().of('send')).toEqual([
      { op: 'send', groupId: '1', clientMsgId: 'id-0', messageType: 'image', imageKey: 'picture-1' },
    ]);
    vi.unstubAllGlobals();
  });
});
