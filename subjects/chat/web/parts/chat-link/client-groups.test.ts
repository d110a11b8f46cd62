/** The groups of the chat's client, over a connection that the test plays itself. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import type { ChatApi } from './api.ts';
import { ChatClient } from './client.ts';
import type { GroupInfo } from './group.ts';
import type { LinkOptions } from './link.ts';

const ME = '8';
const info = {
  groupId: '1',
  members: [ME, '7', '6'].map((imUid) => ({ imUid, nickName: imUid, online: false, readSeq: -1, isStaff: false })),
} as unknown as GroupInfo;

const message = (seq: number, more: Partial<ChatMessage> = {}): ChatMessage =>
  ({
    groupId: '1',
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
  }) as ChatMessage;

let link: LinkOptions;
let isUp: boolean;
let sent: ClientWsFrame[];
let did: string[];
let client: ChatClient;
let api: { [K in keyof ChatApi]-?: ReturnType<typeof vi.fn<Required<ChatApi>[K]>> };

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const view = () => client.group('1');
const receive = (frame: ServerWsFrame): void => link.onWsFrame(frame);
const framesOf = (op: ClientWsFrame['op']) => sent.filter((frame) => frame.op === op);
const seqs = () => view()?.log.list.map(({ seq }) => seq);
const synced = (list: ChatMessage[], more = false): void =>
  receive({ op: 'synced', groupId: '1', list, more, lastSeq: list.at(-1)?.seq ?? 0 });
/** The group's members as 'id:online'. */
const presence = () => view()?.info?.members.map(({ imUid, online }) => `${imUid}:${online}`);

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(1_000_000_000);
  sent = [];
  did = [];
  isUp = true;
  api = {
    ticket: vi.fn<ChatApi['ticket']>(),
    connect: vi.fn<Required<ChatApi>['connect']>((options) => {
      link = options;
      return {
        start: () => void did.push('start'),
        stop: () => void did.push('stop'),
        retry: () => void did.push('retry'),
        probe: () => void did.push('probe'),
        send: (frame) => {
          if (isUp) sent.push(frame);
          return isUp;
        },
      };
    }),
    info: vi.fn<ChatApi['info']>(() => Promise.resolve(info)),
    history: vi.fn<ChatApi['history']>((_id, before) =>
      Promise.resolve({ list: before === null ? [message(20), message(21)] : [message(18), message(19)], more: true }),
    ),
    search: vi.fn<ChatApi['search']>(),
    upload: vi.fn<ChatApi['upload']>(() => Promise.resolve({ key: 'p' })),
    remind: vi.fn<Required<ChatApi>['remind']>(() => Promise.resolve({ msg: '' } as never)),
    mute: vi.fn<Required<ChatApi>['mute']>(),
    rate: vi.fn<Required<ChatApi>['rate']>(),
  };
  client = new ChatClient({ api });
  link.onState('online');
  link.onUp(ME);
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The group, opened and up to date. */
async function opened(): Promise<void> {
  await client.open('1');
  synced([]);
  sent = [];
  for (const call of [api.info, api.history]) call.mockClear();
}

describe('the client', () => {
  it('passes on what the page asks of the connection', () => {
    client.start();
    client.retryConnection();
    client.probe();
    client.stop();
    expect(did).toEqual(['start', 'retry', 'probe', 'stop']);
    expect([client.imUid, client.state, client.api]).toEqual([ME, 'online', api]);
  });

  it('tells of changes and of new messages until the listener has left', async () => {
    const [changed, heard] = [vi.fn<() => void>(), vi.fn<(message: ChatMessage) => void>()];
    const [leave, hearNoMore] = [client.subscribe(changed), client.onMessage(heard)];
    link.onState('lost');
    expect(changed).toHaveBeenCalledTimes(1);
    link.onUp(ME);
    expect(changed).toHaveBeenCalledTimes(2);
    await opened();
    const known = changed.mock.calls.length;
    receive({ op: 'msg', ...message(22) });
    expect(changed.mock.calls.length).toBeGreaterThan(known);
    synced([message(21), message(22), message(23)]);
    // Also of a group that is not open.
    receive({ op: 'synced', groupId: '2', list: [message(0, { groupId: '2' })], more: false, lastSeq: 0 });
    receive({ op: 'msg', ...message(5, { groupId: '2' }) });
    expect(heard.mock.calls.map(([{ groupId, seq }]) => `${groupId}/${seq}`)).toEqual(['1/22', '1/23', '2/0', '2/5']);
    leave();
    hearNoMore();
    const before = changed.mock.calls.length;
    receive({ op: 'msg', ...message(24) });
    expect([changed.mock.calls.length, heard.mock.calls.length]).toEqual([before, 4]);
  });

  it('rings only for a notice', () => {
    // The bell asks whether its page is seen, before it asks the server.
    const rang = vi.fn(() => 'hidden');
    vi.stubGlobal('document', {
      get visibilityState() {
        return rang();
      },
    });
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage = () => undefined;
      },
    );
    receive({ op: 'error', code: 1, msg: '' });
    receive({ op: 'pong' } as ServerWsFrame);
    expect(rang).not.toHaveBeenCalled();
    receive({ op: 'notice' } as ServerWsFrame);
    expect(rang).toHaveBeenCalledTimes(1);
  });
});

