import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
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

describe('a connection over time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  async function started(): Promise<void> {
    link.start();
    await settle();
    expect(states.at(-1)).toBe('online');
  }

  test('a client that is not started does nothing', async () => {
    link.retry();
    link.probe();
    await settle();
    expect([calls.token.mock.calls.length, beats]).toEqual([0, 0]);
  });

  test('a second start, and a retry while online, connect no second time', async () => {
    await started();
    link.start();
    link.retry();
    await settle();
    expect([sdk.tokens, ups, states]).toEqual([['t1'], ['10001'], ['online']]);
    sdk.state(true, 0);
    expect([ups, states]).toEqual([['10001'], ['online']]);
  });

  test('it looks for lost messages every 25 seconds while it is online, and when it is probed', async () => {
    await started();
    link.probe();
    expect(beats).toBe(1);
    await vi.advanceTimersByTimeAsync(24_999);
    expect(beats).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(beats).toBe(2);
    sdk.state(true, 0);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(beats).toBe(3);
    sdk.codes = Array(20).fill(30_002);
    sdk.state(false, 30_002);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(beats).toBe(3);
  });

  test('a lost connection is tried again every five seconds, at once when it is probed', async () => {
    await started();
    sdk.codes = [30_002, 30_002];
    sdk.state(false, 30_002);
    await vi.advanceTimersByTimeAsync(4999);
    expect(sdk.tokens).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sdk.tokens).toHaveLength(2);
    link.probe();
    await settle();
    expect(sdk.tokens).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(5000);
    expect([sdk.tokens.length, states.at(-1)]).toEqual([4, 'online']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sdk.tokens).toHaveLength(4);
  });

  test('two losses in a row wait for one attempt', async () => {
    await started();
    sdk.codes = Array(20).fill(30_002);
    sdk.state(false, 30_002);
    sdk.state(false, 30_002);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sdk.tokens).toHaveLength(2);
  });

  test('a replaced client does not come back by itself', async () => {
    await started();
    sdk.state(false, 31_023);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sdk.tokens.length, states.at(-1)]).toEqual([1, 'replaced']);
  });

  test('an ended session is not tried again, however it ended', async () => {
    await started();
    calls.send.mockRejectedValueOnce(new ApiFailure(4010, '登录已过期', 401));
    link.send({ op: 'send', groupId: GROUP, clientMsgId: 'a', content: '在吗' });
    await settle();
    expect([states.at(-1), frames]).toEqual(['ended', []]);
    link.retry();
    link.probe();
    await settle();
    expect(sdk.tokens).toHaveLength(1);
  });

  test.each([new ApiFailure(500, '服务器繁忙', 500), new TypeError('x'), { status: 401 }])(
    'another failure of the token is tried again',
    async (error) => {
      calls.token.mockRejectedValueOnce(error);
      link.start();
      await settle();
      expect(states).toEqual(['lost']);
      await vi.advanceTimersByTimeAsync(5000);
      expect(states).toEqual(['lost', 'online']);
    },
  );

  test('a stopped client stays silent', async () => {
    await started();
    link.stop();
    expect(sdk.disconnects).toBe(1);
    sdk.state(false, 30_002);
    sdk.state(true, 0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([states, beats, sdk.tokens]).toEqual([['online'], 0, ['t1']]);
  });

  test('a client that is stopped while it connects, stays away', async () => {
    link.start();
    link.stop();
    await settle();
    expect([sdk.tokens, states]).toEqual([[], []]);
    let resolve: (code: number) => void = () => undefined;
    sdk.connect = async () => await new Promise<number>((done) => void (resolve = done));
    link.start();
    await settle();
    link.stop();
    resolve(0);
    await settle();
    expect(states).toEqual([]);
    calls.token.mockRejectedValueOnce(new TypeError('x'));
    link.start();
    link.stop();
    await vi.advanceTimersByTimeAsync(6000);
    expect(calls.token).toHaveBeenCalledTimes(3);
  });

  test('one message of the provider is one of ours, also after a new connection', async () => {
    await started();
    sdk.state(false, 30_002);
    const listened = vi.spyOn(sdk, 'onMessage');
    await vi.advanceTimersByTimeAsync(5000);
    expect(listened).not.toHaveBeenCalled();
  });

  test('a recall, and what could not be done, name their group', async () => {
    await started();
    link.send({ op: 'recall', groupId: GROUP, seq: 3 });
    link.send({ op: 'pong' } as never);
    await settle();
    expect([calls.recall.mock.calls, frames]).toEqual([[[GROUP, 3]], []]);
    expect([calls.typing.mock.calls, calls.send.mock.calls, calls.read.mock.calls]).toEqual([[], [], []]);
    calls.recall.mockRejectedValueOnce(new ApiFailure(3304, '已超过两分钟', 400));
    calls.after.mockRejectedValueOnce(new ApiFailure(-1, '网络超时', 0));
    calls.after.mockResolvedValueOnce({ list: [], more: false });
    link.send({ op: 'recall', groupId: GROUP, seq: 3 });
    link.send({ op: 'sync', groupId: GROUP, after: 4 });
    link.send({ op: 'sync', groupId: GROUP, after: 4 });
    await settle();
    expect(frames).toEqual([
      { op: 'error', code: 3304, msg: '已超过两分钟', ref: { op: 'recall', groupId: GROUP }, retryAfterMs: 1000 },
      { op: 'error', code: 0, msg: '网络错误', ref: { op: 'sync', groupId: GROUP } },
      { op: 'synced', groupId: GROUP, list: [], more: false, lastSeq: 4 },
    ]);
  });
});
