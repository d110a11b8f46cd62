import { expect, test } from 'vitest';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING, COMPANION_PLAY, RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import type { OrderRow } from '#subjects/orders/server/list.ts';
import { type HoldState, isRecycled, moneyParts } from '#subjects/orders/server/money-parts.ts';
import { moneyOf } from '#subjects/orders/server/money-view.ts';

const NOTHING = { refundedFen: 0, takenFen: 0, owedFen: 0, repaidFen: 0 };
const AT = new Date('2026-11-01T12:00:00Z');

/** A paid order of 100 yuan with 10 yuan of commission. */
const row = (part: Partial<OrderRow>, snapshot: Partial<OrderRow['snapshot']> = {}): OrderRow =>
  ({
    type_id: 1,
    status: OrderStatus.Paid,
    goods_fen: 10_000,
    total_fen: 10_000,
    commission_fen: 1000,
    discount_fen: 0,
    advance_fen: 0,
    cut_fen: 0,
    disputed: false,
    touched_at: null,
    paid_at: AT,
    open_steps: [],
    confirm_stopped_at: null,
    fees: [{ code: 'goods', label: '商品', fen: 10_000, rule: '' }],
    snapshot,
    ...part,
  }) as OrderRow;

const onCancel = (r: OrderRow) =>
  (['buyer', 'seller'] as const).map((viewer) => moneyParts(r, viewer, { hold: null, refundedFen: 0 })[0]?.onCancel);

test('a cancelled service is settled by what is done once its provider has accepted', () => {
  const service = (type_id: number, touched_at: Date | null) =>
    onCancel(row({ type_id, touched_at }, { service: true }));
  expect(service(BOOSTING, null)).toEqual(['全额退您', '全额退买家']);
  expect(service(BOOSTING, AT)).toEqual(['按进度结算', '按进度结算']);
  expect(service(COMPANION_PLAY, AT)).toEqual(['按分钟结算', '按分钟结算']);
  expect(onCancel(row({ touched_at: AT }))).toEqual(['全额退您', '全额退买家']);
});

test('a shipped order names its automatic receipt only when no step blocks it', () => {
  const step = { step: 4, title: '换绑手机', actor: 'seller', beforeShip: false, evidence: true, secret: false };
  const shown = (blocks: boolean) => {
    const r = row({ status: OrderStatus.Shipped, auto_confirm_at: AT, open_steps: [{ ...step, blocks }] as never });
    return [
      moneyOf(r, 'buyer', null, NOTHING).reason,
      moneyParts(r, 'buyer', { hold: null, refundedFen: 0 })[0]?.until,
    ];
  };
  expect(shown(false)).toEqual([
    '卖家已发货，验收期内买家不确认也不申诉，到时自动确认。',
    '您确认收货，最晚 11-01 20:00，再过保护期放款',
  ]);
  expect(shown(true)).toEqual([
    '卖家已发货，后面还有必做的步骤；全部完成前不会自动确认，货款由平台托管。',
    '您确认收货，再过保护期放款',
  ]);
});

const NO_HOLD = { hold: null, refundedFen: 0 };
const parts = (
  r: OrderRow,
  viewer: 'buyer' | 'seller' = 'buyer',
  state = NO_HOLD as Parameters<typeof moneyParts>[2],
) => moneyParts(r, viewer, state);
const goodsOf = (r: OrderRow, viewer?: 'buyer' | 'seller', state?: Parameters<typeof moneyParts>[2]) =>
  parts(r, viewer, state)[0];
const fee = (code: string, fen: number) => ({ code, label: code, fen, rule: '' });

test('an order that is not paid has no parts', () => {
  expect(parts(row({ paid_at: null }))).toEqual([]);
});

test('a running part is held, paid in part or frozen', () => {
  const fees = [fee('goods', 10_000), fee('service', 100)];
  expect(parts(row({ fees })).map(({ state }) => state)).toEqual(['托管中', '托管中']);
  expect(parts(row({ fees, advance_fen: 1 })).map(({ state }) => state)).toEqual(['部分已付', '托管中']);
  expect(parts(row({ fees, advance_fen: 1, disputed: true })).map(({ state }) => state)).toEqual(['冻结中', '冻结中']);
});

