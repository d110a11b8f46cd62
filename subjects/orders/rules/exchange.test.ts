import { describe, expect, test } from 'vitest';
import {
  allowedActions,
  CODE_READ_SECONDS,
  CODE_SECONDS,
  exchangeActor,
  type ExchangeState,
  isCode,
  MORE_SECONDS,
  movesOf,
  nextMove,
  stepActor,
  targetHint,
} from './exchange.ts';

const at = (more: Partial<ExchangeState> = {}): ExchangeState => ({
  operator: 'seller',
  hasTarget: false,
  isTargetRefused: false,
  isStarted: false,
  code: 'none',
  ...more,
});

describe('mode A: the seller operates', () => {
  const line: [ExchangeState, string, string][] = [
    [at(), 'target', 'buyer'],
    [at({ hasTarget: true }), 'start', 'seller'],
    [at({ hasTarget: true, isStarted: true }), 'code', 'buyer'],
    [at({ hasTarget: true, isStarted: true, code: 'sealed' }), 'finish', 'seller'],
    [at({ hasTarget: true, isStarted: true, code: 'read' }), 'finish', 'seller'],
    [at({ hasTarget: true, isStarted: true, code: 'expired' }), 'start', 'seller'],
    [at({ hasTarget: true, isTargetRefused: true, isStarted: true }), 'target', 'buyer'],
  ];
  test.each(line)('%j', (state, move, actor) => {
    expect([nextMove(state), exchangeActor(state)]).toEqual([move, actor]);
  });

  test('only the buyer seals the number and the code, only the seller starts, refuses and asks again', () => {
    const state = at({ hasTarget: true, isStarted: true, code: 'read' });
    expect(allowedActions(state, 'buyer', false)).toEqual(['target', 'code', 'more']);
    expect(allowedActions(state, 'seller', false)).toEqual(['refuse', 'again', 'more']);
    expect(allowedActions(at(), 'seller', true)).toEqual([]);
  });

  test('no code is taken for a number that the game refused', () => {
    const state = at({ hasTarget: true, isTargetRefused: true, isStarted: true });
    expect(allowedActions(state, 'buyer', false)).not.toContain('code');
  });
});

describe('mode B: the buyer operates', () => {
  test('the seller only passes on the code of the old phone', () => {
    const own = { operator: 'buyer' } as const;
    expect(movesOf('buyer').map(({ move, actor }) => `${move} ${actor}`)).toEqual([
      'start buyer',
      'code seller',
      'finish buyer',
    ]);
    expect(exchangeActor(at(own))).toBe('buyer');
    expect(exchangeActor(at({ ...own, isStarted: true }))).toBe('seller');
    expect(exchangeActor(at({ ...own, isStarted: true, code: 'sealed' }))).toBe('buyer');
    expect(allowedActions(at({ ...own, isStarted: true }), 'seller', false)).toEqual(['code', 'missing', 'more']);
    expect(allowedActions(at(own), 'buyer', false)).not.toContain('target');
  });
});

test('a step is done by its own party, within an exchange by the party of the next move', () => {
  expect([stepActor({ actor: 'staff' }), stepActor({ actor: 'seller', exchange: null })]).toEqual(['staff', 'seller']);
  expect(stepActor({ actor: 'seller', exchange: at() })).toBe('buyer');
});

const SEALED = at({ hasTarget: true });
const STARTED = at({ hasTarget: true, isStarted: true });
const OWN = at({ operator: 'buyer' });
test.each<[string, ExchangeState, string, string]>([
  ['A, nothing yet', at(), 'target', ''],
  ['A, sealed number', SEALED, 'target', 'refuse start'],
  ['A, refused number', { ...SEALED, isTargetRefused: true }, 'target', ''],
  ['A, started', STARTED, 'target code missing', 'refuse undo'],
  ['A, sealed code', { ...STARTED, code: 'sealed' }, 'target code', 'refuse again'],
  ['A, expired code', { ...STARTED, code: 'expired' }, 'target code', 'refuse start'],
  ['B, nothing yet', OWN, 'start', ''],
  ['B, started', { ...OWN, isStarted: true }, 'undo', 'code missing'],
  ['B, sealed code', { ...OWN, isStarted: true, code: 'sealed' }, 'again', 'code'],
  ['B, read code', { ...OWN, isStarted: true, code: 'read' }, 'again', 'code'],
  ['B, expired code', { ...OWN, isStarted: true, code: 'expired' }, 'start', 'code'],
  ['B, a code before the start', { ...OWN, code: 'sealed' }, 'start', ''],
])('%s: what buyer and seller can do', (_, state, buyer, seller) => {
  expect(allowedActions(state, 'buyer', true).join(' ')).toBe(buyer);
  expect(allowedActions(state, 'seller', true).join(' ')).toBe(seller);
});

test('codes and hints are checked by their form', () => {
  expect([CODE_SECONDS, CODE_READ_SECONDS, MORE_SECONDS]).toEqual([600, 60, 1800]);
  expect(['-417093', '417093-'].some(isCode)).toBe(false);
  expect(targetHint('mail', '')).toBe('•••@');
  expect(['417093', '12345678', 'ab12'].every(isCode)).toBe(true);
  expect(['123', '123456789', '12 34', ''].some(isCode)).toBe(false);
  expect(targetHint('phone', '13812342046')).toBe('138 •••• 2046');
  expect(targetHint('mail', 'abcdef@qq.com')).toBe('ab•••@qq.com');
});
