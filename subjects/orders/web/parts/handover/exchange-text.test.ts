import { describe, expect, test } from 'vitest';
import { hintEnd, moveNote, moveTitle } from './exchange-text.ts';
import type { Exchange } from './handover-step.ts';

type Move = Exchange['moves'][number];
const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  kind: 'phone',
  operator: 'seller',
  moves: [],
  acts: [],
  ownHint: null,
  targetHint: '138 •••• 2046',
  targetOpenedTime: null,
  isTargetRefused: false,
  canOpenTarget: false,
  code: 'none',
  codeUntil: null,
  canOpenCode: false,
  isCodeMissing: false,
  isExtended: false,
  ...more,
});
const move = (name: Move['move'], more: Partial<Move> = {}): Move => ({
  move: name,
  actor: 'buyer',
  mine: true,
  state: 'current',
  time: null,
  ...more,
});

describe('mode A', () => {
  test('the buyer reads where the code arrives and who reads it', () => {
    expect(moveTitle(exchange(), move('code'))).toBe('填新手机刚收到的验证码');
    expect(moveNote(exchange(), move('code'))).toBe('发到尾号 2046。封存后只有卖家能看，10 分钟内有效，看过即失效');
  });

  test('each side is addressed about what is sealed', () => {
    const done = move('code', { state: 'done' });
    expect(moveNote(exchange({ code: 'sealed' }), done)).toBe('已封存，等卖家查看');
    expect(moveNote(exchange({ code: 'sealed' }), { ...done, mine: false })).toBe('已封存，等您查看');
    const start = move('start', { actor: 'seller', state: 'done' });
    expect(moveNote(exchange(), start)).toBe('旧手机的码由您自己填，不经过买家');
    expect(moveNote(exchange(), { ...start, mine: false })).toBe('旧手机的码由卖家自己填，不经过您');
  });

  test('a refused number, a missing and an expired code say what to do', () => {
    expect(moveNote(exchange({ isTargetRefused: true }), move('target'))).toContain('请换一个');
    const start = move('start', { actor: 'seller' });
    expect(moveNote(exchange({ isCodeMissing: true }), start)).toContain('没有收到验证码');
    expect(moveNote(exchange({ code: 'expired' }), start)).toContain('已过期');
  });
});

test('mode B: the buyer operates, the code of the old phone comes from the seller', () => {
  const b = exchange({ operator: 'buyer', targetHint: null });
  expect(moveTitle(b, move('start'))).toBe('登录游戏点「更换手机」，把验证码发到旧手机');
  expect(moveNote(b, move('code', { actor: 'seller' }))).toBe('封存后只有买家能看，10 分钟内有效，看过即失效');
});

test('the end of a number, or a whole address', () => {
  expect([hintEnd('138 •••• 2046'), hintEnd('ab•••@qq.com')]).toEqual(['尾号 2046', 'ab•••@qq.com']);
});