test('the end of the price hold depends on how the order ends', () => {
  const until = (r: OrderRow) => [goodsOf(r)?.until, goodsOf(r, 'seller')?.until];
  expect(until(row({}))).toEqual(['您确认收货，再过保护期放款', '买家确认收货，再过保护期放款']);
  expect(until(row({ disputed: true, type_id: BOOSTING }, { service: true }))).toEqual([
    '裁决后按结果处理',
    '裁决后按结果处理',
  ]);
  expect(until(row({ type_id: BOOSTING }, { service: true }))).toEqual([
    '您确认一段付一段，最后一段再过保护期',
    '买家确认一段付一段，最后一段再过保护期',
  ]);
  expect(until(row({ type_id: COMPANION_PLAY }, { service: true }))[0]).toBe('结束后按分钟结算，再过保护期');
  expect(until(row({ type_id: BOOSTING, status: OrderStatus.Shipped }, { service: true }))[0]).toBe(
    '您确认完成，再过保护期放款',
  );
  expect(until(row({}, { handoverType: RECYCLED_ACCOUNT }))[1]).toBe('验号通过，再到买家接管账号');
});

test('the automatic receipt is named only while its clock runs', () => {
  const shipped = { status: OrderStatus.Shipped, auto_confirm_at: AT };
  const withClock = '您确认收货，最晚 11-01 20:00，再过保护期放款';
  const without = '您确认收货，再过保护期放款';
  expect(goodsOf(row(shipped))?.until).toBe(withClock);
  expect(goodsOf(row({ ...shipped, status: OrderStatus.Paid }))?.until).toBe(without);
  expect(goodsOf(row({ ...shipped, auto_confirm_at: null }))?.until).toBe(without);
  expect(goodsOf(row({ ...shipped, confirm_stopped_at: AT }))?.until).toBe(without);
});

test('of a service whose stages were paid only the rest is frozen after its end', () => {
  const hold = { id: 1, releaseAt: AT, releasedAt: null, fen: 4000, stages: [] };
  const ended = row({ status: OrderStatus.Completed, type_id: BOOSTING, advance_fen: 4000 }, { service: true });
  expect(goodsOf(ended, 'buyer', { hold, refundedFen: 0 })?.state).toBe('部分已放款');
  expect(goodsOf(row({ status: OrderStatus.Completed }), 'buyer', { hold, refundedFen: 0 })?.state).toBe(
    '保护期内冻结',
  );
});

test('only an account that a recycler takes is recycled', () => {
  expect(isRecycled(row({}, { handoverType: RECYCLED_ACCOUNT }))).toBe(true);
  expect(isRecycled(row({}, { handoverType: 1 }))).toBe(false);
  expect(isRecycled(row({}))).toBe(false);
});

test('fees are charged, and covers begin, when the trade succeeds', () => {
  const codes = ['service', 'ensure', 'fixEnsure', 'other'];
  const fees = [fee('goods', 10_000), ...codes.map((code) => fee(code, 100))];
  const running = parts(row({ fees }));
  expect(running.slice(1).map(({ until }) => until)).toEqual([
    '交易成功时收取',
    '交易成功时开始生效',
    '交易成功时开始生效',
    '您确认收货，再过保护期放款',
  ]);
  const done = parts(row({ fees, status: OrderStatus.Completed }));
  expect(done.slice(1)).toEqual(
    codes.map((code) => ({
      code,
      label: code,
      amount: 100,
      state: { service: '已收取', ensure: '已生效', fixEnsure: '已生效' }[code] ?? '已收取',
      until: '',
      onCancel: '',
    })),
  );
});

test('a coupon is used up in every state of its order', () => {
  const fees = [fee('goods', 10_000), fee('coupon', -500)];
  for (const status of [OrderStatus.Paid, OrderStatus.Completed, OrderStatus.BuyerCancelled])
    expect(parts(row({ fees, status }))[1]).toEqual({
      code: 'coupon',
      label: 'coupon',
      amount: -500,
      state: '已抵扣',
      until: '',
      onCancel: '',
    });
});

