/**
 * A random walk of mixed actions over 200 people (as many as `WALK_ACTS` or tests/sizes.ts say): orders with and without guarantee and coupon, payments from the balance and by
 * a channel, cancelling, shipping, confirming, withdrawals, disputes, claims, top-ups that staff send back, holds in stages; with clients that ask twice, notifications that repeat,
 * come late and out of order, clocks that jump, and a server that is killed. At the end every rule of the books holds. `TEST_SEED`
 * repeats a walk's choices.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fen } from '#contract/wire.ts';
import { sandboxNotice } from '#server/adapters/pay/sandbox.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { drawnFor, seededChance } from '#tests/support/time/chance.ts';
import { refundSomeTopup } from '#tests/support/orders/staff-refunds.ts';
import { type ServerResponse, killable, type KillableMarket, type Walker } from '#tests/support/servers/killable.ts';
import { sizeOf } from '#tests/sizes.ts';
import { notMet } from './walk-met.ts';
import { changeLevels, jumpAhead } from './walk-clock.ts';

const ACTIONS = sizeOf('walkActions');
/** Acts after which the walk ends even when something it has to meet has not happened. */
const MOST = 4 * ACTIONS;
const walkChance = seededChance('walk');
const PEOPLE = 200;
const AT_ONCE = 16;
const KILLS = 6;
const GUARANTEES = [2, 11, 0, 0];

let market: KillableMarket;
let people: Walker[];

/** The next of a repeatable row of numbers, from 0 up to 1. */
const chance = (): number => walkChance.next();
const drawn = (of: RawBuilder<unknown>): RawBuilder<number> => drawnFor(walkChance, of);
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];

interface Goods {
  sn: string;
  sellerId: number;
}
interface Placed {
  orderId: string;
  orderSn: string;
  buyer: Walker;
  sellerId: number;
}
const listings: Goods[] = [];
const orders: Placed[] = [];
const shipped: Placed[] = [];
const disputes: { sn: string; other: number; opener: Walker }[] = [];
const coupons = new Map<number, string[]>();
/** Notifications on their way: some twice, some after hundreds of other acts. */
const notices: { form: Record<string, string>; at: number }[] = [];
const seen = new Map<string, number>();
let action = 0;

const byId = (id: number): Walker => people.find((p) => p.id === id) ?? people[0] ?? { id: 0, headers: {} };

function dataOf(response: ServerResponse): Record<string, unknown> | undefined {
  const { code, data } = JSON.parse(response.body) as { code: number; data: Record<string, unknown> | null };
  return code === 0 ? (data ?? {}) : undefined;
}

/**
 * One act of one person under a separate key. A fault of ours (5xx but 'busy') ends the walk. One in ten is sent twice concurrently and
 * must get equal responses.
 */
async function by(
  person: Walker,
  path: string,
  form: Record<string, string>,
): Promise<Record<string, unknown> | undefined> {
  const key = `walk-${action++}`;
  const copies = chance() < 0.1 ? 2 : 1;
  const responses = await Promise.all(
    Array.from({ length: copies }, () => market.call(person.headers, path, form, key)),
  );
  for (const { status, body } of responses)
    if (status >= 500) throw new Error(`${path} ${status} ${body.slice(0, 300)}`);
  const [first, second] = responses;
  if (first?.status === 200 && second?.status === 200) expect(second.body).toBe(first.body);
  const response = responses.find(({ status }) => status === 200) ?? first;
  const data = response && dataOf(response);
  const name = `${path} ${data ? 'done' : (response?.status ?? 0)}`;
  seen.set(name, (seen.get(name) ?? 0) + 1);
  return data;
}

async function publishListings(count: number): Promise<void> {
  const sellers = people.map((p) => p.id);
  const { rows } = await sql<{ sn: string; seller: number }>`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
    select 1, (${sellers}::bigint[])[1 + floor(${drawn(sql`i`)} * ${PEOPLE})::int], 1, case when i % 5 = 0 then 27 else 1 end, '测试账号 皮肤齐全',
      2000 + floor(${drawn(sql`i`)} * 20000)::int, case when i % 5 = 0 then 8 else 1 end, 2
    from generate_series(1, ${count}) i returning sn, seller_id as seller`.execute(market.ctx.db);
  listings.push(...rows.map(({ sn, seller }) => ({ sn, sellerId: Number(seller) })));
}

