import type { Field } from '#subjects/games/contract/games.ts';
import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { newDataKey } from '#server/kernel/secrets/crypto.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '#subjects/orders/rules/order-types.ts';
import { RECYCLING_STEPS } from '#subjects/orders/server/handover/handover.ts';
import { type OrderTerms, transition } from '#subjects/orders/server/rules.ts';
import { encryptedBody, wrappedKey } from '#subjects/orders/server/service.ts';
import { recycleTitle } from '#subjects/recycling/server/accounts/view.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { orderSnAt } from '../trades/trades-price.ts';
import { HANDOVER_COLUMNS } from '../trades/handover.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { SeedBid, SeedRequest } from './recycling-plan.ts';

const SHIP_MINUTES = 360;
const SEAL_AFTER = 25;
const CHECK_AFTER = 90;

const ORDER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, type_id smallint, goods_sn text, game_id int, buyer_id bigint, seller_id bigint, staff_id bigint, status smallint,
  goods_num int, unit_price_fen bigint, goods_fen bigint, service_fee_fen bigint, total_fen bigint, commission_fen bigint, cut_fen bigint, fees jsonb, snapshot jsonb, handover_version int,
  ship_by timestamptz, paid_at timestamptz, shipped_at timestamptz, completed_at timestamptz, touched_at timestamptz, created_at timestamptz, self_placed boolean`,
);
const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);
const HOLD_COLUMNS = columns(
  `id bigint, user_id bigint, amount_fen bigint, code text, reason text, ref text, release_at timestamptz, released_at timestamptz,
  release_note text, created_at timestamptz`,
);
const KEY_COLUMNS = columns('order_id bigint, wrapped bytea');
const CREDENTIAL_COLUMNS = columns(
  'order_id bigint, step smallint, version int, from_user bigint, body_enc bytea, created_at timestamptz',
);

interface Placed {
  r: SeedRequest;
  bid: SeedBid;
  terms: OrderTerms;
  paidAgo: number;
  endAgo: number | null;
}

const STATUS: Readonly<Record<string, number>> = {
  accepted: OrderStatus.Paid,
  reconfirm: OrderStatus.Paid,
  paid: OrderStatus.Completed,
  declined: OrderStatus.ClosedByPlatform,
  closed: OrderStatus.ClosedByPlatform,
};

function placedOf(market: Market, r: SeedRequest, bid: SeedBid, id: number): Placed {
  const paidAgo = r.plan.ago - (r.plan.acceptedAfter ?? 0);
  return {
    r,
    bid,
    paidAgo,
    endAgo: r.plan.endedAfter === undefined ? null : r.plan.ago - r.plan.endedAfter,
    terms: {
      id,
      sn: orderSnAt(market.ago(paidAgo), id * 7 + 3),
      distId: PLATFORM_DIST_ID,
      typeId: RECYCLED_ACCOUNT,
      goodsId: null,
      buyerId: bid.recyclerId,
      sellerId: r.seller.id,
      staffId: null,
      status: STATUS[r.plan.status] ?? OrderStatus.Paid,
      goodsFen: bid.amountFen,
      serviceFeeFen: bid.feeFen,
      ensureFen: 0,
      fixEnsureFen: 0,
      discountFen: 0,
      totalFen: bid.amountFen + bid.feeFen,
      commissionFen: 0,
      distShareFen: 0,
      inviteRewardFen: 0,
      inviterId: null,
      touched: false,
      overdue: false,
      buyerOpened: false,
      delivered: false,
      disputed: false,
      cancelAsked: false,
      binding: true,
      shipSeconds: null,
      advanceFen: 0,
      advanceGoodsFen: 0,
      cutFen: r.cutFen,
      isService: false,
      isRecycledAccount: true,
      shut: false,
    },
  };
}

function factsOf({ game, attrs }: SeedRequest): { label: string; value: string }[] {
  return (game.fields as readonly Field[])
    .filter((f) => attrs[f.key] !== undefined)
    .map((f) => ({ label: f.label, value: showValue(f, attrs[f.key]) }))
    .filter(({ value }) => value !== '');
}

function orderRow(market: Market, { r, bid, terms, paidAgo, endAgo }: Placed, staff: number): unknown[] {
  const facts = factsOf(r);
  const areaName = r.game.areas.find((a) => a.id === r.areaId)?.name ?? '';
  const lines = [
    { code: 'goods', label: '回收价', fen: bid.amountFen, rule: '卖家不付手续费' },
    ...(bid.feeFen > 0 ? [{ code: 'service', label: '服务费', fen: bid.feeFen, rule: '回收商承担' }] : []),
  ];
  const done = terms.status === OrderStatus.Completed && endAgo !== null ? market.ago(endAgo) : null;
  return [
    terms.id,
    terms.sn,
    1,
    terms.typeId,
    r.sn,
    r.game.id,
    terms.buyerId,
    terms.sellerId,
    staff,
    terms.status,
    1,
    bid.amountFen,
    bid.amountFen,
    bid.feeFen,
    terms.totalFen,
    0,
    terms.status === OrderStatus.Completed ? r.cutFen : 0,
    lines,
    {
      title: recycleTitle(r.game.name, areaName),
      gameCode: r.game.code,
      gameName: r.game.name,
      areaName,
      serverName: '',
      attrs: r.attrs,
      picture: { cover: r.sn, v: '' },
      fieldsVersion: 1,
      facts,
      shipSeconds: SHIP_MINUTES * 60,
      handoverType: RECYCLED_ACCOUNT,
      binding: true,
    },
    0,
    market.ago(paidAgo - SHIP_MINUTES),
    market.ago(paidAgo),
    done,
    done,
    r.plan.sealed ? market.ago(paidAgo - SEAL_AFTER) : null,
    market.ago(paidAgo),
    true,
  ];
}

function processRows(market: Market, { r, terms, paidAgo, endAgo }: Placed): unknown[][] {
  const rows: unknown[][] = [
    [terms.id, 0, '卖家接受回收报价，货款由出价托管转入订单', `user:${terms.sellerId}`, market.ago(paidAgo + 0.01)],
    [terms.id, 1, transition('payChannel').explain('payment'), 'payment', market.ago(paidAgo)],
  ];
  if (endAgo === null) return rows;
  const name = terms.status === OrderStatus.Completed ? 'recycleSettle' : 'recycleReturn';
  const text = transition(name).explain('timer');
  // An inspected account is shipped and completed at the same moment (orders/recycled.ts).
  if (name === 'recycleSettle')
    rows.push([
      terms.id,
      OrderStatus.Shipped,
      transition('ship').explain('staff', { isRecycledAccount: true }),
      'timer',
      market.ago(endAgo),
    ]);
  rows.push([terms.id, terms.status, r.plan.reason ? `${text}：${r.plan.reason}` : text, 'timer', market.ago(endAgo)]);
  return rows;
}

function stepRows(market: Market, { r, terms, paidAgo }: Placed, staff: number): unknown[][] {
  const doneAt = [
    r.plan.sealed ? market.ago(paidAgo - SEAL_AFTER) : null,
    r.readings.length > 0 ? market.ago(paidAgo - CHECK_AFTER) : null,
  ];
  const doers = [`user:${terms.sellerId}`, `staff:${staff}`];
  return RECYCLING_STEPS.map((s, i) => [
    terms.id,
    i + 1,
    s.key,
    s.title,
    s.actor,
    s.minutes,
    s.required,
    s.beforeShip,
    s.evidence,
    s.secret ?? false,
    s.fields ?? [],
    s.exchange ?? null,
    s.explain,
    [],
    doneAt[i] ? doers[i] : null,
    doneAt[i] ?? null,
  ]);
}

/** Sealed forms of accounts whose inspection or seller's answer is pending. */
async function storeForms(market: Market, placed: readonly Placed[]): Promise<void> {
  const open = placed.filter(({ r, terms }) => r.plan.sealed && terms.status === OrderStatus.Paid);
  const keyed = open.map((p) => ({ ...p, key: newDataKey() }));
  await insertRows(
    market.client,
    'order_key',
    KEY_COLUMNS,
    keyed.map(({ terms, key }) => [terms.id, wrappedKey(market.keys, terms.id, key)]),
  );
  const fields = (id: number, account: string) => [
    { key: 'account' as const, label: '账号', value: account },
    { key: 'password' as const, label: '密码', value: `Demo#${id}hs` },
  ];
  await insertRows(
    market.client,
    'sealed_credential',
    CREDENTIAL_COLUMNS,
    keyed.map(({ r, terms, key, paidAgo }) => [
      terms.id,
      1,
      1,
      terms.sellerId,
      encryptedBody(key, { orderId: terms.id, step: 1, version: 1 }, fields(terms.id, r.sn)),
      market.ago(paidAgo - SEAL_AFTER),
    ]),
  );
}

