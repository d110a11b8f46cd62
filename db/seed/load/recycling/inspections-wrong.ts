import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { account, recordDebt } from '#subjects/ledger/server/service.ts';
import { type InspectionSetting, wrongPaysFen } from '#subjects/inspections/server/rules.ts';
import { DAY, HOUR, proofOf } from './inspections-plan.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';
import type { Person } from '../people/people.ts';
import type { PricedTrade } from '../trades/priced-trade.ts';

/** A claim that a reading was wrong; minutes before now. */
interface Claim {
  status: 'open' | 'paid' | 'refused';
  openedAgo: number;
  decidedAgo?: number;
  note?: string;
}

/** Those first that need an order delivered long enough ago. */
const CLAIMS: readonly Claim[] = [
  {
    status: 'paid',
    openedAgo: 4 * HOUR,
    decidedAgo: 50,
    note: '买家截图清楚，与验号截图不是同一数值，验号有误，按规定赔付',
  },
  {
    status: 'refused',
    openedAgo: 3 * HOUR,
    decidedAgo: 70,
    note: '截图是另一个角色的，与验号时登录的角色不是同一个',
  },
  { status: 'open', openedAgo: 100 },
];
/** Minimum number of minutes between delivery and claim. */
const LOOKED_AFTER = 5;

interface Order {
  id: string;
  sn: string;
  dist: number;
  buyer: string;
  seller: string;
  goods: string;
  game: number;
  price: string;
  task: string;
  inspector: string;
  field: string;
  label: string;
  found: string;
  shippedAt: Date;
}

/** Orders of inspected accounts on which a reading can be claimed wrong, the demo buyer's own first. */
async function claimable(market: Market, buyer: Person, live: readonly PricedTrade[]): Promise<Order[]> {
  const troubled = live.filter(({ trade }) => trade.trouble !== undefined).map(({ orderId }) => orderId);
  const { rows } = await market.client.query<Order>(
    `select o.id::text, o.sn, o.dist_id as dist, o.buyer_id::text as buyer, o.seller_id::text as seller, g.id::text as goods, g.game_id as game,
       o.goods_fen::text as price, t.id::text as task, coalesce(t.staff_id, 0)::text as inspector, r.field, r.label, r.found, coalesce(o.shipped_at, o.created_at) as "shippedAt"
     from orders o join goods g on g.id = o.goods_id and g.inspected_at <= o.created_at
       join inspection_task t on t.goods_id = g.id and t.status = 'done' and t.done_at <= o.created_at
       join lateral (select field, label, found from inspection_reading x where x.task_id = t.id and substring(x.found from '^[0-9]{1,9}')::int > 3
         order by field = 'skin_count' desc, field limit 1) r on true
     where (o.status = ${OrderStatus.Shipped} or o.status = ${OrderStatus.Completed} and o.completed_at > $3) and o.id <> all($2) and not o.disputed
     order by o.buyer_id = $1 desc, o.id desc limit 40`,
    [buyer.id, troubled, market.ago(6 * DAY)],
  );
  return rows;
}

/** For each claim an order that was delivered before it; for unrelated users one per seller, so that no seller is wrong twice. */
function chosen(market: Market, orders: readonly Order[], buyer: Person): [Claim, Order][] {
  const used = new Set<string>();
  return CLAIMS.flatMap((c): [Claim, Order][] => {
    const latest = market.ago(c.openedAgo + LOOKED_AFTER);
    const order = orders.find((o) => o.shippedAt < latest && !used.has(o.id) && !used.has(o.seller));
    if (!order) return [];
    used.add(order.id);
    if (Number(order.buyer) !== buyer.id) used.add(order.seller);
    return [[c, order]];
  });
}

const pictures = (o: Order): string => JSON.stringify(proofOf({ id: Number(o.goods) + 7, gameId: o.game }).slice(0, 1));

