import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { yuanLabel } from '#contract/wire.ts';
import { cancelReasonNames } from '#subjects/services/rules/service.ts';
import { newDataKey } from '#server/kernel/secrets/crypto.ts';
import { encryptedBody, wrappedKey } from '#subjects/orders/server/service.ts';
import { transition } from '#subjects/orders/server/rules.ts';
import { beginText } from '#subjects/services/server/terms.ts';
import type { Made, MadeOrder } from './boosting-made.ts';
import { ACCEPT_DAYS, DAY, isRequest } from './boosting-plan.ts';
import { columns, insertRows } from '../bulk.ts';
import { serviceOf } from '../trades/trades-store.ts';
import { HANDOVER_COLUMNS, handoverRows } from '../trades/handover.ts';
import type { Market } from '../market.ts';

/** A plan that became an order. */
export type Ordered = Made & { order: MadeOrder };

const ORDER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, type_id smallint, goods_sn text, game_id int, buyer_id bigint, seller_id bigint, staff_id bigint, status smallint,
  goods_num int, unit_price_fen bigint, goods_fen bigint, service_fee_fen bigint, total_fen bigint, commission_fen bigint, advance_fen bigint,
  advance_goods_fen bigint, fees jsonb, snapshot jsonb, handover_version int, ship_by timestamptz, paid_at timestamptz, shipped_at timestamptz,
  auto_confirm_at timestamptz, completed_at timestamptz, touched_at timestamptz, delivered_at timestamptz, shut_at timestamptz,
  credential_opened_at timestamptz, created_at timestamptz, self_placed boolean`,
);
const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);
const KEY_COLUMNS = columns('order_id bigint, wrapped bytea');
const CREDENTIAL_COLUMNS = columns(
  'order_id bigint, step smallint, version int, from_user bigint, body_enc bytea, created_at timestamptz',
);
const OPENING_COLUMNS = columns(
  'order_id bigint, step smallint, version int, opener text, party text, purpose text, opened_at timestamptz',
);
const CONFIRM_MINUTES = 3 * DAY;
const ACCEPT_SECONDS = 1800;
const SEALED_AFTER = 6;
const OPENED_AFTER = 14;
export const PAUSED_AGO = 50;

/** Moments of an order before anybody accepted it, in minutes before now: an open order is placed and paid when it is claimed. */
export const placedAgo = ({ plan }: Made): number => (isRequest(plan) ? plan.ago - 4 : plan.ago);
export const paidAgo = (m: Made): number => (isRequest(m.plan) ? placedAgo(m) : m.plan.ago - 2);

const needsAccount = ({ mode }: Made): boolean => mode === 'account';
const hasAccount = (m: Ordered): boolean => needsAccount(m) && m.order.progress.state !== 'waiting';
const isOpen = ({ order }: Ordered): boolean => ['working', 'paused', 'checking'].includes(order.progress.state);

function snapshotOf(m: Made): Record<string, unknown> {
  const { plan, area, offer } = m;
  const hours = Math.round(m.minutes / 6) / 10;
  const mode = { account: '上号代打', together: '组队陪打', online: '线上指导' }[m.mode];
  return {
    title: m.title,
    gameCode: m.gameCode,
    gameName: m.gameName,
    areaName: area,
    serverName: '',
    attrs: {},
    picture: offer ? { cover: offer.goodsSn, v: '' } : null,
    fieldsVersion: 1,
    facts: [
      { label: '服务方式', value: mode },
      isRequest(plan) ? { label: '从哪到哪', value: `${plan.from} 打到 ${plan.to}` } : { label: '数量', value: '1次' },
      { label: '约定用时', value: `${hours} 小时内，从${beginText(m.mode)}起算，暂停不计` },
      { label: '区服', value: area },
      ...(offer ? [{ label: '服务内容', value: offer.scope }] : []),
      ...(plan.note === undefined ? [] : [{ label: offer ? '补充说明' : '要求', value: plan.note }]),
    ],
    shipSeconds: offer ? ACCEPT_SECONDS : m.minutes * 60,
    service: true,
    ...(m.mode === 'together' && { together: true }),
  };
}

function orderRow(market: Market, m: Ordered): unknown[] {
  const { order, price } = m;
  const { terms, progress, acceptedAgo, finishedAgo, endedAgo } = order;
  const at = (minutes: number | null): Date | null => (minutes === null ? null : market.ago(minutes));
  const isShipped = progress.state === 'checking' || progress.state === 'done';
  const shippedAgo = isShipped ? finishedAgo : null;
  const isBegun = acceptedAgo !== null && progress.state !== 'waiting';
  const dueAgo = isBegun ? acceptedAgo - m.minutes : -ACCEPT_DAYS * DAY;
  const opened = hasAccount(m) && acceptedAgo !== null ? Math.max(1, acceptedAgo - OPENED_AFTER) : null;
  return [
    terms.id,
    terms.sn,
    1,
    BOOSTING,
    m.offer?.goodsSn ?? m.request?.sn,
    m.gameId,
    terms.buyerId,
    terms.sellerId,
    serviceOf(market, terms.id).id,
    terms.status,
    1,
    price.goodsFen,
    price.goodsFen,
    price.serviceFeeFen,
    price.totalFen,
    price.commissionFen,
    terms.advanceFen,
    terms.advanceGoodsFen,
    m.lines,
    snapshotOf(m),
    acceptedAgo === null ? null : 1,
    at(dueAgo),
    at(paidAgo(m)),
    at(shippedAgo),
    shippedAgo === null ? null : at(shippedAgo - CONFIRM_MINUTES),
    progress.state === 'done' ? at(endedAgo) : null,
    at(acceptedAgo),
    at(order.stages.find(({ submittedAgo }) => submittedAgo !== null)?.submittedAgo ?? null),
    progress.state === 'paused' ? at(PAUSED_AGO) : null,
    at(opened),
    at(placedAgo(m)),
    !isRequest(m.plan),
  ];
}

/** How the end of an order is recorded; each is the booster's action: agree, give up or decline. */
function endOf({ order }: Ordered): string {
  const { ending } = order.progress;
  const note = (name: 'splitRefund' | 'splitPart' | 'notAccepted', why: string): string =>
    `${transition(name).explain('service')}：${why}`;
  if (ending === 'gaveUp') return note('splitRefund', '打手放弃订单：排位时间冲突');
  if (ending === 'refused') return note('notAccepted', '对方没有接单：这个时间段已经排满');
  return note('splitPart', cancelReasonNames[ending === 'late' ? 'late' : 'plan']);
}

/** Rows for the parties' actions during the order, as the product writes it down. */
function stageRows(m: Ordered, booster: string, buyer: string): [number, string, string, number][] {
  return m.order.stages.flatMap((stage, i): [number, string, string, number][] => {
    const name = `第 ${i + 1} 段「${stage.title}」`;
    const rows: [number, string, string, number][] = [];
    if (stage.submittedAgo !== null) rows.push([1, `${name}已提交，等待买家确认`, booster, stage.submittedAgo]);
    if (stage.paidFen !== null)
      rows.push([1, `${name}已确认，${yuanLabel(stage.paidFen)} 元已付给打手`, buyer, stage.answeredAgo ?? 0]);
    return rows;
  });
}

function processRows(market: Market, m: Ordered): unknown[][] {
  const { order, plan } = m;
  const { terms, progress, split, acceptedAgo, finishedAgo, endedAgo } = order;
  const [buyer, booster] = [`user:${terms.buyerId}`, `user:${terms.sellerId}`];
  const rows: [status: number, text: string, actor: string, ago: number][] = [
    isRequest(plan)
      ? [0, '打手接了买家的发单，货款由发单托管转入订单', booster, placedAgo(m)]
      : [0, '买家提交代练订单，等待付款', buyer, placedAgo(m)],
    [1, transition('payBalance').explain('buyer'), isRequest(plan) ? `boost:${m.request?.id}` : buyer, paidAgo(m)],
  ];
  const begins = progress.state === 'waiting' ? '等买家提交账号资料，提交后开始计时' : '开始计时';
  if (acceptedAgo !== null) rows.push([1, `打手已接单，${begins}`, booster, acceptedAgo]);
  rows.push(...stageRows(m, booster, buyer));
  if (progress.state === 'paused') rows.push([1, '买家暂停了服务，计时停止', buyer, PAUSED_AGO]);
  if (split) {
    const ago = askedAgo(order);
    const text = `退回买家 ${yuanLabel(split.buyerFen)} 元，付给打手 ${yuanLabel(split.sellerFen)} 元`;
    rows.push([
      1,
      `买家申请取消（${cancelReasonNames[split.efficiencyToBuyer ? 'late' : 'plan']}）：${text}`,
      buyer,
      ago,
    ]);
  }
  if (progress.state === 'checking' || progress.state === 'done')
    rows.push([2, transition('ship').explain('service'), booster, finishedAgo ?? 0]);
  if (progress.state === 'done') rows.push([3, transition('confirm').explain('buyer'), buyer, endedAgo ?? 0]);
  if (progress.state === 'ended') rows.push([9, endOf(m), booster, endedAgo ?? 0]);
  return rows.map(([status, text, actor, ago]) => [terms.id, status, text, actor, market.ago(ago)]);
}

/** When the cancellation was requested, in minutes before now: half an hour before it was agreed on. */
export const askedAgo = ({ progress, endedAgo }: MadeOrder): number => progress.cancelAgo ?? (endedAgo ?? 0) + 30;

/** The hand-over so far; the payment event creates that of a pending order. */
function handoverOf(market: Market, m: Ordered): unknown[][] {
  const { terms, progress, acceptedAgo, finishedAgo } = m.order;
  if (acceptedAgo === null) return [];
  const buyer = `user:${terms.buyerId}`;
  const sealed = hasAccount(m) ? 1 : 0;
  return handoverRows(market, {
    orderId: terms.id,
    gameId: m.gameId,
    typeId: BOOSTING,
    together: !needsAccount(m),
    doneAgo: { from: acceptedAgo - SEALED_AFTER / 2, to: finishedAgo ?? acceptedAgo - SEALED_AFTER },
    doneSteps: progress.state === 'done' ? Infinity : progress.state === 'checking' ? sealed + 1 : sealed,
    doers: { seller: `user:${terms.sellerId}`, buyer, staff: 'staff:101' },
  });
}

/** The sealed accounts of running orders, which their boosters have opened. */
async function storeForms(market: Market, orders: readonly Ordered[]): Promise<void> {
  const [keys, forms, opened]: [unknown[][], unknown[][], unknown[][]] = [[], [], []];
  for (const { order } of orders.filter((m) => isOpen(m) && needsAccount(m))) {
    const { id, buyerId, sellerId } = order.terms;
    const key = newDataKey();
    const fields = [
      { key: 'account' as const, label: '游戏登录账号', value: `demo_${id}` },
      { key: 'password' as const, label: '密码', value: `Demo#${id}dl` },
    ];
    const accepted = order.acceptedAgo ?? 0;
    keys.push([id, wrappedKey(market.keys, id, key)]);
    forms.push([
      id,
      1,
      1,
      buyerId,
      encryptedBody(key, { orderId: id, step: 1, version: 1 }, fields),
      market.ago(accepted - SEALED_AFTER),
    ]);
    opened.push([id, 1, 1, `user:${sellerId}`, 'seller', 'boost', market.ago(accepted - OPENED_AFTER)]);
  }
  await insertRows(market.client, 'order_key', KEY_COLUMNS, keys);
  await insertRows(market.client, 'sealed_credential', CREDENTIAL_COLUMNS, forms);
  await insertRows(market.client, 'credential_opening', OPENING_COLUMNS, opened);
}

/** Stores the orders of boosting with their history, hand-over and sealed accounts. Running ones get their chat by the event of the payment. */
export async function storeBoostingOrders(market: Market, orders: readonly Ordered[]): Promise<void> {
  const { client } = market;
  await insertRows(
    client,
    'orders',
    ORDER_COLUMNS,
    orders.map((m) => orderRow(market, m)),
  );
  await insertRows(
    client,
    'order_process',
    PROCESS_COLUMNS,
    orders.flatMap((m) => processRows(market, m)),
  );
  await insertRows(
    client,
    'order_handover',
    HANDOVER_COLUMNS,
    orders.flatMap((m) => handoverOf(market, m)),
  );
  await storeForms(market, orders);
  await client.query(
    `insert into outbox (topic, payload) select 'order.paid', jsonb_build_object('orderId', id) from orders
     where id = any($1::bigint[]) and status in (${OrderStatus.Paid}, ${OrderStatus.Shipped}) order by id`,
    [orders.map(({ order }) => order.terms.id)],
  );
}