/** Returns the transfers of an order: out of the bid, then to the seller less the cut, or back. */
function moneyOf(market: Market, { r, bid, terms, paidAgo, endAgo }: Placed, holdId: number): Dated[] {
  const at = (ago: number, transfers: readonly Transfer[]): Dated[] =>
    transfers.filter(({ fen }) => fen > 0).map((transfer) => ({ at: market.ago(ago), transfer }));
  const same = { dist: 1, order: terms.id };
  const ref = `order:${terms.id}`;
  const paid = at(paidAgo, [
    {
      ...same,
      code: 'recycle_pay',
      ref,
      debit: account.bid(bid.id),
      credit: account.escrow(terms.id),
      fen: terms.totalFen,
    },
  ]);
  if (endAgo === null) return paid;
  if (terms.status !== OrderStatus.Completed)
    return [...paid, ...at(endAgo, transition('recycleReturn').postings(terms))];
  const [frozen, free] = [account.frozen(terms.sellerId), account.available(terms.sellerId)];
  return [
    ...paid,
    ...at(endAgo, transition('recycleSettle').postings(terms)),
    ...at(endAgo - 0.01, [
      { ...same, code: 'recycle_cut', ref, debit: frozen, credit: account.available(terms.buyerId), fen: r.cutFen },
      { ...same, code: 'hold_end', ref: `hold:${holdId}`, debit: frozen, credit: free, fen: bid.amountFen - r.cutFen },
    ]),
  ];
}

