import { expect, test } from 'vitest';
import { OrderStatus } from './order-status.ts';
import {
  dueStep,
  type OrderExplanationInput,
  type OrderTextInput,
  orderExplanation,
  orderHeadline,
  staffLabel,
  turnLabel,
} from './order-text.ts';

const step = (key: string, title: string, actor: string, state: 'done' | 'current' | 'waiting' = 'current') => ({
  key,
  title,
  actor,
  state,
});
const order = (part: Partial<OrderTextInput>): OrderTextInput => ({
  status: 1,
  statusName: '待发货',
  tradedTypeId: 1,
  handover: [],
  cancelAsked: false,
  cutAsked: false,
  takeOver: null,
  disputed: false,
  service: null,
  ...part,
});
const due = (part: Partial<OrderTextInput>) =>
  (['buyer', 'seller', 'staff'] as const).map((viewer) => orderHeadline(order(part), viewer).title);

test('account hand-over: each step as displayed to buyer, seller and staff', () => {
  const at = (key: string, title: string, actor: string) => due({ handover: [step(key, title, actor)] });
  expect(at('credentials', '提交账号资料', 'seller')).toEqual([
    '等待卖家提交账号资料',
    '请提交账号资料',
    '等待卖家提交账号资料',
  ]);
  expect(at('check_login', '核对登录', 'staff')).toEqual(['等待客服验号', '等待客服验号', '请核对登录']);
  expect(at('old_devices', '卖家解除旧设备', 'seller')).toEqual([
    '等待卖家解除旧设备',
    '请解除旧设备',
    '等待卖家解除旧设备',
  ]);
  // Only the actor at the beginning is left out.
  expect(at('call', '卖家联系客服', 'seller')[1]).toBe('请联系客服');
  expect(at('call', '联系客服', 'seller')[1]).toBe('请联系客服');
  // A step of neither party is customer service's.
  expect(orderHeadline(order({ handover: [step('look', '查看', 'platform')] }), 'buyer')).toEqual({
    title: '等待客服查看',
    turn: 'staff',
  });
  expect(at('phone', '换绑手机', 'seller')).toEqual(['正在换绑手机', '正在换绑手机', '正在换绑手机']);
  expect(at('accept', '验收与确认', 'buyer')).toEqual(['请验收账号', '等待买家验收账号', '等待买家验收账号']);
});

test('coins are counted and items delivered: neither text mentions an account', () => {
  for (const [tradedTypeId, deliver, count] of [
    [2, '交付金币', '清点金币'],
    [22, '交付元宝', '清点元宝'],
    [27, '交付道具', '核对道具'],
    [53, '交付金币', '清点金币'],
  ] as const) {
    const withStep = (key: string, actor: string) => due({ tradedTypeId, handover: [step(key, '一步', actor)] });
    expect(withStep('deliver', 'seller')).toEqual([`等待卖家${deliver}`, `请${deliver}`, `等待卖家${deliver}`]);
    expect(withStep('count', 'buyer')).toEqual([`请${count}`, `等待买家${count}`, `等待买家${count}`]);
    const all = [...withStep('deliver', 'seller'), ...withStep('count', 'buyer'), ...due({ tradedTypeId, status: 2 })];
    expect(all.join()).not.toMatch(/账号|换绑|验号/);
  }
});

test('services and deals without steps name what the buyer accepts', () => {
  expect(due({ tradedTypeId: 60, handover: [step('progress', '代练与进度', 'seller')] })[0]).toBe('正在代练');
  expect(due({ tradedTypeId: 61, handover: [step('play', '陪玩过程', 'seller')] })[0]).toBe('正在陪玩');
  expect(due({ tradedTypeId: 61, status: 2 })[0]).toBe('请核对陪玩时长');
  expect(due({ tradedTypeId: 51 })).toEqual(['等待卖家交付商品', '请交付商品', '等待卖家交付商品']);
});

test('the action itself is due when no step is open', () => {
  expect(due({ status: 0, statusName: '待付款' })).toEqual(['请付款', '等待买家付款', '等待买家付款']);
  expect(due({ handover: [step('old_devices', '卖家解除旧设备', 'seller', 'done')] })[1]).toBe('请确认发货');
  expect(due({ tradedTypeId: 52, handover: [step('check_login', '验号', 'staff', 'done')] })[1]).toBe('等待验号结果');
  expect(due({ status: 2 })).toEqual(['请验收账号', '等待买家验收账号', '等待买家验收账号']);
  expect(due({ status: 3, statusName: '交易成功' })[0]).toBe('交易成功');
  expect(orderHeadline(order({ status: 8, statusName: '已取消' }), 'buyer')).toEqual({ title: '已取消', turn: null });
});

