/**
 * Nobody wins by cheating with evenings: random acts of a dishonest buyer, a dishonest companion and the clocks, against an honest buyer and
 * an honest companion. In each world's end every clock has rung, no money is held by an order, and the promises hold.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { companionTip } from '#contract/companions.ts';
import { cancelOrder, confirmRecGoods } from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { placeServiceOrder, serviceAct, serviceOrder } from '#contract/services.ts';
import { balancesOf, brokenInvariants } from '#server/slices/ledger/service.ts';
import { mixSeed, random } from '#db/seed/generate/random.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/build.ts';
import { addPlayGame, openedCompanion } from '#tests/support/companion.ts';

const WORLDS = Number(process.env.CHEAT_EVENINGS ?? 6);
const ACTS = 60;
const SEED = Number(process.env.CHEAT_SEED ?? 1);
const START_FEN = 200_000;
const CLOCKS = [
  'service.accept',
  'service.noShow',
  'service.playEnd',
  'service.endFinal',
  'order.autoConfirm',
] as const;
const HOUR = 3_600_000;

type Opened = Awaited<ReturnType<typeof openedCompanion>>;
interface World {
  buyers: readonly TestUser[];
  companions: readonly Opened[];
  orders: number[];
  /** Number and parties of each order. */
  parties: Map<number, { sn: string; both: readonly TestUser[] }>;
  next: () => number;
  story: string[];
}

let t: TestApp;
let staff: TestStaff;
beforeAll(async () => {
  t = await testApp();
  await addPlayGame(t);
  staff = await t.newStaff();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const money = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen, depositFen } = await balancesOf(t.ctx.db, user.id);
  return availableFen + frozenFen + depositFen;
};
const pick = <T>(w: World, list: readonly T[]): T | undefined => list[Math.floor(w.next() * list.length)];

/** Lets every clock of one kind ring. */
async function ring(kind: string): Promise<void> {
  await sql`update timer set due_at = now() - interval '1 second' where kind = ${kind}`.execute(t.ctx.db);
  await t.timers();
}

async function placeOrder(w: World): Promise<void> {
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
async function act(w: World): Promise<void> {
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

/** Time passes for one order: its agreed hour comes nearer, and its play has lasted longer. */
async function pass(w: World): Promise<void> {
  const minutes = Math.floor(w.next() * 90);
  await sql`update service_order set starts_at = starts_at - make_interval(mins => ${minutes}), started_at = started_at - make_interval(mins => ${minutes}),
    accepted_at = accepted_at - make_interval(mins => ${minutes}) where order_id = ${pick(w, w.orders) ?? 0} and finished_at is null`.execute(
    t.ctx.db,
  );
}

async function other(w: World): Promise<void> {
  const orderId = pick(w, w.orders);
  const buyer = pick(w, w.buyers);
  if (!orderId || !buyer) return;
  const what = w.next();
  if (what < 0.3) await buyer.client.call(companionTip, { orderId, amount: '150.00' });
  else if (what < 0.5) await buyer.client.call(cancelOrder, { orderId });
  else if (what < 0.7) await buyer.client.call(confirmRecGoods, { orderId });
  else await ring(pick(w, CLOCKS) ?? 'service.noShow');
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
  escrowFen: number;
  state: string;
}

/** What each order of a world came to. */
async function outcomes(w: World): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select s.order_id as "orderId", o.buyer_id as "buyerId", o.goods_fen as "goodsFen", s.minutes, s.played_minutes as played, s.state,
      s.started_at is not null as both,
      (select coalesce(sum(x.amount_fen), 0)::int from ledger_transfer x where x.order_id = o.id and x.code in ('sale_proceeds', 'ruling_to_seller')) as "sellerFen",
      (select coalesce(sum(case x.code when 'order_pay' then x.amount_fen when 'order_refund' then -x.amount_fen else 0 end), 0)::int
        from ledger_transfer x where x.order_id = o.id) as "buyerFen",
      (select coalesce(sum(p.amount_fen), 0)::int from service_tip p where p.order_id = o.id) as "tipFen",
      (select coalesce(sum(case x.code when 'order_pay' then x.amount_fen when 'service_tip' then 0 else -x.amount_fen end), 0)::int
        from ledger_transfer x where x.order_id = o.id and x.code in ('order_pay', 'order_refund', 'sale_proceeds', 'ruling_to_seller', 'sale_commission', 'service_fee')) as "escrowFen"
    from service_order s join orders o on o.id = s.order_id where s.order_id = any(${w.orders}::bigint[])`.execute(
    t.ctx.db,
  );
  return rows;
}

/** The promises about one order that is over. */
function broken(o: Ended): string[] {
  const share = (minutes: number) => (o.goodsFen * Math.min(minutes, o.minutes)) / o.minutes;
  const played = o.both ? (o.played ?? o.minutes) : 0;
  // Where they were never present together, neither pays for more than ten minutes of waiting.
  const owed = o.both ? share(played) : share(10);
  return [
    ...(o.state !== 'done' && o.state !== 'ended' ? [`${o.orderId} is still ${o.state}`] : []),
    ...(o.escrowFen !== 0 ? [`${o.orderId} holds ${o.escrowFen} fen`] : []),
    ...(o.buyerFen > owed * 1.01 + 2
      ? [`${o.orderId}: the buyer paid ${o.buyerFen} for ${played} of ${o.minutes} minutes`]
      : []),
    ...(o.both && o.sellerFen < share(played) * 0.95 - 2
      ? [`${o.orderId}: the companion got ${o.sellerFen} for ${played} minutes`]
      : []),
    ...(o.tipFen > 20_000 ? [`${o.orderId}: tips of ${o.tipFen}`] : []),
  ];
}

test(`cheating in companion play gains nothing in ${WORLDS} worlds of ${ACTS} actions from seed ${SEED}`, {
  timeout: 120_000 + WORLDS * 20_000,
}, async () => {
  const met = new Set<string>();
  for (let n = 0; n < WORLDS; n += 1) {
    const w: World = {
      buyers: [await t.newUser({ balanceFen: START_FEN }), await t.newUser({ balanceFen: START_FEN })],
      companions: [await openedCompanion(t, staff), await openedCompanion(t, staff)],
      orders: [],
      parties: new Map(),
      next: random(mixSeed(SEED, n, 61)),
      story: [],
    };
    const people = [...w.buyers, ...w.companions.map(({ companion }) => companion)];
    const before = await Promise.all(people.map(money));
    for (let i = 0; i < ACTS; i += 1) {
      const what = w.next();
      await (what < 0.2 || w.orders.length === 0
        ? placeOrder(w)
        : what < 0.75
          ? act(w)
          : what < 0.87
            ? pass(w)
            : other(w));
    }
    for (let round = 0; round < 3; round += 1) for (const clock of CLOCKS) await ring(clock);
    for (const orderId of w.orders) for (const buyer of w.buyers) await buyer.client.call(cancelOrder, { orderId });
    const ended = await outcomes(w);
    for (const { state, both } of ended) met.add(`${state}${both ? '' : ' alone'}`);
    expect([w.story, ended.flatMap(broken)]).toEqual([w.story, []]);
    const after = await Promise.all(people.map(money));
    // All of them together, accomplices or not, have no more than they had.
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    expect(sum(after)).toBeLessThanOrEqual(sum(before));
  }
  expect([...met]).toEqual(expect.arrayContaining(['ended', 'ended alone']));
});
