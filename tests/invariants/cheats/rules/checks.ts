/** The four promises, and the ground rules behind them, checked in a world when everything running has ended. */
import { sql } from 'kysely';
import { MARKET_RULES } from './market-rules.ts';
import { boost, doneOf, workFen } from '../actions/actions-boosting.ts';
import { holder, type Side, sideOf, type Who } from '../worlds/model.ts';
import { yuan } from '../format.ts';
import type { Cheat } from '../cheat.ts';
import type { World } from '../worlds/world.ts';

interface Money {
  /** By person: balance, frozen, deposit, less debts, and what was withdrawn. */
  people: Map<Who, number>;
  distFen: number;
}

const SUFFIXES = ['available', 'frozen', 'deposit'];

/** The money of everyone in a world, in fen; debts count against it, withdrawals count. */
export async function moneyOf(w: World): Promise<Money> {
  const keys = w.setting.cast.flatMap((who) => SUFFIXES.map((s) => ({ who, key: `user:${w.idOf(who)}:${s}` })));
  const { rows } = await sql<{ key: string; fen: number }>`
    select key, balance as fen from ledger_account where key = any(${[...keys.map((k) => k.key), `dist:${w.seat.distId}:commission`, `dist:${w.seat.distId}:maturing`]})
    union all select 'out:' || user_id, sum(amount_fen)::bigint from withdrawal where user_id = any(${w.ids}) and status = 2 group by user_id
    union all select 'owes:' || debtor_user, -sum(amount_fen - paid_fen)::bigint from debt where debtor_user = any(${w.ids}) group by debtor_user
    union all select 'dist owes', -coalesce(sum(amount_fen - paid_fen), 0)::bigint from debt where debtor_dist = ${w.seat.distId}
    union all select 'dist', coalesce(sum(amount_fen), 0)::bigint from dist_settlement where dist_id = ${w.seat.distId} and status = 1`.execute(
    w.market.t.ctx.db,
  );
  const at = new Map(rows.map((r) => [r.key, Number(r.fen)]));
  const people = new Map<Who, number>();
  for (const who of w.setting.cast) {
    const own = keys.filter((k) => k.who === who).reduce((sum, { key }) => sum + (at.get(key) ?? 0), 0);
    people.set(who, own + (at.get(`out:${w.idOf(who)}`) ?? 0) + (at.get(`owes:${w.idOf(who)}`) ?? 0));
  }
  const dist = ['commission', 'maturing'].reduce(
    (sum, name) => sum + (at.get(`dist:${w.seat.distId}:${name}`) ?? 0),
    0,
  );
  return { people, distFen: dist + (at.get('dist') ?? 0) + (at.get('dist owes') ?? 0) };
}

/** Accounts at their price, each counted once. */
function goodsOf(w: World, side: Side): number {
  const accounts = new Set(w.goods.map((g) => g.account));
  return [...accounts].filter((acc) => holder(acc) === side).reduce((sum, acc) => sum + acc.worthFen, 0);
}

/** Boosting that was truly done, at its price: the buyer has it, and it cost the booster as much. */
function workOf(w: World, side: Side): number {
  return w.state.orders.reduce((sum, o, n) => {
    const b = boost(w, n);
    if (!b) return sum;
    const fen = workFen(w, b);
    return sum + (sideOf(w.buyer(o)) === side ? fen : 0) - (sideOf(w.seller(o)) === side ? fen : 0);
  }, 0);
}

/** Returns the permitted cost of silence for an absent buyer: of each order one stage that was paid and not done, as he was notified. */
function silenceOf(w: World): number {
  if (!w.setting.away) return 0;
  return w.state.orders.reduce((sum, o, n) => {
    const b = w.buyer(o) === 'hb' ? boost(w, n) : undefined;
    const paid = b?.job.milestones.filter((m) => m.paid) ?? [];
    const lost = paid.map((m) => m.shareFen - Math.floor((m.shareFen * doneOf(w, o.id, m.seq)) / 100));
    return sum + Math.max(0, ...lost);
  }, 0);
}

/** A side's wealth in fen. */
export function wealth(w: World, money: Money, side: Side): number {
  const own = w.setting.cast
    .filter((who) => sideOf(who) === side)
    .reduce((sum, who) => sum + (money.people.get(who) ?? 0), 0);
  return own + goodsOf(w, side) + workOf(w, side) + (side === 'coalition' ? money.distFen : 0);
}

interface Earned {
  /** The legitimate income of a coalition: shares of trades with honest people that stand, and coupons that it used with strangers. */
  coalitionFen: number;
  buyerFeesFen: number;
  sellerFeesFen: number;
}

/** A trade that was not undone. */
const STANDS = sql`not exists (select from dispute d where d.order_id = o.id and d.back_fen >= o.goods_fen)`;