async function storeClaim(market: Market, o: Order, c: Claim, setting: InspectionSetting) {
  const fen = wrongPaysFen(Number(o.price), setting);
  // Whoever read the account does not judge the reading.
  const judge = staffId(market, Number(o.inspector) === staffId(market, 'kefu1') ? 'kefu2' : 'kefu1');
  const decided = c.decidedAgo === undefined ? null : market.ago(c.decidedAgo);
  const { rows } = await market.client.query<{ id: string }>(
    `insert into inspection_claim (dist_id, order_id, task_id, buyer_id, field, label, reading, found, pictures, amount_fen, status, note, staff_id,
       decided_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id::text`,
    [
      o.dist,
      o.id,
      o.task,
      o.buyer,
      o.field,
      o.label,
      o.found,
      o.found.replace(/^\d+/, (n) => String(Math.floor((Number(n) * 3) / 4))),
      pictures(o),
      fen,
      c.status,
      c.note ?? '',
      decided && judge,
      decided,
      market.ago(c.openedAgo),
    ],
  );
  return { id: Number(rows[0]?.id), fen, judge };
}

/** The fund pays after two approvals; the seller's debt to it is stored once the ledger has its history. */
async function pay(
  market: Market,
  o: Order,
  c: Claim,
  claim: { id: number; fen: number; judge: number },
): Promise<Dated> {
  const ref = `inspectionClaim:${claim.id}`;
  const at = market.ago(c.decidedAgo ?? 0);
  await market.client.query(
    `with two as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, decided_by, status, expires_at, created_at, decided_at)
       values ($1, 'inspection.wrong', 'inspection:claim' || $2::text, '{}', $3, $4, $5, $6, 'allowed', $7, $8, $7) returning id)
     insert into fund_release (code, ref, amount_fen, approval_id) select 'inspection_wrong', $9, $3, id from two`,
    [o.dist, claim.id, claim.fen, c.note, claim.judge, staffId(market, 'admin'), at, market.ago(c.openedAgo - 30), ref],
  );
  const [debit, credit] = [account.platform('guarantee_fund', claim.id), account.available(Number(o.buyer))];
  const same = { code: 'inspection_wrong' as const, fen: claim.fen, dist: o.dist, order: Number(o.id) };
  return { at, transfer: { ...same, ref, debit, credit } };
}

/** Claims on readings: one pending, one paid by the fund, one refused. Returns the postings with their times. */
export async function storeWrongReadings(
  market: Market,
  people: readonly Person[],
  live: readonly PricedTrade[],
): Promise<Dated[]> {
  const { rows: settings } = await market.client.query<{ value: InspectionSetting }>(
    `select value from setting where key = 'inspection' order by version desc limit 1`,
  );
  const [buyer, setting] = [people[0], settings[0]?.value];
  if (!buyer || !setting) return [];
  const dated: Dated[] = [];
  for (const [c, o] of chosen(market, await claimable(market, buyer, live), buyer)) {
    const claim = await storeClaim(market, o, c, setting);
    if (c.status === 'paid') dated.push(await pay(market, o, c, claim));
  }
  return dated;
}

interface Paid {
  id: number;
  sn: string;
  seller: number;
  order: number;
  fen: number;
  dist: number;
}

/** Stores the sellers' debts to the fund for readings that they had confirmed; after the history of the ledger. */
export async function storeReadingDebts({ db }: Market): Promise<void> {
  const { rows } = await sql<Paid>`
    select k.id, o.sn, o.seller_id as seller, o.id as "order", k.amount_fen as fen, k.dist_id as dist
    from inspection_claim k join orders o on o.id = k.order_id where k.status = 'paid' order by k.id`.execute(db);
  for (const paid of rows)
    await recordDebt(db, {
      debtor: { userId: paid.seller },
      creditor: account.platform('guarantee_fund', paid.id),
      fen: paid.fen,
      code: 'reading',
      reason: `订单 ${paid.sn} 的账号与您填写和确认的验号结果不符，包赔基金已先行赔付`,
      ref: `inspectionClaim:${paid.id}`,
      orderId: paid.order,
      distId: paid.dist,
    });
}
