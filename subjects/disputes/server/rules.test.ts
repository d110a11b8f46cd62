import { describe, expect, it } from 'vitest';
import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import {
  actionsOf,
  answerSeconds,
  canAgree,
  checkedResponses,
  depositRoleOf,
  type DisputeState,
  fieldsOf,
  labelledAnswers,
  openerParty,
  outcomeName,
  statusName,
  wantedFen,
  wantName,
  wantsOf,
} from './rules.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const state = (change: Partial<DisputeState> = {}): DisputeState => ({
  status: 'open',
  openerBelong: 1,
  want: 'refund',
  orderStatus: OrderStatus.Shipped,
  answered: false,
  accepted: { buyer: false, seller: false },
  appealed: false,
  appealUntil: null,
  ...change,
});

describe('what a party may do', () => {
  it.each([
    ['the opener of an open one', state(), 'buyer', ['evidence', 'withdraw']],
    ['the other party', state(), 'seller', ['answer', 'agree', 'evidence']],
    ['the other party after the answer', state({ answered: true }), 'seller', ['agree', 'evidence']],
    ['while it waits for an answer', state({ status: 'answering' }), 'seller', ['answer', 'agree', 'evidence']],
    ['with the evidence there is', state({ status: 'evidence' }), 'buyer', ['evidence', 'withdraw']],
    ['where agreeing carries nothing out', state({ want: 'redo' }), 'seller', ['answer', 'evidence']],
    ['a seller who opened it', state({ openerBelong: 0 }), 'seller', ['evidence', 'withdraw']],
    ['during an appeal', state({ status: 'appealed' }), 'seller', ['evidence']],
    ['after its end', state({ status: 'closed' }), 'buyer', []],
    ['after a ruling without a time to appeal', state({ status: 'ruled' }), 'buyer', []],
  ] as const)('%s', (_name, one, party, actions) => {
    expect(actionsOf(one, party, NOW)).toEqual(actions);
  });

  it('after a ruling depends on the time, and on what was done', () => {
    const ruled = (change: Partial<DisputeState>) => actionsOf(state({ status: 'ruled', ...change }), 'buyer', NOW);
    const [later, earlier] = [new Date(NOW.getTime() + 1), new Date(NOW.getTime())];
    expect(ruled({ appealUntil: later })).toEqual(['accept', 'appeal']);
    expect(ruled({ appealUntil: earlier })).toEqual([]);
    expect(ruled({ appealUntil: later, appealed: true })).toEqual(['accept']);
    expect(ruled({ appealUntil: later, status: 'closed' })).toEqual([]);
    expect(ruled({ appealUntil: later, accepted: { buyer: true, seller: false } })).toEqual(['appeal']);
    expect(ruled({ appealUntil: later, accepted: { buyer: false, seller: true } })).toEqual(['accept', 'appeal']);
  });

  it('agreeing to a release needs goods that were shipped', () => {
    const may = (want: DisputeState['want'], orderStatus: number) => canAgree({ want, orderStatus });
    expect([may('refund', 1), may('part_refund', 1), may('continue', OrderStatus.Shipped)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([may('release', OrderStatus.Shipped), may('release', OrderStatus.Completed)]).toEqual([true, false]);
    expect([openerParty(1), openerParty(0)]).toEqual(['buyer', 'seller']);
  });
});

describe('what is asked for', () => {
  it('is for some a matter of one party', () => {
    expect(wantsOf('buyer').map(({ key }) => key)).toEqual(['refund', 'part_refund', 'redo', 'continue', 'other']);
    expect(wantsOf('seller').map(({ key }) => key)).toEqual(['continue', 'release', 'other']);
    expect(
      wantsOf('buyer')
        .filter(({ takesAmount }) => takesAmount)
        .map(({ key }) => key),
    ).toEqual(['part_refund']);
    expect(wantsOf('seller').filter(({ takesAmount }) => takesAmount)).toEqual([]);
    expect(wantName('release')).toBe('放款给卖家');
  });

  it.each([
    ['buyer', 'refund', undefined, 10_000],
    ['buyer', 'part_refund', 1, 1],
    ['buyer', 'part_refund', 9_999, 9_999],
    ['buyer', 'redo', 500, 0],
    ['seller', 'release', undefined, 0],
  ] as const)('by the %s: %s of %o is %i fen', (party, want, amountFen, fen) => {
    expect(wantedFen(party, want, amountFen, 10_000)).toBe(fen);
  });

  it.each([
    ['seller', 'refund', undefined, '请重新选择诉求'],
    ['buyer', 'part_refund', undefined, '请填写希望退回的金额'],
    ['buyer', 'part_refund', 10_000, '部分退款须低于商品价，全部退款请选全额退款'],
  ] as const)('by the %s: %s of %o is refused', (party, want, amountFen, message) => {
    expect(() => wantedFen(party, want, amountFen, 10_000)).toThrow(expect.objectContaining({ text: message }));
  });
});

describe('the answers of a form', () => {
  const form = [
    { key: 'sent', label: '发了多少', kind: 'amount', side: 'seller', required: true },
    { key: 'ok', label: '是否一致', kind: 'yes_no', side: 'both', required: false },
    { key: 'how', label: '方式', kind: 'choice', side: 'both', required: false, options: ['面交', '邮寄'] },
    { key: 'at', label: '时间', kind: 'time', side: 'buyer', required: false },
    { key: 'note', label: '说明', kind: 'text', side: 'buyer', required: false },
  ] as unknown as DisputeField[];

  it('are those of the party and of both, trimmed; others are dropped', () => {
    expect(fieldsOf(form, 'buyer').map(({ key }) => key)).toEqual(['ok', 'how', 'at', 'note']);
    const typed = { sent: ' 3.50 ', ok: 'no', how: '', at: 'x', foreign: '1' };
    expect(checkedResponses(form, 'seller', typed)).toEqual({ sent: '3.50', ok: 'no' });
    const whole = { ok: 'yes', how: '邮寄', at: '2026-11-20T12:00', note: '一样' };
    expect(checkedResponses(form, 'buyer', { ...whole, sent: '1' })).toEqual(whole);
    // A choice without options has no right answer.
    const bare = [
      { key: 'how', label: '方式', kind: 'choice', side: 'both', required: false },
    ] as unknown as DisputeField[];
    expect(() => checkedResponses(bare, 'buyer', { how: '邮寄' })).toThrow(
      expect.objectContaining({ field: 'answers.how' }),
    );
  });

  it.each([
    ['seller', {}, '请填写「发了多少」', 'answers.sent'],
    ['seller', { sent: '   ' }, '请填写「发了多少」', 'answers.sent'],
    ['seller', { sent: '三块' }, '「发了多少」填写不正确', 'answers.sent'],
    ['buyer', { ok: 'maybe' }, '「是否一致」填写不正确', 'answers.ok'],
    ['buyer', { how: '电话' }, '「方式」填写不正确', 'answers.how'],
    ['buyer', { at: '昨天' }, '「时间」填写不正确', 'answers.at'],
  ] as const)('reject input of the %s: %o: %s', (party, typed, text, field) => {
    expect(() => checkedResponses(form, party, typed)).toThrow(expect.objectContaining({ text, field }));
  });

  it('are displayed with their labels, codes as text', () => {
    const answers = { ok: 'yes', at: '2026-11-20T12:00', note: 'T1 一样' };
    expect(labelledAnswers(form, answers)).toEqual([
      { label: '是否一致', value: '是' },
      { label: '时间', value: '2026-11-20 12:00' },
      { label: '说明', value: 'T1 一样' },
    ]);
    expect(labelledAnswers(form, { ok: 'no' })[0]?.value).toBe('否');
  });
});

describe('the end of a dispute', () => {
  it.each([
    [null, null, null],
    ['withdrawn', 10_000, '申诉方撤回'],
    ['settled', 0, '双方协商：不退款'],
    ['settled', 9_999, '双方协商：部分退款'],
    ['ruled', 10_000, '平台裁决：全额退款'],
    ['ruled', 10_001, '平台裁决：全额退款'],
    ['ruled', null, '平台裁决：不退款'],
  ])('%s with %o fen back is named %s', (outcome, backFen, name) => {
    expect(outcomeName({ outcome, backFen, goodsFen: 10_000 })).toBe(name);
  });
});

it('coins are answered sooner, and each trade has its deposit', () => {
  const setting = { answerSeconds: 100, answerCoinSeconds: 10 } as Parameters<typeof answerSeconds>[0];
  expect([1, 2, 22, 27, 53, 60].map((type) => answerSeconds(setting, type))).toEqual([100, 10, 10, 10, 10, 100]);
  expect([1, 53, 60, 61].map((type) => depositRoleOf(type, 'seller'))).toEqual([
    'seller',
    'shop',
    'booster',
    'companion',
  ]);
  expect([1, 52].map((type) => depositRoleOf(type, 'buyer'))).toEqual([undefined, 'recycler']);
  expect([52, 99].map((type) => depositRoleOf(type, 'seller'))).toEqual(['seller', 'seller']);
  expect(statusName('evidence')).toBe('待裁决');
});