/**
 * Orders of recycled accounts with their steps, sealed forms and money. Sets the requests' order ids. Returns the postings with their
 * times; they also release the escrow of the accepted bids.
 */
export async function storeRecycledOrders(
  market: Market,
  requests: SeedRequest[],
  orderIds: OrderIds,
): Promise<Dated[]> {
  const { client } = market;
  const staff = staffId(market, 'kefu1');
  const placed = requests.flatMap((r) => {
    const bid = r.accepted;
    if (!bid?.isTaken) return [];
    const one = placedOf(market, r, bid, orderIds.between(r.plan.ago));
    r.orderId = one.terms.id;
    return [one];
  });
  await insertRows(
    client,
    'orders',
    ORDER_COLUMNS,
    placed.map((p) => orderRow(market, p, staff)),
  );
  await insertRows(
    client,
    'order_process',
    PROCESS_COLUMNS,
    placed.flatMap((p) => processRows(market, p)),
  );
  await insertRows(
    client,
    'order_handover',
    HANDOVER_COLUMNS,
    placed.flatMap((p) => stepRows(market, p, staff)),
  );
  await storeForms(market, placed);
  const holdIds = await reserveIds(client, 'hold', placed.length);
  const holds = placed.flatMap((p, i): unknown[][] => {
    const { terms, r, endAgo } = p;
    if (terms.status !== OrderStatus.Completed || endAgo === null) return [];
    const [from, to] = [market.ago(endAgo), market.ago(endAgo - 0.01)];
    const fen = terms.goodsFen - r.cutFen;
    return [
      [
        holdIds[i],
        terms.sellerId,
        fen,
        'sale_protection',
        `订单 ${terms.sn} 已完成`,
        String(terms.id),
        to,
        to,
        '验号后保护期结束',
        from,
      ],
    ];
  });
  await insertRows(client, 'hold', HOLD_COLUMNS, holds);
  await client.query(
    `insert into outbox (topic, payload) select 'order.paid', jsonb_build_object('orderId', id) from unnest($1::bigint[]) id`,
    [placed.filter(({ terms }) => terms.status === OrderStatus.Paid).map(({ terms }) => terms.id)],
  );
  return placed.flatMap((p, i) => moneyOf(market, p, holdIds[i] ?? 0));
}
