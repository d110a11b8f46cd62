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
  expect(noteOf('come', { presence: missing })).toBe('约定时间从双方到场算起。买家不到，保证金全部退回您。');
  expect(noteOf('come', { presence: { ...missing, isFree: true } })).toBe(
    '约定时间从双方到场算起。现在放弃不扣保证金；买家不到，保证金全部退回您。',
  );
});

test('before the acceptance the buyer reads that cancelling is free, the provider what there is to accept', () => {
  expect(noteOf('accept')).toBe('');
  expect(noteOf('accept', { typeId: COMPANION_PLAY })).not.toContain('保证金');
  expect(noteOf('accept', { typeId: COMPANION_PLAY, viewer: 'buyer' })).toContain('现在取消也免费');
});

const AT = '2026-11-27T10:00:00+08:00';
const FREE = '2026-11-26T10:00:00+08:00';
const presence = { buyerStarted: false, sellerStarted: false, freeTime: null, isFree: false, waitText: '2 小时' };
const waits = { by: AT, freeTime: null, isFree: false };
const late = { by: AT, isJudged: false };
const stage = (state: 'submitted' | 'open', silencePays: boolean) =>
  ({ seq: 1, state, silencePays }) as unknown as Input['milestones'][number];
const there = (buyerStarted: boolean, sellerStarted: boolean) =>
  ({ buyerStarted, sellerStarted }) as NonNullable<Input['play']>;
const FINAL = '确认后这一段的款项付给打手，付后不可追回；有问题请先退回或申诉。';

