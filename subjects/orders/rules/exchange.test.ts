import { describe, expect, test } from 'vitest';
import {
  allowedActions,
  exchangeActor,
  type ExchangeState,
  isCode,
  movesOf,
  nextMove,
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

test('codes and hints', () => {
  expect(['417093', '12345678', 'ab12'].every(isCode)).toBe(true);
  expect(['123', '123456789', '12 34', ''].some(isCode)).toBe(false);
  expect(targetHint('phone', '13812342046')).toBe('138 •••• 2046');
  expect(targetHint('mail', 'abcdef@qq.com')).toBe('ab•••@qq.com');
});
