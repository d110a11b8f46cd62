import { expect, test } from 'vitest';
import { cancelButton, headline } from './service-headline.ts';

const split = {
  reason: 'plan' as const,
  reasonName: '计划有变，按进度结算',
  buyer: '40.00',
  paid: '40.00',
  seller: '0.00',
  fee: '0.80',
  efficiency: '10.00',
  efficiencyToBuyer: false,
};
const answerBy = '2026-11-27T10:00:00+08:00';
const cancel = { askedBy: 'buyer' as const, reason: split.reasonName, answerBy, split };
const paused = {
  state: 'paused' as const,
  stateName: '已暂停',
  milestones: [],
  late: null,
  efficiencyDeposit: '10.00',
  waits: null,
  presence: null,
  accountReady: true,
  cancel,
  disputed: false,
};

test('a cancel that waits for its answer is what is due, whatever else the order does', () => {
  const asked = headline({ ...paused, viewer: 'seller' });
  expect(asked).toMatchObject({ title: '买家申请取消，请答复', mine: true });
  expect(asked.note).toContain('2026-11-27 10:00 前没有答复，转客服裁决');
  const asker = headline({ ...paused, viewer: 'buyer' });
  expect(asker).toMatchObject({ title: '已申请取消，等对方答复', mine: false });
  expect(asker.note).toContain('可以撤回');
  expect(headline({ ...paused, viewer: 'buyer', cancel: { ...cancel, askedBy: 'seller' } }).title).toBe(
    '打手申请取消，请答复',
  );
  expect(headline({ ...paused, viewer: 'seller', cancel: null }).title).toBe('服务已暂停');
  expect(headline({ ...paused, viewer: 'seller', disputed: true })).toEqual({
    title: '申诉处理中，计时与操作已停',
    note: '',
    mine: false,
  });
});

test('only the other party deals with a request; who asked looks at it', () => {
  expect(cancelButton({ viewer: 'buyer', cancel })).toBe('查看取消申请');
  expect(cancelButton({ viewer: 'seller', cancel })).toBe('处理取消申请');
  expect(cancelButton({ viewer: 'seller', cancel: null })).toBe('协商取消');
});

test('while the buyer is missing, the booster sees from when on leaving is free', () => {
  const missing = { buyerStarted: false, sellerStarted: true, freeTime: null, isFree: false, waitText: '2 小时' };
  const noteOf = (presence: Partial<typeof missing>) =>
    headline({
      ...paused,
      viewer: 'seller',
      state: 'working',
      cancel: null,
      presence: { ...missing, ...presence },
    }).note;
  expect(noteOf({})).toBe('约定时间从买家到场算起。买家不到，保证金全部退回您。');
  expect(noteOf({ isFree: true })).toBe('约定时间从买家到场算起。现在放弃不扣保证金；买家不到，保证金全部退回您。');
});