test.each<[Input['due']['kind'], Partial<Input>, string, string]>([
  ['cancel', {}, '', ''],
  [
    'cancel',
    { cancel: { ...cancel, answerBy: null } },
    '同意后按「申请中的取消方案」立即结算；没有答复的申请由客服裁决。',
    '没有答复的申请由客服裁决。在此之前可以撤回。',
  ],
  [
    'cancel',
    { cancel },
    '同意后按「申请中的取消方案」立即结算；2026-11-27 10:00 前没有答复，转客服裁决。',
    '2026-11-27 10:00 前没有答复，转客服裁决。在此之前可以撤回。',
  ],
  ['accept', { typeId: COMPANION_PLAY }, '接单后请按时上线。', '超时未接单，货款自动全额退回；现在取消也免费。'],
  ['accept', {}, '', '超时未接单，货款自动全额退回；现在取消也免费。'],
  ['late', {}, '', ''],
  [
    'late',
    { late },
    '请提交进度，或申请加时、协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回买家，效率保证金归买家。',
    '可以按超时取消、同意加时或申诉。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回您，效率保证金归您。',
  ],
  [
    'late',
    { late, efficiencyDeposit: '0.00' },
    '请提交进度，或申请加时、协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回买家。',
    '可以按超时取消、同意加时或申诉。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回您。',
  ],
  [
    'late',
    // A buyer who never came is not compensated.
    { late, presence },
    '请上线点「我到了」，或协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回买家。',
    '请上线点「我到了」，或协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回您。',
  ],
  [
    'late',
    { late, presence: { ...presence, sellerStarted: true } },
    '买家没有到场，可以放弃订单或协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回买家。',
    '请上线点「我到了」，或协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回您。',
  ],
  [
    'late',
    { late, presence: { ...presence, buyerStarted: true } },
    '请上线点「我到了」，或协商取消。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回买家，效率保证金归买家。',
    '可以按超时取消、同意加时或申诉。双方到 2026-11-27 10:00 都没有操作，未确认的货款退回您，效率保证金归您。',
  ],
  [
    'late',
    { late: { ...late, isJudged: true } },
    '请提交进度，或申请加时、协商取消。双方到 2026-11-27 10:00 都没有操作，转客服核对进度后裁决。',
    '可以按超时取消、同意加时或申诉。双方到 2026-11-27 10:00 都没有操作，转客服核对进度后裁决。',
  ],
  ['paused', {}, '暂停期间不计时，任意一方可继续。', '暂停期间不计时，任意一方可继续。'],
  ['stage', { milestones: [stage('submitted', true)] }, '买家确认或到时自动确认后，这一段到您的余额。', FINAL],
  [
    'stage',
    { milestones: [stage('open', true), stage('submitted', false)] },
    '上一段是到时自动付款的：这一段到时视为确认，款项留在托管，买家确认或订单完成时付给您。',
    FINAL,
  ],
  [
    'stage',
    { milestones: [] },
    '上一段是到时自动付款的：这一段到时视为确认，款项留在托管，买家确认或订单完成时付给您。',
    FINAL,
  ],
  ['account', {}, '', ''],
  [
    'account',
    { waits },
    '提交后开始计时。2026-11-27 10:00 前仍未提交，订单自动全额退款，保证金退回您。',
    '约定时间从您提交时算起。2026-11-27 10:00 前仍未提交，订单自动全额退款。',
  ],
  [
    'account',
    { waits: { ...waits, freeTime: FREE } },
    '提交后开始计时。2026-11-26 10:00 起放弃不扣保证金；2026-11-27 10:00 前仍未提交，订单自动全额退款，保证金退回您。',
    '约定时间从您提交时算起。2026-11-27 10:00 前仍未提交，订单自动全额退款。',
  ],
  [
    'account',
    { waits: { ...waits, freeTime: FREE, isFree: true } },
    '提交后开始计时。现在放弃不扣保证金；2026-11-27 10:00 前仍未提交，订单自动全额退款，保证金退回您。',
    '约定时间从您提交时算起。2026-11-27 10:00 前仍未提交，订单自动全额退款。',
  ],
  [
    'booked',
    {},
    '开始前 15 分钟起可以点「我到了」，双方都点了才计时。',
    '开始前 15 分钟起可以点「我到了」，双方都点了才计时。',
  ],
  ['prolongs', {}, '上一段结束后自动接着计时，不用再点。', '上一段结束后自动接着计时，不用再点。'],
  ['come', {}, '双方都点了才开始计时。您不点会按未到场处理。', '双方都点了才开始计时。您不点会按未到场处理。'],
  [
    'come',
    { play: there(true, false) },
    '双方都点了才开始计时。您不点会按未到场处理。',
    '双方都点了才开始计时。对方不到，自动全额退款。',
  ],
  [
    'come',
    { play: there(false, true) },
    '双方都点了才开始计时。买家不到，按等候时间结算给您。',
    '双方都点了才开始计时。您不点会按未到场处理。',
  ],
  [
    'come',
    { presence },
    '约定时间从双方到场算起。点了以后买家 2 小时内没有到场，放弃不扣保证金。',
    '约定时间从双方到场算起。您一直不到场，打手不担责，订单到时退款。',
  ],
  [
    'come',
    { presence: { ...presence, buyerStarted: true, freeTime: FREE } },
    '约定时间从双方到场算起。买家已到场，等满 2 小时可以按超时取消。',
    '约定时间从双方到场算起。打手不到，2026-11-26 10:00 起可以按超时取消。',
  ],
  ['come', { presence: { ...presence, buyerStarted: true, sellerStarted: true } }, '', ''],
  [
    'come',
    { presence: { ...presence, sellerStarted: true, freeTime: FREE } },
    '约定时间从双方到场算起。2026-11-26 10:00 起放弃不扣保证金；买家不到，保证金全部退回您。',
    '约定时间从双方到场算起。您一直不到场，打手不担责，订单到时退款。',
  ],
  [
    'come',
    { presence: { ...presence, sellerStarted: true, freeTime: FREE, isFree: true } },
    '约定时间从双方到场算起。现在放弃不扣保证金；买家不到，保证金全部退回您。',
    '约定时间从双方到场算起。您一直不到场，打手不担责，订单到时退款。',
  ],
  ['work', {}, '账号资料在「代练进度」第 1 步的「密封信息」里打开。完成一段，提交一段的截图。', ''],
  ['work', { accountReady: false }, '买家还没有提交账号资料。', '请先提交账号资料，打手才能开始。'],
  // Orders in which both play hand over no account.
  ['work', { accountReady: null as unknown as boolean }, '完成一段，提交一段的截图。', ''],
  ['play', {}, '提前结束按实际分钟结算；时间到了自动结束。', '提前结束按实际分钟结算；时间到了自动结束。'],
  ['end', {}, '到时自动生效；时长或服务有问题，请在此之前申诉。', '到时自动生效；时长或服务有问题，请在此之前申诉。'],
  ['disputed', {}, '', ''],
  ['check', {}, '', ''],
  ['over', {}, '', ''],
])('%s with %o: the provider reads “%s”, the buyer “%s”', (kind, part, seller, buyer) => {
  expect([noteOf(kind, part), noteOf(kind, { ...part, viewer: 'buyer' })]).toEqual([seller, buyer]);
});