describe('opening a group', () => {
  it('loads it once, and then requests what came since', async () => {
    const first = client.open('1');
    expect(view()).toMatchObject({ loading: 'first', error: null, left: false });
    // Messages that arrive earlier are part of the page.
    receive({ op: 'msg', ...message(22) });
    link.onBeat();
    await client.open('1');
    expect([api.history.mock.calls, framesOf('sync')]).toEqual([[['1', null]], []]);
    await first;
    expect([seqs(), view()?.loading, view()?.info]).toEqual([[20, 21], null, info]);
    expect(framesOf('sync')).toEqual([{ op: 'sync', groupId: '1', after: 21 }]);
    await client.open('1');
    expect(api.history).toHaveBeenCalledTimes(1);
  });

  it('says why it failed, requests nothing, and loads it again', async () => {
    api.history.mockRejectedValueOnce(new ApiFailure(3303, '您不在该群聊中', 403));
    await client.open('1');
    expect(view()).toMatchObject({ loading: null, error: '您不在该群聊中' });
    link.onBeat();
    expect(framesOf('sync')).toEqual([]);
    for (const error of [new ApiFailure(-1, '网络超时', 0), new TypeError('x')]) {
      api.info.mockRejectedValueOnce(error);
      await client.open('1');
      expect(view()?.error).toBe('网络错误');
    }
    await client.open('1');
    expect(view()).toMatchObject({ loading: null, error: null });
  });

  it('again after leaving loads it again', async () => {
    await opened();
    receive({ op: 'group', groupId: '1', left: true } as ServerWsFrame);
    expect([view()?.left, presence()]).toEqual([true, ['7:false', '6:false']]);
    link.onBeat();
    receive({ op: 'group', groupId: '1', left: false } as ServerWsFrame);
    expect([sent, api.info.mock.calls]).toEqual([[], []]);
    await client.open('1');
    expect([view()?.left, api.history.mock.calls.length]).toEqual([false, 1]);
  });
});

describe('older messages', () => {
  it('are loaded before the oldest one, one page at a time', async () => {
    await opened();
    const page = client.older('1', 50);
    expect(view()?.loading).toBe('older');
    expect(await client.older('1')).toBe(true);
    expect(await page).toBe(true);
    expect([api.history.mock.calls, seqs(), view()?.loading]).toEqual([[['1', 20, 50]], [18, 19, 20, 21], null]);
  });

  it('are not requested where there are none', async () => {
    expect(await client.older('1')).toBe(true);
    api.history.mockResolvedValueOnce({ list: [], more: true });
    await client.open('1');
    expect(await client.older('1')).toBe(true);
    expect(api.history).toHaveBeenCalledTimes(1);
    await client.open('2');
    api.history.mockResolvedValueOnce({ list: [], more: false });
    await client.older('2');
    api.history.mockClear();
    expect(await client.older('2')).toBe(true);
    expect(api.history).not.toHaveBeenCalled();
  });

  it('leave the group unchanged when they cannot be loaded', async () => {
    await opened();
    api.history.mockRejectedValueOnce(new TypeError('x'));
    expect(await client.older('1')).toBe(false);
    expect([seqs(), view()?.loading]).toEqual([[20, 21], null]);
  });
});

describe('members', () => {
  it('are loaded again with a heartbeat, a connection, a change of the group and a handover', async () => {
    await opened();
    const times = async (act: () => void): Promise<number> => {
      api.info.mockClear();
      act();
      await settle();
      return api.info.mock.calls.length;
    };
    expect(await times(() => link.onBeat())).toBe(1);
    expect(await times(() => link.onUp(ME))).toBe(1);
    expect(await times(() => receive({ op: 'group', groupId: '1' } as ServerWsFrame))).toBe(1);
    expect(await times(() => receive({ op: 'group', groupId: '9' } as ServerWsFrame))).toBe(0);
    expect(await times(() => receive({ op: 'msg', ...message(22) }))).toBe(0);
    const handover = { expansion: { type: 'transfer_order' } } as Partial<ChatMessage>;
    expect(await times(() => synced([message(23), message(24, handover)]))).toBe(1);
  });

  it('stay as they are when they cannot be loaded', async () => {
    await opened();
    api.info.mockRejectedValueOnce(new TypeError('x'));
    await client.refresh('1');
    expect(view()?.info).toBe(info);
    api.info.mockResolvedValueOnce({ ...info, muted: true });
    await client.refresh('1');
    expect(view()?.info?.muted).toBe(true);
  });

  it('are online when they send one message now, and not for those that were missed', async () => {
    await opened();
    synced([message(22), message(23, { senderUserId: '6' })]);
    expect(presence()).toEqual(['8:false', '7:false', '6:false']);
    receive({ op: 'msg', ...message(24) });
    expect(presence()).toEqual(['8:false', '7:true', '6:false']);
  });

  it('have read as far as they say', async () => {
    await opened();
    receive({ op: 'read', groupId: '1', imUid: '7', seq: 20 });
    expect(view()?.info?.members.map(({ readSeq }) => readSeq)).toEqual([-1, 20, -1]);
    isUp = false;
    client.read('1');
    expect(view()?.info?.members[0]?.readSeq).toBe(-1);
    isUp = true;
    client.read('1');
    client.read('2');
    expect([framesOf('read'), view()?.info?.members[0]?.readSeq]).toEqual([
      [{ op: 'read', groupId: '1', seq: 21 }],
      21,
    ]);
  });

  it('are needed before anything is marked as read', async () => {
    void client.open('1');
    client.read('1');
    expect(framesOf('read')).toEqual([]);
    await settle();
    link.onUp('99');
    client.read('1');
    expect(framesOf('read')).toEqual([]);
  });
});

