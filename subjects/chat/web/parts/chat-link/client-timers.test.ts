/** The limits of time of the chat's client: when a message fails, is sent again or is requested. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import type { ClientWsFrame, ServerWsFrame } from '#subjects/chat/contract/im-socket.ts';
import type { ChatApi } from './api.ts';
import { ChatClient } from './client.ts';
import type { LinkOptions } from './link.ts';

const KNOWN = { groupId: '1', seq: 5, clientMsgId: 'c5', senderUserId: '7', messageType: 'text', messageDirection: 2 };

let link: LinkOptions;
let sent: ClientWsFrame[];
let client: ChatClient;

const receive = (frame: object): void => link.onWsFrame(frame as ServerWsFrame);
const sends = () => sent.filter(({ op }) => op === 'send').length;
const states = () => client.group('1')?.pending.map(({ state }) => state);
const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const tooFast = (groupId: string, retryAfterMs: number): void =>
  receive({ op: 'error', code: 4290, msg: '太快', retryAfterMs, ref: { op: 'send', groupId, clientMsgId: 'id' } });

beforeEach(async () => {
  vi.useFakeTimers();
  sent = [];
  const api = {
    connect: (options: LinkOptions) => {
      link = options;
      const nothing = () => undefined;
      return {
        start: nothing,
        stop: nothing,
        retry: nothing,
        probe: nothing,
        send: (f: ClientWsFrame) => sent.push(f) > 0,
      };
    },
    info: () => Promise.resolve({ groupId: '1', members: [] }),
    history: () => Promise.resolve({ list: [KNOWN as unknown as ChatMessage], more: false }),
  } as unknown as ChatApi;
  client = new ChatClient({ api, newId: () => 'id' });
  link.onState('online');
  link.onUp('8');
  await client.open('1');
});
afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

it('a message that is sent again on a new connection has the whole time once more', async () => {
  client.sendText('1', '一');
  await wait(6000);
  link.onUp('8');
  await wait(11_900);
  expect([sends(), states()]).toEqual([2, ['sending']]);
  await wait(200);
  expect(states()).toEqual(['failed']);
});

it('a message that the server holds back does not fail meanwhile', async () => {
  client.sendText('1', '一');
  tooFast('1', 15_000);
  await wait(14_900);
  expect([sends(), states()]).toEqual([1, ['sending']]);
  await wait(200);
  expect(sends()).toBe(2);
});

it('a new connection does not wait for the end of a pause', () => {
  client.sendText('1', '一');
  tooFast('1', 15_000);
  link.onUp('8');
  expect(sends()).toBe(2);
});

it('what comes for a group that is not open does nothing', async () => {
  tooFast('9', 1000);
  receive({ op: 'ack', groupId: '9', clientMsgId: 'x', seq: 3 });
  await client.refresh('9');
  await wait(2000);
  expect([client.group('9'), sent.filter((frame) => 'groupId' in frame && frame.groupId === '9')]).toEqual([
    undefined,
    [],
  ]);
});

it('a message that is already here leaves the notice where it is', () => {
  receive({ op: 'error', code: 3304, msg: '只能撤回两分钟内的消息', ref: { op: 'recall', groupId: '1' } });
  receive({ op: 'msg', ...KNOWN });
  expect(client.group('1')?.notice).toBe('只能撤回两分钟内的消息');
});
