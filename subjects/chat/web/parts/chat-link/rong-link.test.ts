import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import type { LinkState } from './link.ts';
import { type RongCalls, RongLink } from './rong-link.ts';
import { hintOf, type ImSdk, seqOf } from './rong-sdk.ts';

const GROUP = '1001';

const message = (seq: number): ChatMessage =>
  ({ groupId: GROUP, seq, messageType: 'text', content: { content: `第${seq}句` } }) as unknown as ChatMessage;

/** A fake of the IM provider's SDK: scripted result codes and events. */
class Played implements ImSdk {
  codes: number[] = [];
  tokens: string[] = [];
  disconnects = 0;
  deliver: (groupId: string, seq: number | null) => void = () => undefined;
  state: (up: boolean, code: number) => void = () => undefined;
  connect(token: string): Promise<number> {
    this.tokens.push(token);
    return Promise.resolve(this.codes.shift() ?? 0);
  }
  disconnect(): void {
    this.disconnects++;
  }
  onMessage(listener: (groupId: string, seq: number | null) => void): void {
    this.deliver = listener;
  }
  hint: (groupId: string, sender: string, kind: 'typing' | 'read') => void = () => undefined;
  onHint(listener: (groupId: string, sender: string, kind: 'typing' | 'read') => void): void {
    this.hint = listener;
  }
  onState(listener: (up: boolean, code: number) => void): void {
    this.state = listener;
  }
}

let sdk: Played;
let frames: ServerWsFrame[];
let states: LinkState[];
let ups: string[];
let beats: number;
let calls: { [K in keyof RongCalls]: ReturnType<typeof vi.fn<RongCalls[K]>> };
let link: RongLink;

beforeEach(() => {
  sdk = new Played();
  frames = [];
  states = [];
  ups = [];
  beats = 0;
  let issued = 0;
  calls = {
    token: vi.fn<RongCalls['token']>(() => Promise.resolve({ imToken: `t${++issued}`, imUid: '10001' })),
    send: vi.fn<RongCalls['send']>(({ clientMsgId }) =>
      Promise.resolve({ seq: 1, messageUId: clientMsgId, sentTime: 1, masked: false }),
    ),
    after: vi.fn<RongCalls['after']>((_group, seq) => Promise.resolve({ list: [message(seq + 1)], more: false })),
    read: vi.fn<RongCalls['read']>(() => Promise.resolve()),
    recall: vi.fn<RongCalls['recall']>(() => Promise.resolve()),
    typing: vi.fn<RongCalls['typing']>(() => Promise.resolve()),
    readMarks: vi.fn<RongCalls['readMarks']>(() =>
      Promise.resolve({
        members: [
          { imUid: '10001', readSeq: 9 },
          { imUid: '10002', readSeq: 4 },
        ],
      }),
    ),
  };
  const options = {
    onWsFrame: (wsFrame: ServerWsFrame) => void frames.push(wsFrame),
    onUp: (imUid: string) => void ups.push(imUid),
    onState: (state: LinkState) => void states.push(state),
    onBeat: () => void beats++,
  };
  link = new RongLink(options, calls, () => Promise.resolve(sdk));
  return () => link.stop();
});

const online = () => vi.waitFor(() => expect(states.at(-1)).toBe('online'));

describe('a connection', () => {
  test('a stale token is renewed once', async () => {
    sdk.codes = [31_004];
    link.start();
    await online();
    expect(sdk.tokens).toEqual(['t1', 't2']);
    expect(ups).toEqual(['10001']);
  });

  test('a token that stays stale waits for the next attempt', async () => {
    sdk.codes = [31_020, 31_020];
    link.start();
    await vi.waitFor(() => expect(states).toEqual(['lost']));
    expect(sdk.tokens).toHaveLength(2);
    link.retry();
    await online();
  });

  test.each([31_004, 31_020])(
    'a token that expires during a conversation (%i) is requested again immediately',
    async (code) => {
      link.start();
      await online();
      sdk.state(false, code);
      expect(states.at(-1)).toBe('lost');
      await online();
      expect(sdk.tokens).toEqual(['t1', 't2']);
      // Missed messages are requested, queued ones are sent again.
      expect(ups).toEqual(['10001', '10001']);
      sdk.codes = [code];
      sdk.state(false, code);
      await vi.waitFor(() => expect(sdk.tokens).toHaveLength(3));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(sdk.tokens).toHaveLength(3);
      expect(states.at(-1)).toBe('lost');
    },
  );

  test('a client replaced elsewhere waits for a click', async () => {
    link.start();
    await online();
    sdk.state(false, 31_010);
    expect(states.at(-1)).toBe('replaced');
    link.retry();
    await online();
  });

  test('an ended session ends the connection', async () => {
    calls.token.mockRejectedValue(new ApiFailure(4010, '登录已过期', 401));
    link.start();
    await vi.waitFor(() => expect(states).toEqual(['ended']));
  });
});

