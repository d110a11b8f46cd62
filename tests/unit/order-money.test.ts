import { expect, test } from 'vitest';
import { OrderStatus } from '#contract/rules/order-status.ts';
import { BOOSTING, COMPANION_PLAY } from '#contract/rules/order-types.ts';
import type { OrderRow } from '#server/slices/orders/list.ts';
import { moneyParts } from '#server/slices/orders/money-parts.ts';
import { moneyOf } from '#server/slices/orders/money-view.ts';

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

test('the commission is shown where it makes the difference, and is none only where the order has none', () => {
  const commission = (r: OrderRow, takenFen = 0, viewer: 'buyer' | 'seller' = 'seller') =>
    moneyOf(r, viewer, null, { ...NOTHING, takenFen }).commission;
  expect(commission(row({}))).toBe(1000);
  expect(commission(row({ commission_fen: 0 }))).toBe(0);
  expect(commission(row({ status: OrderStatus.SellerCancelled }))).toBeNull();
  expect(commission(row({ status: OrderStatus.Completed }), 2000)).toBeNull();
  expect(commission(row({}), 0, 'buyer')).toBeNull();
});