test('a lower price of an inspected account is the seller’s to answer', () => {
  const inspected = { tradedTypeId: 52, handover: [step('check_login', '验号', 'staff', 'done')], cutAsked: true };
  expect(due(inspected)).toEqual(['等待卖家答复减价', '请答复减价', '等待卖家答复减价']);
  const explained = {
    ...order(inspected),
    money: { released: false, releaseTime: null },
    process: [],
    protection: null,
  };
  expect(orderExplanation(explained, 'buyer')).toContain('全额退回您的余额');
  expect(orderExplanation(explained, 'seller')).toContain('免费取回账号');
});

test('an inspected account waits for its take-over, and a finished trade for its case', () => {
  const paid = { status: OrderStatus.Completed, statusName: '交易成功', tradedTypeId: 52 };
  expect(due({ ...paid, takeOver: 'recycler' })).toEqual(['请接管账号', '等待回收商接管账号', '等待回收商接管账号']);
  expect(due({ ...paid, takeOver: 'platform' })).toEqual(['等待平台接管账号', '等待平台接管账号', '请接管账号']);
  expect(due({ ...paid, takeOver: 'platform', disputed: true })[1]).toBe('申诉处理中');
  expect(due({ ...paid, tradedTypeId: 1, disputed: true })[0]).toBe('申诉处理中');
  expect(due(paid)[0]).toBe('交易成功');
  // The case of an order that was never carried out does not keep it open.
  expect(due({ status: OrderStatus.ClosedUnpaid, statusName: '已关闭', disputed: true })[0]).toBe('已关闭');
  expect(turnLabel('buyer', 'seller', 52)).toBe('轮到回收商');
  const waiting = {
    ...order({ ...paid, takeOver: 'platform' as const }),
    money: { released: false, releaseTime: null },
    process: [],
    protection: null,
  };
  expect(orderExplanation(waiting, 'seller')).toContain('不会自动放款');
});

test('a dispute or a cancellation request takes precedence over the steps', () => {
  const handover = [step('phone', '换绑手机', 'seller')];
  expect(orderHeadline(order({ handover, disputed: true }), 'buyer')).toEqual({ title: '申诉处理中', turn: 'staff' });
  expect(due({ handover, cancelAsked: true })).toEqual([
    '等待卖家答复取消申请',
    '请答复取消申请',
    '等待卖家答复取消申请',
  ]);
});

test('staff who are not assigned see whose turn it is, not an instruction', () => {
  const at = order({ handover: [step('check_login', '核对登录', 'staff')] });
  expect(orderHeadline(at, 'onlooker').title).toBe('等待客服验号');
  expect(turnLabel('staff', 'onlooker')).toBe('轮到客服');
});

test('turn and staff are displayed in one form', () => {
  expect([turnLabel('seller', 'seller'), turnLabel('staff', 'buyer')]).toEqual(['轮到您', '轮到客服']);
  expect([turnLabel('seller', 'buyer', 60), turnLabel('seller', 'buyer', 1)]).toEqual(['轮到打手', '轮到卖家']);
  expect([turnLabel('staff', 'buyer', 52), turnLabel('buyer', 'seller', 1)]).toEqual(['轮到客服', '轮到买家']);
  expect([staffLabel('平台客服小宁'), staffLabel('小客服')]).toEqual(['客服小宁', '客服小客服']);
  expect([staffLabel('客服小宁'), staffLabel('小宁'), staffLabel(null)]).toEqual(['客服小宁', '客服小宁', '客服']);
});

