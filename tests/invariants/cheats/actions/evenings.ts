/**
 * Evenings of companion play: random actions of dishonest and honest buyers and companions, and the clocks. At the end of an evening every clock
 * has run out, no money is held by an order, and the promises hold.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { companionTip } from '#subjects/services/contract/companions.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { placeServiceOrder, serviceAct, serviceOrder } from '#subjects/services/contract/services.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { mixSeed, random } from '#db/seed/generate/random.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { addPlayGame, openedCompanion } from '#tests/support/services/companion.ts';
import type { Cheat } from '../cheat.ts';

export const ACTIONS_PER_EVENING = 60;
const START_FEN = 200_000;
const TRIAL_MINUTES = 10;
const CLOCKS = [
  'service.accept',
  'service.noShow',
  'service.playEnd',
  'service.endFinal',
  'order.autoConfirm',
] as const;
const HOUR = 3_600_000;
const TIPS = ['20.00', '150.00'] as const;

type Opened = Awaited<ReturnType<typeof openedCompanion>>;
interface Evening {
  buyers: readonly TestUser[];
  companions: readonly Opened[];
  orders: number[];
  /** Number and parties of each order. */
  parties: Map<number, { sn: string; both: readonly TestUser[] }>;
  /** Open cases of buyers, by order. */
  cases: Map<number, { sn: string; buyer: TestUser }>;
  /** Minutes that were truly played, by order, whatever the market counted. */
  played: Map<number, number>;
  next: () => number;
  story: string[];
}

/** A separate market for evenings. */
export interface EveningMarket {
  t: TestApp;
  staff: TestStaff;
  /** Moves times that the application itself may not change. */
  clock: pg.Client;
  close(): Promise<void>;
}

/** Opens a market for evenings. Close it in the end. */
export async function openEvenings(): Promise<EveningMarket> {
  const t = await testApp();
  await addPlayGame(t);
  const clock = await superuserClient(databaseOf(t.ctx));
  const close = async (): Promise<void> => {
    await clock.end();
    await t.close();
  };
  return { t, staff: await t.newStaff(), clock, close };
}

