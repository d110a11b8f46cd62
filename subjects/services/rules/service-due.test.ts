import { expect, test } from 'vitest';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { orderHeadline } from '#subjects/orders/rules/order-text.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { type ServiceDueInput, serviceDueKind, serviceHeadline, serviceReminder, wasPlayed } from './service-due.ts';

const service = (part: Partial<ServiceDueInput>): ServiceDueInput => ({
  typeId: BOOSTING,
  state: 'working',
  disputed: false,
  cancelBy: null,
  isLate: false,
  submittedSeq: null,
  isTogether: false,
  buyerStarted: false,
  sellerStarted: false,
  startsAt: null,
  isNear: true,
  prolongs: false,
  endBy: null,
  ...part,
});
const play = (part: Partial<ServiceDueInput>) => service({ typeId: COMPANION_PLAY, isTogether: true, ...part });

test.each<[string, ServiceDueInput, string, string, string, string | null]>([
  ['accept', service({ state: 'pending' }), '等待打手接单', '请接单', '等待打手接单', 'seller'],
  ['account', service({ state: 'waiting' }), '请提交账号资料', '等待买家提交账号资料', '等待买家提交账号资料', 'buyer'],
  ['work', service({}), '正在代练', '正在代练', '正在代练', 'seller'],
  ['stage', service({ submittedSeq: 2 }), '请确认第 2 段', '等待买家确认第 2 段', '等待买家确认第 2 段', 'buyer'],
  ['check', service({ state: 'checking' }), '请验收代练结果', '等待买家验收代练结果', '等待买家验收代练结果', 'buyer'],
  ['late', service({ isLate: true }), '已超过约定时间', '已超过约定时间', '已超过约定时间', 'seller'],
  ['paused', service({ state: 'paused' }), '服务已暂停', '服务已暂停', '服务已暂停', null],
  [
    'cancel',
    service({ cancelBy: 'buyer' }),
    '等待打手答复取消申请',
    '请答复取消申请',
    '等待打手答复取消申请',
    'seller',
  ],
  ['disputed', service({ disputed: true, cancelBy: 'buyer' }), '申诉处理中', '申诉处理中', '申诉处理中', 'staff'],
  ['come', service({ isTogether: true }), '请上线并点「我到了」', '请上线并点「我到了」', '等待双方到场', 'seller'],
  [
    'come',
    service({ isTogether: true, sellerStarted: true }),
    '对方到了，请您到场',
    '等待买家到场',
    '等待买家到场',
    'buyer',
  ],
  [
    'work',
    service({ isTogether: true, sellerStarted: true, buyerStarted: true }),
    '正在代练',
    '正在代练',
    '正在代练',
    'seller',
  ],
  ['accept', play({ state: 'pending' }), '等待陪玩接单', '请接单', '等待陪玩接单', 'seller'],
  [
    'booked',
    play({ state: 'waiting', isNear: false, startsAt: '2026-11-29T20:00:00+08:00' }),
    '已约好 11-29 20:00 开始',
    '已约好 11-29 20:00 开始',
    '已约好 11-29 20:00 开始',
    null,
  ],
  [
    'come',
    play({ state: 'waiting', buyerStarted: true }),
    '等待陪玩到场',
    '对方到了，请您到场',
    '等待陪玩到场',
    'seller',
  ],
  ['prolongs', play({ state: 'waiting', prolongs: true }), '加钟已接单', '加钟已接单', '加钟已接单', null],
  ['play', play({}), '正在陪玩', '正在陪玩', '正在陪玩', null],
  ['end', play({ state: 'ending', endBy: 'seller' }), '请确认结束', '等待买家确认结束', '等待买家确认结束', 'buyer'],
  ['check', play({ state: 'checking' }), '请确认陪玩时长', '等待买家确认陪玩时长', '等待买家确认陪玩时长', 'buyer'],
])('%s: the same is due for buyer, provider and customer service', (kind, input, buyer, seller, staff, turn) => {
  expect(serviceDueKind(input)).toBe(kind);
  expect(serviceHeadline(input, 'buyer').title).toBe(buyer);
  expect(serviceHeadline(input, 'seller').title).toBe(seller);
  expect(serviceHeadline(input, 'onlooker')).toEqual({ title: staff, turn });
  // A service has no seller, no shipping and no receipt.
  for (const title of [buyer, seller, staff, serviceHeadline(input, 'staff').title])
    expect(title).not.toMatch(/卖家|发货|收货/);
});

