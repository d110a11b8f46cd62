import { describe, expect, test } from 'vitest';
import { hintEnd, moveNote, moveTitle, partyOf } from './exchange-text.ts';
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

test.each([
  ['buyer', true, '您'],
  ['seller', true, '您'],
  ['buyer', false, '买家'],
  ['seller', false, '卖家'],
] as const)('the party of a move of the %s (own: %o) is %s', (actor, mine, label) => {
  expect(partyOf({ actor, mine })).toBe(label);
});

const B = { operator: 'buyer', targetHint: null } as const;

test.each<[Partial<Exchange>, Move['move'], Partial<Move>, string]>([
  [{}, 'target', {}, '封存您的新手机号'],
  [{}, 'target', { mine: false }, '等买家封存新手机号'],
  [{}, 'target', { state: 'done' }, '新手机号已封存'],
  [{}, 'target', { state: 'done', mine: false }, '新手机号已封存'],
  [{ kind: 'mail' }, 'target', {}, '封存您的新邮箱'],
  [{}, 'start', { actor: 'seller' }, '在游戏里点「更换手机」，填旧手机的码'],
  [B, 'start', {}, '登录游戏点「更换手机」，把验证码发到旧手机'],
  [{ ...B, kind: 'mail' }, 'start', {}, '登录游戏点「更换邮箱」，把验证码发到旧邮箱'],
  [{}, 'code', {}, '填新手机刚收到的验证码'],
  [{}, 'code', { mine: false }, '新手机收到的验证码'],
  [B, 'code', { actor: 'seller' }, '填旧手机刚收到的验证码'],
  [B, 'code', { actor: 'seller', mine: false }, '旧手机收到的验证码'],
  [{}, 'finish', { actor: 'seller' }, '把码填进游戏，传成功截图'],
  [{}, 'finish', { actor: 'seller', mine: false }, '把码填进游戏，传成功截图'],
  [B, 'finish', {}, '把码填进游戏，绑上您自己的新手机'],
  [B, 'finish', { mine: false }, '把码填进游戏，绑上自己的新手机'],
])('of %o the move %s %o is titled “%s”', (more, name, part, title) => {
  expect(moveTitle(exchange(more), move(name, part))).toBe(title);
});

test.each<[Partial<Exchange>, Move['move'], Partial<Move>, string]>([
  [{}, 'target', {}, '只有卖家能查看，换绑完成后清除'],
  [{}, 'target', { mine: false }, '买家封存后，在这里查看新手机号'],
  [{}, 'target', { state: 'done' }, ''],
  [{}, 'target', { state: 'done', mine: false }, ''],
  [{ isTargetRefused: true }, 'target', {}, '卖家反映这个号码已被占用或不能用，请换一个'],
  [{ isTargetRefused: true }, 'target', { mine: false }, '您已反映这个号码不能用，等买家换一个'],
  // A refused number is refused whatever state the move is in.
  [{ isTargetRefused: true }, 'target', { state: 'done' }, '卖家反映这个号码已被占用或不能用，请换一个'],
  [{}, 'start', { actor: 'seller' }, '旧手机的码由您自己填，不经过买家；点到「获取验证码」后告诉买家'],
  [{}, 'start', { actor: 'seller', mine: false }, '卖家正在游戏里操作，验证码会发到您的号码'],
  [{}, 'start', { actor: 'seller', state: 'waiting' }, ''],
  [{ isCodeMissing: true, code: 'expired' }, 'start', { actor: 'seller', state: 'waiting' }, ''],
  [B, 'start', { state: 'done' }, ''],
  [B, 'start', {}, ''],
  [B, 'start', { mine: false }, ''],
  [{ isCodeMissing: true }, 'start', { actor: 'seller' }, '对方没有收到验证码，请在游戏里重新获取一次'],
  [{ isCodeMissing: true }, 'start', { actor: 'seller', mine: false }, '您没收到验证码，等对方重新获取'],
  [{ code: 'expired' }, 'start', { actor: 'seller' }, '验证码已过期，请在游戏里重新获取一次'],
  [{ code: 'expired' }, 'start', { actor: 'seller', mine: false }, '验证码已过期，等对方重新获取'],
  [{ ...B, code: 'expired' }, 'start', {}, '验证码已过期，请在游戏里重新获取一次'],
  [{ ...B, isCodeMissing: true }, 'start', { mine: false }, '您没收到验证码，等对方重新获取'],
  [{ code: 'read' }, 'code', { state: 'done' }, '卖家已查看'],
  [{ code: 'read' }, 'code', { state: 'done', mine: false }, '您已查看'],
  [{ ...B, code: 'read' }, 'code', { actor: 'seller', state: 'done' }, '买家已查看'],
  [{ ...B, code: 'sealed' }, 'code', { actor: 'seller', state: 'done' }, '已封存，等买家查看'],
  [{}, 'code', { state: 'waiting' }, ''],
  [{}, 'code', { state: 'waiting', mine: false }, ''],
  [{}, 'code', { mine: false }, '到了会出现在这里，10 分钟内有效，看过即失效'],
  [{ targetHint: null }, 'code', {}, '封存后只有卖家能看，10 分钟内有效，看过即失效'],
  [
    { kind: 'mail', targetHint: 'ab•••@qq.com' },
    'code',
    {},
    '发到ab•••@qq.com。封存后只有卖家能看，10 分钟内有效，看过即失效',
  ],
  // The code of mode B goes to the seller's phone, not to the buyer's number.
  [{ operator: 'buyer' }, 'code', { actor: 'seller' }, '封存后只有买家能看，10 分钟内有效，看过即失效'],
  [{}, 'finish', { actor: 'seller', state: 'waiting' }, '对方封存验证码后才能开始'],
  [{}, 'finish', { actor: 'seller', state: 'waiting', mine: false }, ''],
  [{}, 'finish', { actor: 'seller' }, ''],
  [{}, 'finish', { actor: 'seller', state: 'done' }, ''],
])('of %o the move %s %o has the note “%s”', (more, name, part, note) => {
  expect(moveNote(exchange(more), move(name, part))).toBe(note);
});