const money = async (t: TestApp, user: TestUser): Promise<number> => {
  const { availableFen, frozenFen, depositFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen + depositFen;
};
const pick = <T>(w: Evening, list: readonly T[]): T | undefined => list[Math.floor(w.next() * list.length)];

/** Lets every clock of one kind ring. */
async function ring(t: TestApp, kind: string): Promise<void> {
  await sql`update timer set due_at = now() - interval '1 second' where kind = ${kind}`.execute(t.ctx.db);
  await t.timers();
}

async function placeOrder(t: TestApp, w: Evening): Promise<void> {
  const [buyer, companion] = [pick(w, w.buyers), pick(w, w.companions)];
  if (!buyer || !companion) return;
  const how = w.next();
  const startTime = new Date(Math.ceil(Date.now() / HOUR) * HOUR + (20 + Math.floor(w.next() * 4)) * HOUR + 8 * HOUR);
  const { data } = await buyer.client.call(placeServiceOrder, {
    goodsSn: companion.goodsSn,
    num: 1 + Math.floor(w.next() * 3),
    area: '微信区',
    ...(how < 0.3 && { startTime: startTime.toISOString().slice(0, 16) }),
    ...(how > 0.6 && w.orders.length > 0 && { prolongs: pick(w, w.orders) ?? 1 }),
  });
  if (!data) return;
  w.orders.push(data.orderId);
  w.parties.set(data.orderId, { sn: data.orderSn, both: [buyer, companion.companion] });
  w.story.push(`order ${data.orderId}`);
  await buyer.client.call(balancePay, { orderId: data.orderId });
  await t.relay();
}

const PARTY_ACTS = ['accept', 'decline', 'giveUp', 'start', 'end', 'agreeEnd', 'stop'] as const;
/** Acts that end an evening are rarer than those that lead into it, or nothing would ever be played. */
const ENDS: ReadonlySet<string> = new Set(['decline', 'giveUp', 'stop']);

/** One of the parties does what the page offers; now and then anybody tries anything. */
async function act(w: Evening): Promise<void> {
  const orderId = pick(w, w.orders) ?? 0;
  const order = w.parties.get(orderId);
  const isWild = w.next() < 0.2;
  const user = pick(w, isWild ? [...w.buyers, ...w.companions.map(({ companion }) => companion)] : (order?.both ?? []));
  if (!order || !user) return;
  const open = isWild ? [] : (await user.client.ok(serviceOrder, { orderSn: order.sn })).acts;
  const offered = PARTY_ACTS.filter((one) => open.includes(one) && (!ENDS.has(one) || w.next() < 0.2));
  const name = pick(w, isWild ? PARTY_ACTS : offered);
  if (!name) return;
  const { code } = await user.client.call(serviceAct, { orderId, act: name, reason: '临时有事，抱歉' } as never);
  if (code === 0) w.story.push(`${user.id} ${name} ${orderId}`);
}

/** Time passes for one order: its agreed hour comes nearer, and its play, which a case does not interrupt, has lasted longer. */
async function pass(clock: pg.Client, w: Evening, orderId: number): Promise<void> {
  const minutes = Math.floor(w.next() * 90);
  const { rows } = await clock.query<{ plays: boolean }>(
    `update service_order set starts_at = starts_at - x.span, started_at = started_at - x.span, accepted_at = accepted_at - x.span,
      stopped_at = stopped_at - x.span from (select make_interval(mins => $1::int) as span) x
    where order_id = $2 and finished_at is null returning started_at is not null as plays`,
    [minutes, orderId],
  );
  if (rows[0]?.plays === true) w.played.set(orderId, (w.played.get(orderId) ?? 0) + minutes);
}

/** The buyer opens a case, or withdraws the one that is open. */
async function dispute(w: Evening, orderId: number): Promise<void> {
  const open = w.cases.get(orderId);
  if (open) {
    w.cases.delete(orderId);
    await open.buyer.client.call(withdrawDispute, { disputeSn: open.sn });
    w.story.push(`${open.buyer.id} withdraws the case of ${orderId}`);
    return;
  }
  const order = w.parties.get(orderId);
  const buyer = order?.both[0];
  if (!order || !buyer) return;
  const { data } = await buyer.client.call(openDispute, {
    orderSn: order.sn,
    reason: 'other',
    want: 'refund',
    answers: { what: '与描述不符' },
    text: '情况说明写在这里，请核对一下，谢谢',
    pictures: [],
  } as never);
  if (!data) return;
  w.cases.set(orderId, { sn: (data as { disputeSn: string }).disputeSn, buyer });
  w.story.push(`${buyer.id} opens a case over ${orderId}`);
}

/** The buyer opens a case over a play, plays on, withdraws it and ends the play. */
async function playThroughCase(clock: pg.Client, w: Evening, orderId: number): Promise<void> {
  if (w.cases.has(orderId)) return;
  await dispute(w, orderId);
  const opened = w.cases.get(orderId);
  if (!opened) return;
  await pass(clock, w, orderId);
  await dispute(w, orderId);
  const { code } = await opened.buyer.client.call(serviceAct, { orderId, act: 'end' });
  if (code === 0) w.story.push(`${opened.buyer.id} end ${orderId}`);
}

/** The buyer of an order tips its companion. */
async function tip(w: Evening, orderId: number): Promise<void> {
  const buyer = w.parties.get(orderId)?.both[0];
  const amount = pick(w, TIPS) ?? '20.00';
  const done = await buyer?.client.call(companionTip, { orderId, amount });
  if (done?.code === 0) w.story.push(`${buyer?.id} tips ${amount} for ${orderId}`);
}

async function other({ t, clock }: EveningMarket, w: Evening): Promise<void> {
  const orderId = pick(w, w.orders);
  const buyer = pick(w, w.buyers);
  if (!orderId || !buyer) return;
  const what = w.next();
  if (what < 0.3) await tip(w, orderId);
  else if (what < 0.45) await buyer.client.call(cancelOrder, { orderId });
  else if (what < 0.6) await buyer.client.call(confirmRecGoods, { orderId });
  else if (what < 0.65) await dispute(w, orderId);
  else if (what < 0.85) await playThroughCase(clock, w, orderId);
  else await ring(t, pick(w, CLOCKS) ?? 'service.noShow');
}

interface Ended {
  orderId: number;
  buyerId: number;
  goodsFen: number;
  minutes: number;
  played: number | null;
  both: boolean;
  sellerFen: number;
  buyerFen: number;
  tipFen: number;
  /** A tip went from balance to balance. */
  tippedAtOnce: boolean;
  trialMinutes: number;
  escrowFen: number;
  state: string;
}

/** Returns the outcome of each order of a world. */
async function outcomes(t: TestApp, w: Evening): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select s.order_id as "orderId", o.buyer_id as "buyerId", o.goods_fen as "goodsFen", s.minutes, s.played_minutes as played, s.state,
      s.started_at is not null as both,
      (select coalesce(sum(x.amount_fen), 0)::int from ledger_transfer x where x.order_id = o.id and x.code in ('sale_proceeds', 'ruling_to_seller')) as "sellerFen",
      (select coalesce(sum(case x.code when 'order_pay' then x.amount_fen when 'order_refund' then -x.amount_fen else 0 end), 0)::int
        from ledger_transfer x where x.order_id = o.id) as "buyerFen",
      (select coalesce(sum(p.amount_fen), 0)::int from service_tip p where p.order_id = o.id) as "tipFen",
      exists (select from ledger_transfer x where x.order_id = o.id and x.code = 'service_tip' and x.debit like 'user:%:available'
        and x.credit like 'user:%:available') as "tippedAtOnce",
      coalesce((s.form->>'trialMinutes')::int, 0) as "trialMinutes",
      (select coalesce(sum(case x.code when 'order_pay' then x.amount_fen when 'service_tip' then 0 else -x.amount_fen end), 0)::int
        from ledger_transfer x where x.order_id = o.id and x.code in ('order_pay', 'order_refund', 'sale_proceeds', 'ruling_to_seller', 'sale_commission', 'service_fee')) as "escrowFen"
    from service_order s join orders o on o.id = s.order_id where s.order_id = any(${w.orders}::bigint[])`.execute(
    t.ctx.db,
  );
  return rows;
}

/** The promises about one order that is over. `truly`: the minutes that were played, whatever the market counted. */
function broken(o: Ended, truly: number): string[] {
  const share = (minutes: number) => (o.goodsFen * Math.min(minutes, o.minutes)) / o.minutes;
  const counted = o.both ? (o.played ?? o.minutes) : 0;
  const played = counted <= o.trialMinutes ? 0 : counted;
  // Where they were never present together, neither pays for more than ten minutes of waiting.
  const owed = o.both ? share(played) : share(10);
  const earned = truly <= Math.max(o.trialMinutes, played) ? share(played) : share(truly);
  return [
    ...(o.state !== 'done' && o.state !== 'ended' ? [`${o.orderId} is still ${o.state}`] : []),
    ...(o.escrowFen !== 0 ? [`${o.orderId} holds ${o.escrowFen} fen`] : []),
    ...(o.buyerFen > owed * 1.01 + 2
      ? [`${o.orderId}: the buyer paid ${o.buyerFen} for ${played} of ${o.minutes} minutes`]
      : []),
    ...(o.both && o.sellerFen < share(played) * 0.95 - 2
      ? [`${o.orderId}: the companion got ${o.sellerFen} for ${played} minutes`]
      : []),
    ...(o.both && o.sellerFen < earned * 0.95 - 2 && o.sellerFen >= share(played) * 0.95 - 2
      ? [
          `${o.orderId}: played minutes were not paid after a case that was withdrawn, ${truly} played and ${counted} counted`,
        ]
      : []),
    ...(o.tipFen > 20_000 ? [`${o.orderId}: tips of ${o.tipFen}`] : []),
    ...(o.tippedAtOnce ? [`${o.orderId}: a tip moved money at once and without commission`] : []),
    ...(o.tipFen > o.buyerFen ? [`${o.orderId}: tips exceed what was paid for play`] : []),
  ];
}

/** Result of an evening. */
export interface Played {
  story: string[];
  cheats: Cheat[];
  /** The states in which its orders ended, and whether both parties had come. */
  met: string[];
}

/** Everything ends: cases are withdrawn, clocks run out, what nobody began is cancelled, and the last tips are tried. */
async function finish(t: TestApp, w: Evening): Promise<void> {
  for (const orderId of w.cases.keys()) await dispute(w, orderId);
  for (let round = 0; round < 3; round += 1) for (const clock of CLOCKS) await ring(t, clock);
  for (const orderId of w.orders) for (const buyer of w.buyers) await buyer.client.call(cancelOrder, { orderId });
  for (const orderId of w.orders) await tip(w, orderId);
}

/** Plays one evening of a seed to its end. */
export async function playEvening(market: EveningMarket, seed: number, n: number): Promise<Played> {
  const { t, staff, clock } = market;
  const w: Evening = {
    buyers: [await t.newUser({ balanceFen: START_FEN }), await t.newUser({ balanceFen: START_FEN })],
    companions: [
      await openedCompanion(t, staff),
      await openedCompanion(t, staff, { profile: { trialMinutes: TRIAL_MINUTES } }),
    ],
    orders: [],
    parties: new Map(),
    cases: new Map(),
    played: new Map(),
    next: random(mixSeed(seed, n, 61)),
    story: [],
  };
  const people = [...w.buyers, ...w.companions.map(({ companion }) => companion)];
  const sum = async () => (await Promise.all(people.map((user) => money(t, user)))).reduce((a, b) => a + b, 0);
  const before = await sum();
  for (let i = 0; i < ACTIONS_PER_EVENING; i += 1) {
    const what = w.next();
    await (what < 0.2 || w.orders.length === 0
      ? placeOrder(t, w)
      : what < 0.75
        ? act(w)
        : what < 0.87
          ? pass(clock, w, pick(w, w.orders) ?? 0)
          : other(market, w));
  }
  await finish(t, w);
  const ended = await outcomes(t, w);
  const texts = ended.flatMap((o) => broken(o, w.played.get(o.orderId) ?? 0));
  // All of them together, accomplices or not, have no more than they had.
  const gainFen = (await sum()) - before;
  if (gainFen > 0) texts.push(`all together have ${gainFen} fen more than before`);
  return {
    story: w.story,
    cheats: texts.map((text) => ({ promise: 5, text })),
    met: ended.map(({ state, both }) => `${state}${both ? '' : ' alone'}`),
  };
}