test('where both can act, it is the turn of the reader', () => {
  const late = service({ isLate: true });
  expect(serviceHeadline(late, 'buyer')).toEqual({ title: '已超过约定时间', turn: 'buyer' });
  expect(serviceHeadline(late, 'seller').turn).toBe('seller');
  expect(serviceHeadline(service({ isTogether: true }), 'buyer').turn).toBe('buyer');
});

test('a reminder says what to do, also where the headline names a state', () => {
  expect(serviceReminder(service({}))).toBe('请继续代练并提交进度');
  expect(serviceReminder(service({ isLate: true }))).toBe('已超过约定时间，请尽快完成');
  expect(serviceReminder(service({ state: 'pending' }))).toBeNull();
});

test('an order of a service has the headline of its service while it is paid', () => {
  const order = {
    status: OrderStatus.Paid,
    statusName: '待完成',
    tradedTypeId: BOOSTING,
    handover: [{ key: 'credentials', title: '提交账号资料', actor: 'buyer', state: 'current' as const }],
    cancelAsked: false,
    cutAsked: false,
    takeOver: null,
    disputed: false,
    service: service({ state: 'pending' }),
  };
  expect(orderHeadline(order, 'buyer')).toEqual({ title: '等待打手接单', turn: 'seller' });
  expect(orderHeadline({ ...order, status: OrderStatus.Unpaid }, 'buyer').title).toBe('请付款');
  // Companion play that took place is over, not cancelled; one that did not is.
  const cancelled = {
    ...order,
    status: OrderStatus.BuyerCancelled,
    statusName: '已取消',
    tradedTypeId: COMPANION_PLAY,
  };
  const ended = play({ state: 'ended', buyerStarted: true, sellerStarted: true });
  expect(orderHeadline({ ...cancelled, service: ended }, 'buyer')).toEqual({ title: '陪玩已结束', turn: null });
  expect(orderHeadline({ ...cancelled, service: { ...ended, buyerStarted: false } }, 'buyer').title).toBe('已取消');
  expect(orderHeadline({ ...order, status: OrderStatus.Completed, statusName: '交易成功' }, 'buyer')).toEqual({
    title: '交易成功',
    turn: null,
  });
});

test.each([
  [service({ state: 'done', disputed: true }), '代练已结束'],
  [service({ state: 'ended', cancelBy: 'buyer' }), '代练已结束'],
  [play({ state: 'done', disputed: true }), '陪玩已结束'],
  [play({ state: 'ended' }), '陪玩已结束'],
])('a service that is over has no next step, whatever was open: %o', (over, title) => {
  expect(serviceDueKind(over)).toBe('over');
  expect(serviceHeadline(over, 'buyer')).toEqual({ title, turn: null });
});

test('companion play has its meeting when the hour is near, or as soon as one party is there', () => {
  const kindOf = (part: Partial<ServiceDueInput>) => serviceDueKind(play({ state: 'waiting', isNear: false, ...part }));
  expect(kindOf({})).toBe('booked');
  expect([{ isNear: true }, { buyerStarted: true }, { sellerStarted: true }].map(kindOf)).toEqual([
    'come',
    'come',
    'come',
  ]);
  expect(serviceHeadline(play({ state: 'waiting', isNear: false }), 'buyer').title).toBe('已约好时间');
});

test('it is nobody’s turn once both are there, or when it is unknown who ended the play', () => {
  const both = play({ state: 'waiting', buyerStarted: true, sellerStarted: true });
  expect((['buyer', 'seller', 'staff'] as const).map((viewer) => serviceHeadline(both, viewer).turn)).toEqual([
    null,
    null,
    null,
  ]);
  expect(serviceHeadline(play({ state: 'ending', endBy: null }), 'buyer').turn).toBeNull();
});

test.each<[Partial<ServiceDueInput>, boolean]>([
  [{ state: 'ended' }, true],
  [{ state: 'done' }, true],
  [{ state: 'working' }, false],
  [{ state: 'done', buyerStarted: false }, false],
  [{ state: 'done', sellerStarted: false }, false],
  [{ state: 'done', typeId: BOOSTING }, false],
])('companion play with %o was played: %s', (part, expected) => {
  expect(wasPlayed(play({ buyerStarted: true, sellerStarted: true, ...part }))).toBe(expected);
});