const hold = (part: Partial<HoldState> = {}): HoldState => ({
  fen: 9000,
  stages: [],
  releaseAt: AT,
  releasedAt: null,
  ...part,
});

test('a cancelled order is paid back whole, or parted by its outcome', () => {
  const cancelled = row({ status: OrderStatus.ClosedByPlatform });
  const state = (held: HoldState | null, refundedFen: number) =>
    goodsOf(cancelled, 'buyer', { hold: held, refundedFen })?.state;
  expect(state(null, 10_000)).toBe('已退回');
  expect(state(null, 9999)).toBe('按结果处理');
  expect(state(hold(), 10_000)).toBe('按结果处理');
  expect(goodsOf(cancelled, 'buyer', { hold: null, refundedFen: 10_000 })).toMatchObject({ until: '', onCancel: '' });
});

test('the price of a completed order is held, released in stages, released, or ruled on', () => {
  const completed = row({ status: OrderStatus.Completed });
  const shown = (held: HoldState | null, refundedFen = 0, r = completed) => {
    const part = goodsOf(r, 'seller', { hold: held, refundedFen });
    return [part?.state, part?.until, part?.onCancel];
  };
  const stage = (releasedAt: Date | null) =>
    ({ seq: 1, amountFen: 4500, dueAt: AT, releasedAt }) satisfies HoldState['stages'][number];
  expect(shown(null)).toEqual(['已放款', '', '']);
  expect(shown(hold())).toEqual(['保护期内冻结', '11-01 20:00 放款', '']);
  expect(shown(hold({ stages: [stage(null), stage(null)] }))).toEqual(['保护期内冻结', '11-01 20:00 前分段放款', '']);
  expect(shown(hold({ stages: [stage(AT), stage(null)] }))[0]).toBe('部分已放款');
  expect(shown(hold({ releaseAt: null }))).toEqual(['保护期内冻结', '处理中，暂停计时', '']);
  expect(shown(hold({ releasedAt: AT }))).toEqual(['已放款', '11-01 20:00', '']);
  expect(shown(hold(), 1)).toEqual(['按裁决处理', '见申诉结果', '']);
  // The buyer sees the end of the whole hold, not the stages of the seller.
  expect(goodsOf(completed, 'buyer', { hold: hold({ stages: [stage(null)] }), refundedFen: 0 })?.until).toBe(
    '11-01 20:00 放款',
  );
  const taken = row({ status: OrderStatus.Completed, take_over: 'platform' });
  expect(shown(hold(), 0, taken)).toEqual(['等待接管，冻结中', '平台接管后放款', '']);
  expect(shown(hold({ releasedAt: AT }), 0, taken)[0]).toBe('已放款');
});

test('a price lowered after the inspection is shown behind the price, which has become smaller', () => {
  const fees = [fee('goods', 10_000), fee('service', 100)];
  expect(parts(row({ fees, cut_fen: 2500 })).map(({ code, amount, state }) => [code, amount, state])).toEqual([
    ['goods', 7500, '托管中'],
    ['cut', 2500, '已退回'],
    ['service', 100, '托管中'],
  ]);
  expect(parts(row({ fees })).map(({ code, amount }) => [code, amount])).toEqual([
    ['goods', 10_000],
    ['service', 100],
  ]);
});

test('the commission is shown where it makes the difference, and is none only where the order has none', () => {
  const commission = (r: OrderRow, takenFen = 0, viewer: 'buyer' | 'seller' = 'seller') =>
    moneyOf(r, viewer, null, { ...NOTHING, takenFen }).commission;
  expect(commission(row({}))).toBe(1000);
  expect(commission(row({ commission_fen: 0 }))).toBe(0);
  expect(commission(row({ status: OrderStatus.SellerCancelled }))).toBeNull();
  expect(commission(row({ status: OrderStatus.Completed }), 2000)).toBeNull();
  expect(commission(row({}), 0, 'buyer')).toBeNull();
});
