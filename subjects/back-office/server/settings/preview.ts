/** The effect of settings on three example orders, computed by the functions that also price and hold real orders. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { lossPenalty } from '#subjects/disputes/rules/ruling.ts';
import type { SettingKey, SettingValue } from '#subjects/settings/contract/setting-values.ts';
import type * as c from '#subjects/settings/contract/staff-settings.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { GuaranteeTier } from '#server/directory/directory.ts';
import { cancelPenalty, holdOf, stageParts } from '#subjects/deposits/server/service.ts';
import { type FeeSetting, priceOf } from '#subjects/orders/server/service.ts';
import { levelFor } from '#subjects/seller-levels/server/service.ts';

/** The settings and tiers used for an example. */
export interface Terms {
  setting<K extends SettingKey>(key: K): SettingValue<K>;
  tiers: readonly GuaranteeTier[];
}

interface Example {
  title: string;
  detail: string;
  priceFen: number;
  typeId: number;
  level: number;
  /** Whether the buyer may choose a guarantee: each tier on offer has a line. */
  guaranteed: boolean;
  /** The seller's sales, for the level. */
  sales: { buyers: number; fen: number; days: number; lost: number; average: number };
}

const EXAMPLES: readonly Example[] = [
  {
    title: '账号 300.00 元',
    detail: '新卖家，不买包赔',
    priceFen: 30_000,
    typeId: OrderType.Account,
    level: 0,
    guaranteed: false,
    sales: { buyers: 2, fen: 60_000, days: 5, lost: 0, average: 5 },
  },
  {
    title: '账号 2,888.00 元',
    detail: '2 级卖家，可选包赔',
    priceFen: 288_800,
    typeId: OrderType.Account,
    level: 2,
    guaranteed: true,
    sales: { buyers: 12, fen: 350_000, days: 60, lost: 1, average: 4.5 },
  },
  {
    title: '游戏币 68.50 元',
    detail: '4 级卖家，不买包赔',
    priceFen: 6850,
    typeId: OrderType.Coin,
    level: 4,
    guaranteed: false,
    sales: { buyers: 80, fen: 4_000_000, days: 200, lost: 1, average: 4.8 },
  },
];

const money = (fen: number): string => `${yuanLabel(fen)} 元`;