test('each state is explained to both parties; a cancelled order says why it ended', () => {
  const explain = (part: Partial<OrderExplanationInput>) =>
    (['buyer', 'seller'] as const).map((viewer) =>
      orderExplanation(
        {
          ...order(part),
          money: { released: false, releaseTime: null },
          process: [{ explain: '超时未付款' }],
          protection: { inspectHours: 72, holdHours: 168 },
          ...part,
        },
        viewer,
      ),
    );
  const texts = Object.values(OrderStatus)
    .slice(0, 4)
    .map((status) => explain({ status }));
  expect(new Set(texts.flat()).size).toBe(8);
  expect(texts.flat().every((text) => text.endsWith('。'))).toBe(true);
  expect(explain({ status: OrderStatus.Completed, money: { released: true, releaseTime: null } })[0]).toBe(
    '货款已放给卖家。',
  );
  expect(explain({ status: OrderStatus.ClosedUnpaid })).toEqual(['超时未付款', '超时未付款']);
  expect(explain({ status: OrderStatus.ClosedUnpaid, process: [] })).toEqual(['', '']);
  const done = [step('old_devices', '卖家解除旧设备', 'seller', 'done')];
  expect(explain({ status: OrderStatus.Paid })).toEqual([
    '卖家交付后会确认发货，请留意交易群。',
    '交付后请确认发货，开始计算买家的验收时间。',
  ]);
  expect(explain({ status: OrderStatus.Paid, handover: done })).toEqual([
    '发货前的步骤都已完成，等卖家确认发货。',
    '发货前的步骤都已完成，确认发货后开始计算买家的验收时间。',
  ]);
  expect(explain({ status: OrderStatus.Paid, tradedTypeId: 52 })[0]).toContain('由卖家决定卖不卖');
  expect(explain({ status: OrderStatus.Paid, cancelAsked: true })[1]).toContain('同意后货款全额退回买家');
});

test('both parties of a completed order read when its money comes', () => {
  const money = { released: false, releaseTime: '2026-11-28T12:24:00+08:00' };
  const completed = { ...order({ status: 3, statusName: '交易成功' }), process: [], money, protection: null };
  expect(orderExplanation(completed, 'buyer')).toBe('保护期到 11-28 12:24，期满货款全部放给卖家；在此之前仍可申诉。');
  expect(orderExplanation(completed, 'seller')).toContain('11-28 12:24 自动转入您的可用余额');
  const undated = { ...completed, money: { released: false, releaseTime: null } };
  expect(orderExplanation(undated, 'buyer')).toBe('保护期满后货款全部放给卖家；在此之前仍可申诉。');
  const staged = { ...completed, money: { ...money, staged: true } };
  expect(orderExplanation(staged, 'seller')).toContain('11-28 12:24 前分段转入您的可用余额');
  const out = { ...completed, money: { released: true, releaseTime: money.releaseTime } };
  expect(orderExplanation(out, 'seller')).toBe('货款已转入您的可用余额。');
  // For a recycled account: the recycler's action, and the seller's waiting state.
  const recycled = { ...completed, tradedTypeId: 52 };
  expect(orderExplanation(recycled, 'buyer')).toBe(
    '验号通过。请打开密封信息改密改绑，再确认接管；11-28 12:24 没有确认也自动放款，有问题请在此之前申诉。',
  );
  expect(orderExplanation(recycled, 'seller')).toBe(
    '验号通过，货款已付。买家接管账号后马上到您的可用余额，最迟 11-28 12:24。',
  );
});

test('state by state: who acts, and whether a step of the hand-over is due', () => {
  const handover = [step('credentials', '提交账号资料', 'seller', 'done'), step('password', '修改密码', 'buyer')];
  const at = (part: Partial<OrderTextInput>) => {
    const o = order({ handover, ...part });
    const turns = (['buyer', 'seller', 'staff', 'onlooker'] as const).map((viewer) => orderHeadline(o, viewer).turn);
    // The current actor is the same for every reader.
    expect(new Set(turns).size).toBe(1);
    return [turns[0], dueStep(o)?.key ?? null];
  };
  const { Unpaid, Paid, Shipped, Completed } = OrderStatus;
  expect(
    [
      { status: Unpaid },
      { status: Paid },
      { status: Paid, cancelAsked: true },
      { status: Paid, disputed: true },
      { status: Paid, disputed: true, cancelAsked: true },
      { status: Paid, handover: [] },
      { status: Paid, cutAsked: true, handover: [] },
      { status: Shipped },
      { status: Shipped, disputed: true },
      { status: Shipped, handover: [] },
      { status: Completed },
      { status: 6 },
      { status: 7 },
      { status: 8 },
      { status: 9 },
    ].map(at),
  ).toEqual([
    ['buyer', null],
    ['buyer', 'password'],
    ['seller', null],
    ['staff', null],
    ['staff', null],
    ['seller', null],
    ['seller', null],
    ['buyer', 'password'],
    ['staff', null],
    ['buyer', null],
    [null, null],
    [null, null],
    [null, null],
    [null, null],
    [null, null],
  ]);
});