/** A picture that a user has uploaded as evidence. */
async function proof(person: Walker): Promise<string> {
  const key = `${String(person.id).padStart(26, '0')}-64x64`;
  await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256) values (${key}, ${person.id}, 'evidence', 64, 64, 100, '')
    on conflict do nothing`.execute(market.ctx.db);
  return JSON.stringify([key]);
}

/** Claims a cover that is active, and now and then takes the claim back. */
async function claim(): Promise<void> {
  // A cover that begins with the completion, which an event brings a moment later: asked of the database, or nearly all come too early.
  const { rows } = await sql<{ id: number; holder: number; max: number }>`
    select c.id, c.holder_id as holder, least(c.price_fen, o.goods_fen) as max from guarantee_cover c join orders o on o.id = c.order_id
    where c.status = 'active' and not o.disputed order by ${drawn(sql`c.id`)} limit 1`.execute(market.ctx.db);
  const cover = rows[0];
  const holder = cover && people.find((p) => p.id === cover.holder);
  if (!cover || !holder) return;
  const opened = await by(holder, '/api/guarantee/claim', {
    coverId: String(cover.id),
    reason: 'recovered',
    explain: '账号在交易之后被原号主找回，已经无法登录',
    amount: String(Math.max(1, Math.floor((cover.max * (0.2 + 0.8 * chance())) / 100))),
    pictures: await proof(holder),
  });
  if (opened && chance() < 0.25) await by(holder, '/api/guarantee/withdraw', { claimSn: String(opened.claimSn) });
}

async function refundOne(): Promise<void> {
  action++;
  for (const end of await refundSomeTopup(market.ctx, chance)) {
    const name = `staff/refundTopup ${end}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
}

const actions: readonly (readonly [weight: number, act: () => Promise<unknown>])[] = [
  [
    24,
    async () => {
      // A listing taken by another user sometimes stays in this list: that race is intended.
      const at = Math.floor(chance() * listings.length);
      const goods = chance() < 0.8 ? listings.splice(at, 1)[0] : listings[at];
      const buyer = pick(people);
      if (!goods || !buyer) return;
      const ensureId = pick(GUARANTEES) ?? 0;
      const own = coupons.get(buyer.id) ?? [];
      const couponId = chance() < 0.3 ? own[0] : undefined;
      const placed = await by(buyer, '/api/order/placeOrder', {
        goodsSn: goods.sn,
        ...(ensureId === 2 && { ensureId: '2' }),
        ...(ensureId === 11 && { fixEnsureId: '11' }),
        ...(couponId !== undefined && { couponId }),
      });
      if (!placed) return;
      if (couponId !== undefined) coupons.set(buyer.id, own.slice(1));
      const [orderId, orderSn] = [String(placed.orderId), String(placed.orderSn)];
      orders.push({ orderId, orderSn, buyer, sellerId: goods.sellerId });
    },
  ],
  [
    22,
    async () => {
      const order = pick(orders.slice(-400));
      if (order) await by(order.buyer, '/api/pay/balancePay', { orderId: order.orderId });
    },
  ],
  [
    8,
    async () => {
      const order = chance() < 0.7 ? pick(orders.slice(-400)) : undefined;
      const person = order?.buyer ?? pick(people);
      if (!person) return;
      const payment = await by(person, '/api/pay/recPay', {
        aliOrWx: '1',
        ...(order ? { orderId: order.orderId } : { amount: '100.00' }),
      });
      if (!payment) return;
      const form = sandboxNotice(market.ctx.keys.sandbox, {
        interSn: String(payment.payInterSn),
        amountFen: fen(Math.round(Number(payment.amount) * 100)),
        paid: chance() < 0.9,
      });
      const times = 1 + Math.floor(chance() * 3);
      for (let i = 0; i < times; i++) notices.push({ form, at: action + Math.floor(chance() ** 4 * 600) });
    },
  ],
  [
    12,
    async () => {
      const order = pick(orders.slice(-600));
      const done = order && (await by(byId(order.sellerId), '/api/order/offlineTranSub', { orderId: order.orderId }));
      if (order && done) shipped.push(order);
    },
  ],
  [
    10,
    async () => {
      // Mostly what has been shipped, now and then what has not or is done already.
      const at = Math.floor(chance() * shipped.length);
      const order = chance() < 0.8 ? shipped.splice(at, 1)[0] : pick(orders.slice(-600));
      if (order) await by(order.buyer, '/api/order/confirmRecGoods', { orderId: order.orderId });
    },
  ],
  [
    7,
    async () => {
      const order = pick(orders.slice(-300));
      if (!order) return;
      await by(chance() < 0.7 ? order.buyer : byId(order.sellerId), '/api/order/cancelOrder', {
        orderId: order.orderId,
      });
    },
  ],
  [
    4,
    async () => {
      const person = pick(people);
      if (person)
        await by(person, '/api/pay/cashAdvance', {
          amount: String(10 + Math.floor(chance() * 50)),
          accountType: 'alipay',
        });
    },
  ],
  [
    3,
    async () => {
      const person = pick(people);
      const got = person && (await by(person, '/api/coupon/distributeUserCoupon', { act: 'receive', code: 'walk' }));
      const id = (got?.coupon as { couponId?: number } | null | undefined)?.couponId;
      if (person && id !== undefined) coupons.set(person.id, [...(coupons.get(person.id) ?? []), String(id)]);
    },
  ],
  [
    5,
    async () => {
      const order = pick(orders.slice(-800));
      if (!order) return;
      const opened = await by(order.buyer, '/api/dispute/open', {
        orderSn: order.orderSn,
        reason: 'other',
        ...(chance() < 0.5 ? { want: 'refund' } : { want: 'part_refund', wantAmount: '5.00' }),
        answers: JSON.stringify({ what: '皮肤数量不符' }),
        text: '与描述不符，皮肤数量少了很多，请退款',
        pictures: await proof(order.buyer),
      });
      if (opened) disputes.push({ sn: String(opened.disputeSn), other: order.sellerId, opener: order.buyer });
    },
  ],
  [
    4,
    async () => {
      const dispute = pick(disputes);
      if (!dispute) return;
      const { sn: disputeSn } = dispute;
      if (chance() < 0.3) await by(dispute.opener, '/api/dispute/withdraw', { disputeSn });
      else
        await by(byId(dispute.other), '/api/dispute/answer', {
          disputeSn,
          agree: chance() < 0.7 ? '1' : '0',
          answers: JSON.stringify({ what: '按描述发货' }),
          text: '同意协商处理',
        });
    },
  ],
  [2, claim],
  [2, refundOne],
];
const WEIGHT = actions.reduce((sum, [weight]) => sum + weight, 0);