function duration(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} 天`;
  return seconds % 3600 === 0 ? `${seconds / 3600} 小时` : `${seconds / 60} 分钟`;
}

/** The cost and the maximum payment of each tier, by code, so that tiers before and after a change can be compared. */
function tierLines({ priceFen }: Example, { tiers }: Terms, codes: readonly string[]): [string, string][] {
  return codes.map((code) => {
    const tier = tiers.find((one) => one.code === code);
    if (!tier) return [`包赔（${code}）`, '没有在售'];
    const { kind, id, name } = tier;
    const price = priceFor(priceFen, { fees: NO_FEES, tiers, [kind === 'ensure' ? 'ensureId' : 'fixEnsureId']: id });
    const most = Math.floor((priceFen * tier.payoutBp) / 10_000);
    return [`包赔（${code}）`, `${name} ${money(price.ensureFen + price.fixEnsureFen)}，最多赔 ${money(most)}`];
  });
}

const NO_FEES: FeeSetting = { sellerBp: 0, sellerMaxFen: 0, buyerBp: 0, inviteBp: 0 };

const priceFor = (
  unitFen: number,
  {
    fees,
    tiers = [],
    ensureId = 0,
    fixEnsureId = 0,
  }: {
    fees: FeeSetting;
    tiers?: readonly GuaranteeTier[];
    ensureId?: number;
    fixEnsureId?: number;
  },
) =>
  priceOf({
    unitFen,
    num: 1,
    fees,
    guarantees: tiers,
    ensureId,
    fixEnsureId,
    guaranteeOk: true,
    coupon: null,
    distShareBp: 0,
    invited: true,
  });

function priceLines(example: Example, terms: Terms, codes: readonly string[]): [string, string][] {
  const price = priceFor(example.priceFen, { fees: terms.setting('fees') });
  return [
    ['买家服务费', money(price.serviceFeeFen)],
    ['买家应付（不含包赔）', money(price.totalFen)],
    ...(example.guaranteed ? tierLines(example, terms, codes) : []),
    ['卖家佣金', money(price.commissionFen)],
    ['卖家到手', money(example.priceFen - price.commissionFen)],
    ['邀请人奖励', money(price.inviteRewardFen)],
  ];
}

function holdLines(example: Example, terms: Terms): [string, string][] {
  const hold = holdOf(terms.setting('hold_hours'), terms.setting('hold_stages'), example.level);
  const net = example.priceFen - priceFor(example.priceFen, { fees: terms.setting('fees') }).commissionFen;
  const parts = stageParts(net, hold);
  const rest = net - parts.reduce((sum, { fen }) => sum + fen, 0);
  const early = parts.map(({ fen }, index) => `满 ${hold.stages[index]?.hours ?? 0} 小时 ${money(fen)}`);
  return [
    ['保护期', `${hold.hours} 小时`],
    ['提前放款', early.length === 0 ? '无' : early.join('，')],
    ['期满放款', money(rest)],
  ];
}

function clockLines(example: Example, terms: Terms): [string, string][] {
  const order = terms.setting('order');
  const disputes = terms.setting('disputes');
  const answer = example.typeId === OrderType.Account ? disputes.answerSeconds : disputes.answerCoinSeconds;
  return [
    ['付款时限', duration(order.unpaidSeconds)],
    ['发货时限', duration(order.shipSeconds[example.typeId] ?? 0)],
    ['验收时限', duration(order.confirmSeconds[example.typeId] ?? 0)],
    ['申诉答复', duration(answer)],
    ['申诉裁决', duration(disputes.ruleSeconds)],
  ];
}

function sellerLines({ priceFen, sales }: Example, terms: Terms): [string, string][] {
  const deposit = terms.setting('deposit');
  const levels = terms.setting('seller_levels');
  const withdraw = terms.setting('withdraw');
  const { buyers, fen, days, lost, average } = sales;
  const leftOut = { related: 0, small: 0, repeated: 0, private: 0 };
  const details = { buyers, orders: buyers, fen, days, lost, cancelled: 0, ratings: buyers, average, leftOut };
  const sold = `${buyers} 位买家、成交 ${yuanLabel(fen)} 元、实名 ${days} 天`;
  return [
    ['卖家取消扣除', money(cancelPenalty(priceFen, deposit))],
    ['卖家败诉扣除', money(lossPenalty(priceFen, priceFen, deposit))],
    [`卖家等级（${sold}）`, `${levelFor(details, levels)} 级`],
    ['提现手续费', money(withdraw.feeFen)],
    ['全额退款需第二人', priceFen > withdraw.secondPersonFen ? '是' : '否'],
  ];
}

const linesOf = (example: Example, terms: Terms, codes: readonly string[]): [string, string][] => [
  ...priceLines(example, terms, codes),
  ...holdLines(example, terms),
  ...clockLines(example, terms),
  ...sellerLines(example, terms),
];

/** The example orders with the current and with the proposed terms. Amounts are exact to the fen. */
export function exampleOrders(before: Terms, after: Terms): c.SettingExample[] {
  const codes = [...new Set([...before.tiers, ...after.tiers].map(({ code }) => code))].toSorted();
  return EXAMPLES.map((example) => {
    const [old, now] = [linesOf(example, before, codes), linesOf(example, after, codes)];
    const { title, detail } = example;
    return {
      title,
      detail,
      lines: old.map(([label, text], index) => {
        const then = now[index]?.[1] ?? '';
        return { label, before: text, after: then, changed: text !== then };
      }),
    };
  });
}
