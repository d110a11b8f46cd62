import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hintOf, rongSdk, seqOf } from './rong-sdk.ts';

type Listener = (event: unknown) => void;

const im = vi.hoisted(() => ({
  listeners: new Map<string, ((event: unknown) => void)[]>(),
  called: [] as unknown[][],
}));
vi.mock('@rongcloud/imlib-next', () => ({
  Events: { MESSAGES: 'messages', CONNECTED: 'connected', DISCONNECT: 'disconnect', SUSPEND: 'suspend' },
  init: (options: unknown) => void im.called.push(['init', options]),
  registerMessageType: (...type: unknown[]) => void im.called.push(['type', ...type]),
  connect: async (token: string) => await Promise.resolve({ code: token === 'good' ? 0 : 31_004 }),
  disconnect: () => void im.called.push(['disconnect']),
  addEventListener: (name: string, listener: Listener) =>
    void im.listeners.set(name, [...(im.listeners.get(name) ?? []), listener]),
}));

const emit = (name: string, event: unknown): void => {
  for (const listener of im.listeners.get(name) ?? []) listener(event);
};

beforeEach(() => {
  im.listeners.clear();
  im.called.length = 0;
});

describe('the provider', () => {
  test('is prepared with the key, and its news are neither stored nor counted', async () => {
    const sdk = await rongSdk('key');
    expect(im.called).toEqual([
      ['init', { appkey: 'key' }],
      ['type', 'YS:News', false, false],
    ]);
    expect([await sdk.connect('good'), await sdk.connect('bad')]).toEqual([0, 31_004]);
    sdk.disconnect();
    expect(im.called.at(-1)).toEqual(['disconnect']);
  });

  test('tells of messages with their number, and of signals with their sender', async () => {
    const sdk = await rongSdk('key');
    const [messages, hints] = [vi.fn<() => void>(), vi.fn<() => void>()];
    sdk.onMessage(messages);
    sdk.onHint(hints);
    emit('messages', {
      messages: [
        { targetId: 'g1', senderUserId: '7', content: { extra: '{"seq":3}' } },
        { targetId: 'g1', senderUserId: '7', content: { kind: 'typing' } },
        { targetId: 'g2', senderUserId: '8', content: { kind: 'read', extra: '{"seq":3}' } },
        { targetId: 'g2', senderUserId: '8', content: undefined },
      ],
    });
    expect(messages.mock.calls).toEqual([
      ['g1', 3],
      ['g2', null],
    ]);
    expect(hints.mock.calls).toEqual([
      ['g1', '7', 'typing'],
      ['g2', '8', 'read'],
    ]);
  });

  test('tells when the connection is there, lost or held up', async () => {
    const sdk = await rongSdk('key');
    const states = vi.fn<() => void>();
    sdk.onState(states);
    emit('connected', undefined);
    emit('disconnect', 31_010);
    emit('suspend', 30_002);
    expect(states.mock.calls).toEqual([
      [true, 0],
      [false, 31_010],
      [false, 30_002],
    ]);
  });
});

test('a number is a whole one that can be exact', () => {
  expect(['{"seq":0}', '{"seq":9007199254740991}', '{"seq":9007199254740992}', '{}', 'null'].map(seqOf)).toEqual([
    0,
    9_007_199_254_740_991,
    null,
    null,
    null,
  ]);
  expect([seqOf({ seq: 3 }), seqOf(['{"seq":3}'])]).toEqual([null, null]);
});

test('a signal has one of two kinds', () => {
  expect([{ kind: 'typing' }, { kind: 'read' }, { kind: 'other' }, {}, null].map(hintOf)).toEqual([
    'typing',
    'read',
    null,
    null,
    null,
  ]);
});
