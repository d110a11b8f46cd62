import { expect, test } from 'vitest';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { cancelButton, serviceNote } from './service-note.ts';

type Input = Parameters<typeof serviceNote>[0];

const split = {
  reason: 'plan' as const,
  reasonName: '计划有变，按进度结算',
  buyer: '40.00',
  provider: '37.00',
  paid: '37.00',
  fee: '3.80',
  efficiency: '10.00',
  efficiencyToBuyer: false,
};
const cancel = {
  askedBy: 'buyer' as const,
  reason: split.reasonName,
  answerBy: '2026-11-27T10:00:00+08:00',
  split,
};
const noteOf = (kind: Input['due']['kind'], part: Partial<Input> = {}): string =>
  serviceNote({
    typeId: BOOSTING,
    viewer: 'seller',
    due: { title: '', turn: null, kind },
    milestones: [],
    late: null,
    efficiencyDeposit: '10.00',
    waits: null,
    presence: null,
    accountReady: true,
    cancel: null,
    play: null,
    ...part,
  });

test('a cancel that waits for its answer says until when, and only its author can withdraw it', () => {
  expect(noteOf('cancel', { cancel })).toContain('2026-11-27 10:00 前没有答复，转客服裁决');
  expect(noteOf('cancel', { cancel })).not.toContain('撤回');
  expect(noteOf('cancel', { cancel, viewer: 'buyer' })).toContain('可以撤回');
});

test('only the other party deals with a request; who asked looks at it', () => {
  expect(cancelButton({ viewer: 'buyer', cancel })).toBe('查看取消申请');
  expect(cancelButton({ viewer: 'seller', cancel })).toBe('处理取消申请');
  expect(cancelButton({ viewer: 'seller', cancel: null })).toBe('协商取消');
});

test('while the buyer is missing, the booster sees from when on leaving is free', () => {
  const missing = { buyerStarted: false, sellerStarted: true, freeTime: null, isFree: false, waitText: '2 小时' };
  expect(noteOf('come', { presence: missing })).toBe('约定时间从买家到场算起。买家不到，保证金全部退回您。');
  expect(noteOf('come', { presence: { ...missing, isFree: true } })).toBe(
    '约定时间从买家到场算起。现在放弃不扣保证金；买家不到，保证金全部退回您。',
  );
});

test('before the acceptance the buyer reads that cancelling is free, the provider what there is to accept', () => {
  expect(noteOf('accept')).toBe('');
  expect(noteOf('accept', { typeId: COMPANION_PLAY })).not.toContain('保证金');
  expect(noteOf('accept', { typeId: COMPANION_PLAY, viewer: 'buyer' })).toContain('现在取消也免费');
});