describe('typing', () => {
  it('is sent at most every two seconds', () => {
    const send = (later: number): number => {
      vi.setSystemTime(1_000_000_000 + later);
      client.typing('1');
      return framesOf('typing').length;
    };
    expect([0, 1999, 2000, 3999, 4001].map(send)).toEqual([1, 1, 2, 2, 3]);
  });

  it('is shown for four seconds, or until the message is here', async () => {
    await opened();
    const typing = () => [...(view()?.typing.entries() ?? [])];
    receive({ op: 'typing', groupId: '1', imUid: '7' });
    expect(typing()).toEqual([['7', 1_000_004_000]]);
    await vi.advanceTimersByTimeAsync(1000);
    receive({ op: 'typing', groupId: '1', imUid: '7' });
    receive({ op: 'typing', groupId: '1', imUid: '6' });
    await vi.advanceTimersByTimeAsync(3990);
    expect(typing().map(([imUid]) => imUid)).toEqual(['7', '6']);
    receive({ op: 'msg', ...message(22) });
    expect(typing().map(([imUid]) => imUid)).toEqual(['6']);
    await vi.advanceTimersByTimeAsync(30);
    expect(typing()).toEqual([]);
  });
});

describe('requests for missed messages', () => {
  it('are one at a time, and go on while there are more', async () => {
    await opened();
    link.onBeat();
    link.onBeat();
    expect(framesOf('sync')).toHaveLength(1);
    synced([message(22)], true);
    synced([message(23)], false);
    expect(framesOf('sync').map((frame) => 'after' in frame && frame.after)).toEqual([21, 22]);
    receive({ op: 'msg', ...message(24) });
    expect(framesOf('sync')).toHaveLength(2);
    link.onBeat();
    receive({ op: 'error', code: 0, msg: '网络错误', ref: { op: 'sync', groupId: '1' } });
    link.onBeat();
    expect(framesOf('sync')).toHaveLength(4);
    expect(view()?.notice).toBeNull();
  });

  it('are not counted as sent without a connection, and are repeated on a new one', async () => {
    await opened();
    isUp = false;
    link.onBeat();
    isUp = true;
    link.onBeat();
    expect(framesOf('sync')).toHaveLength(1);
    link.onUp(ME);
    expect(framesOf('sync')).toHaveLength(2);
  });
});

describe('a picture', () => {
  const revoked: string[] = [];
  const states = () => view()?.pending.map((p) => [p.state, p.reason, p.image?.preview, p.image?.key]);
  beforeEach(() => {
    revoked.length = 0;
    const createObjectURL = () => 'blob:x';
    vi.stubGlobal('URL', { createObjectURL, revokeObjectURL: (url: string) => void revoked.push(url) });
  });

  it('shows why its upload failed, and a retry uploads it', async () => {
    await opened();
    api.upload.mockRejectedValueOnce(new ApiFailure(4000, '图片太大', 400));
    client.sendImage('1', new File(['x'], 'a.png'));
    expect(states()).toEqual([['sending', null, 'blob:x', null]]);
    // While it is uploaded, a new connection does not upload it a second time.
    link.onUp(ME);
    await settle();
    expect(states()).toEqual([['failed', '图片太大', 'blob:x', null]]);
    const id = view()?.pending[0]?.clientMsgId ?? '';
    client.retry('1', id);
    await settle();
    expect([api.upload.mock.calls.length, states()]).toEqual([2, [['sending', null, 'blob:x', 'p']]]);
    link.onUp(ME);
    expect([framesOf('send').length, api.upload.mock.calls.length]).toEqual([2, 2]);
    client.discard('1', 'other');
    expect(revoked).toEqual([]);
    client.discard('1', id);
    expect([revoked, states()]).toEqual([['blob:x'], []]);
  });

  it('alone has a preview to release', async () => {
    await opened();
    client.sendText('1', '一');
    client.discard('1', view()?.pending[0]?.clientMsgId ?? '');
    expect(revoked).toEqual([]);
  });
});