async function deliver(): Promise<void> {
  for (let i = notices.length - 1; i >= 0; i--) {
    const notice = notices[i];
    if (!notice || notice.at > action) continue;
    notices.splice(i, 1);
    action++;
    await market.call({ host: 'pay.example' }, '/api/pay/notify/sandbox', notice.form);
  }
}

async function step(): Promise<void> {
  let left = chance() * WEIGHT;
  for (const [weight, run] of actions) {
    left -= weight;
    if (left <= 0) return void (await run());
  }
}

const jump = (): Promise<void> => jumpAhead(market.ctx.db, drawn);

/** Lets everything that was promised happen: events, timers that are due, payments out. */
async function settle(): Promise<void> {
  for (const notice of notices.splice(0))
    await market.call({ host: 'pay.example' }, '/api/pay/notify/sandbox', notice.form);
  for (let quiet = 0, i = 0; quiet < 5 && i < 3_000; i++) {
    await sleep(100);
    const { rows } = await sql<{
      n: number;
    }>`select (select count(*) from outbox) + (select count(*) from timer where due_at <= now())
      + (select count(*) from payment_notify where decided_at is null) as n`.execute(market.ctx.db);
    quiet = Number(rows[0]?.n) === 0 ? quiet + 1 : 0;
  }
}

beforeAll(async () => {
  market = await killable('walk');
  people = [];
  for (let i = 0; i < PEOPLE; i++) people.push(await market.person(5_000_000, 3_000));
  await sql`update app_user set inviter_id = ${people[0]?.id} where id % 3 = 0 and id <> ${people[0]?.id}`.execute(
    market.ctx.db,
  );
  await changeLevels(market.ctx.db, drawn);
  await addCampaign(market.ctx, { code: 'walk', amountFen: 300, minimumFen: 1000, stock: 100_000, perPerson: 50 });
}, 300_000);
afterAll(async () => await market.close());

/** Walks until so many acts were tried, with the clock jumping; the server is killed at the given acts. */
async function walkTo(end: number, kills: number[]): Promise<void> {
  let jumpAt = action + 1000;
  const walk = async (): Promise<void> => {
    while (action < end) {
      if (listings.length < 200) await publishListings(400).catch(() => undefined);
      await deliver();
      await step();
    }
  };
  const disturb = async (): Promise<void> => {
    while (action < end) {
      await sleep(50);
      if (action > jumpAt) {
        jumpAt += 1000;
        await jump();
      }
      if (kills[0] !== undefined && action > kills[0]) {
        kills.shift();
        await market.server.kill();
        await market.server.start();
      }
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, walk), disturb()]);
  await market.reachable();
}

/** Lets every deadline of what was begun pass. */
async function windUp(): Promise<void> {
  await settle();
  // Covers begin by events, which a busy market brings late: when all have come, there is something to claim.
  const claims = Math.max(20, Math.floor(ACTIONS / 200));
  await Promise.all(Array.from({ length: claims }, claim));
  await sql`update timer set due_at = now() where kind in ('guarantee.look', 'guarantee.pay') and ${drawn(sql`ref`)} < 0.7`.execute(
    market.ctx.db,
  );
  for (let i = 0; i < 3; i++) await jump();
  await settle();
}

const LEAST = Math.max(2, Math.ceil(ACTIONS / 5000));

test(`${ACTIONS} random actions keep the invariants`, { timeout: Math.max(900_000, MOST * 40) }, async () => {
  const kills = Array.from({ length: KILLS }, (_, i) => Math.floor(((i + 0.5) * ACTIONS) / KILLS));
  let lacking: string[] = [];
  // A walk that is short enough for every change meets what is rare by luck only: then it continues.
  for (let end = ACTIONS; end <= MOST; end += ACTIONS) {
    await walkTo(end, kills);
    await windUp();
    lacking = await notMet(market.ctx.db, seen, LEAST);
    if (lacking.length === 0) break;
  }
  console.log(
    [...seen]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, n]) => `${name} ${n}`)
      .join('\n'),
  );
  expect(await brokenInvariants(market.ctx.db)).toEqual([]);
  expect(lacking).toEqual([]);
});