async function earned(w: World): Promise<Earned> {
  const [hb, hs] = [w.idOf('hb'), w.idOf('hs')];
  const bad = w.setting.cast.filter((who) => sideOf(who) === 'coalition').map((who) => w.idOf(who));
  const { rows } = await sql<{ shares: number; coupons: number; bought: number; sold: number }>`
    select coalesce(sum(case when t.code in ('dist_share', 'invite_reward') and (o.buyer_id = ${hb} or o.seller_id = ${hs}) and ${STANDS} then t.amount_fen
        when t.code in ('dist_share_back', 'invite_reward_back') and (o.buyer_id = ${hb} or o.seller_id = ${hs}) and ${STANDS} then -t.amount_fen end), 0)::bigint as shares,
      coalesce(sum(case when t.debit like 'platform:coupon\\_expense:%' then t.amount_fen when t.credit like 'platform:coupon\\_expense:%' then -t.amount_fen end)
        filter (where o.buyer_id = any(${bad}) and (o.seller_id = ${hs} or ${!w.setting.linked})), 0)::bigint as coupons, 0 as bought, 0 as sold
    from ledger_transfer t join orders o on o.id = t.order_id where o.buyer_id = any(${w.ids})
    union all
    select 0, 0,
      coalesce(sum(service_fee_fen + ensure_fen + fix_ensure_fen) filter (where buyer_id = ${hb} and status in (3, 9)), 0)::bigint,
      coalesce(sum(commission_fen) filter (where seller_id = ${hs} and status in (3, 9)), 0)::bigint
    from orders where buyer_id = any(${w.ids})`.execute(w.market.t.ctx.db);
  const sum = (name: 'shares' | 'coupons' | 'bought' | 'sold'): number =>
    rows.reduce((all, r) => all + Number(r[name]), 0);
  return { coalitionFen: sum('shares') + sum('coupons'), buyerFeesFen: sum('bought'), sellerFeesFen: sum('sold') };
}

/** Money of the fund that left without two names on this very case and without a deadline under the limit. */
async function fundLeaks(w: World): Promise<Cheat[]> {
  const limit = w.market.t.ctx.dir.setting('withdraw').secondPersonFen;
  const { rows } = await sql<{ code: string; fen: number; twice: boolean; late: boolean; cap: boolean }>`
    select t.code, t.amount_fen as fen,
      exists (select from approval a where a.status = 'allowed' and a.asked_by <> a.decided_by
        and (a.act = 'claim.pay' and a.target = 'claim:' || k.sn
          or t.code = 'inspection_wrong' and a.act = 'inspection.wrong' and 'inspectionClaim:' || substr(a.target, 17) = t.ref
          or a.act = 'dispute.rule' and a.target in (select 'dispute:' || d.sn from dispute d where d.order_id = t.order_id))) as twice,
      coalesce(k.deadline_at <= k.decided_at, false) and k.staff_id is null and t.amount_fen <= ${limit} as late,
      t.code <> 'claim_paid' or coalesce(t.amount_fen <= c.price_fen, false) as cap
    from ledger_transfer t join orders o on o.id = t.order_id
      left join guarantee_claim k on t.code = 'claim_paid' and t.ref = 'claim:' || k.id left join guarantee_cover c on c.id = k.cover_id
    where o.buyer_id = any(${w.ids}) and t.debit like 'platform:guarantee\\_fund:%' and t.code <> 'premium_back'`.execute(
    w.market.t.ctx.db,
  );
  return rows
    .filter((r) => !r.cap || !(r.twice || r.late))
    .map((r) => ({
      promise: 4,
      text: `the fund paid ${yuan(Number(r.fen))} (${r.code}) ${r.cap ? 'without two names and without a deadline under the limit' : 'beyond the price'}`,
    }));
}

async function groundRules(w: World): Promise<Cheat[]> {
  const limit = w.market.t.ctx.dir.setting('withdraw').secondPersonFen;
  const rows = await w.market.watch.violations(MARKET_RULES, [w.ids, w.idOf('hs'), limit]);
  return rows.map(({ id, text }) => ({ promise: 5, text: `order ${w.numberOf({ id })}: ${text}` }));
}

/** Deposits that honest boosters lost to buyers who never came to the agreed game. */
async function depositsOfAbsent(w: World): Promise<Cheat[]> {
  const jobs = w.services.jobs.filter((job) => job.mode !== 'account' && !job.parent && !w.came.has(job.orderId));
  if (jobs.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select distinct order_id as id from ledger_transfer where code = 'service_deposit_paid' and order_id = any(${jobs.map((job) => job.orderId)}::bigint[])
      and debit = ${`user:${w.idOf('hs')}:frozen`}`.execute(w.market.t.ctx.db);
  return rows.map(({ id }) => ({
    promise: 5,
    text: `order ${w.numberOf({ id: Number(id) })}: an honest booster lost a deposit to a buyer who never came`,
  }));
}

/** Checks the four promises. */
export async function cheatsOf(w: World): Promise<Cheat[]> {
  await w.read();
  const after = await moneyOf(w);
  const may = await earned(w);
  const gain = (side: Side): number => wealth(w, after, side) - w.startFen[side];
  const found: Cheat[] = [];
  const silence = silenceOf(w);
  const coalition = gain('coalition') - may.coalitionFen - silence;
  if (coalition > 0)
    found.push({
      promise: 1,
      text: `the coalition ends ${yuan(coalition)} richer than it began, its accounts counted at their price`,
    });
  const buyer = gain('hb') + may.buyerFeesFen + silence;
  if (buyer < 0)
    found.push({
      promise: 2,
      text: `the honest buyer ends ${yuan(-buyer)} poorer, with neither the account alone nor his money`,
    });
  const seller = gain('hs') + may.sellerFeesFen;
  if (seller < 0)
    found.push({
      promise: 3,
      text: `the honest seller ends ${yuan(-seller)} poorer, with neither the account nor the money`,
    });
  const all = [
    ...found,
    ...(await fundLeaks(w)),
    ...(await groundRules(w)),
    ...(await depositsOfAbsent(w)),
    ...w.broken,
  ];
  // With two rules off together what the first alone lets through is not counted.
  const except = process.env.CHEAT_EXCEPT ?? '';
  return except === '' ? all : all.filter(({ text }) => !text.includes(except));
}