describe('messages', () => {
  test('messages are read from our history, never from the IM provider', async () => {
    link.start();
    await online();
    sdk.deliver(GROUP, 7);
    await vi.waitFor(() => expect(frames).toHaveLength(1));
    expect(calls.after).toHaveBeenCalledWith(GROUP, 6);
    expect(frames[0]).toMatchObject({ op: 'msg', seq: 7, content: { content: '第7句' } });
    sdk.deliver(GROUP, null);
    expect(beats).toBe(1);
  });

  test('a message is sent by our call, one after the other, and acknowledged', async () => {
    link.start();
    expect(link.send({ op: 'send', groupId: GROUP, clientMsgId: 'a', content: '早' })).toBe(false);
    await online();
    let release = () => {};
    calls.send.mockImplementationOnce(
      ({ clientMsgId }) =>
        new Promise((resolve) => {
          release = () => resolve({ seq: 1, messageUId: clientMsgId, sentTime: 1, masked: false });
        }),
    );
    for (const id of ['a', 'b']) link.send({ op: 'send', groupId: GROUP, clientMsgId: id, content: id });
    await vi.waitFor(() => expect(calls.send).toHaveBeenCalledTimes(1));
    release();
    await vi.waitFor(() => expect(frames.map((f) => f.op === 'ack' && f.clientMsgId)).toEqual(['a', 'b']));
  });

  test('an error is shown at its message; without a response the message stays queued', async () => {
    link.start();
    await online();
    calls.send.mockRejectedValueOnce(new ApiFailure(3303, '该群聊已结束', 409));
    link.send({ op: 'send', groupId: GROUP, clientMsgId: 'a', content: '在吗' });
    await vi.waitFor(() => expect(frames).toHaveLength(1));
    expect(frames[0]).toMatchObject({ op: 'error', msg: '该群聊已结束', ref: { op: 'send', clientMsgId: 'a' } });
    calls.send.mockRejectedValueOnce(new ApiFailure(0, '网络超时', 0));
    link.send({ op: 'send', groupId: GROUP, clientMsgId: 'b', content: '在吗' });
    link.send({ op: 'read', groupId: GROUP, seq: 3 });
    await vi.waitFor(() => expect(calls.read).toHaveBeenCalledWith(GROUP, 3));
    expect(frames).toHaveLength(1);
  });

  test('missed messages are requested by number', async () => {
    link.start();
    await online();
    link.send({ op: 'sync', groupId: GROUP, after: 4 });
    await vi.waitFor(() => expect(frames[0]).toMatchObject({ op: 'synced', lastSeq: 5, more: false }));
  });
});

describe('signals', () => {
  test('typing is sent by our call and received only from others', async () => {
    link.start();
    await online();
    expect(link.send({ op: 'typing', groupId: GROUP })).toBe(true);
    await vi.waitFor(() => expect(calls.typing).toHaveBeenCalledWith(GROUP));
    sdk.hint(GROUP, '10001', 'typing');
    sdk.hint(GROUP, '10002', 'typing');
    expect(frames).toEqual([{ op: 'typing', groupId: GROUP, imUid: '10002' }]);
  });

  test('read positions are loaded from our server, and a rejected read mark shows no error', async () => {
    link.start();
    await online();
    sdk.hint(GROUP, '10002', 'read');
    await vi.waitFor(() => expect(frames).toEqual([{ op: 'read', groupId: GROUP, imUid: '10002', seq: 4 }]));
    calls.typing.mockRejectedValueOnce(new ApiFailure(3303, '您不在该群聊中', 403));
    link.send({ op: 'typing', groupId: GROUP });
    link.send({ op: 'read', groupId: GROUP, seq: 4 });
    await vi.waitFor(() => expect(calls.read).toHaveBeenCalled());
    expect(frames).toHaveLength(1);
  });
});

test('a lost connection is reported as lost (30002) and reconnects by itself', async () => {
  link.start();
  await online();
  sdk.state(false, 30_002);
  expect(states.at(-1)).toBe('lost');
  expect(link.send({ op: 'send', groupId: GROUP, clientMsgId: 'x', content: '在吗' })).toBe(false);
  sdk.state(true, 0);
  expect(states.at(-1)).toBe('online');
});

test('signals are distinguished from stored messages', () => {
  expect(hintOf({ kind: 'typing' })).toBe('typing');
  expect(hintOf({ kind: 'read', extra: '{}' })).toBe('read');
  for (const other of [undefined, null, {}, { kind: 'recall' }, { content: 'typing' }])
    expect(hintOf(other)).toBeNull();
});

test('the number of a provider message is validated', () => {
  expect(seqOf('{"seq":3}')).toBe(3);
  for (const bad of [undefined, '', '{', '{"seq":"3"}', '{"seq":1.5}', 7]) expect(seqOf(bad)).toBeNull();
});
