/** Effects of orders that are paid at the same time: delivered together, they are for each what they are for one alone, once. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { connect, groupOf } from '#tests/support/market/chat.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { addStepsGame } from '#tests/support/orders/orders.ts';

const ORDERS = 30;

let t: TestApp;
let seller: TestUser;
let buyers: TestUser[];
/** The sizes of the batches in which `order.paid` was delivered. */
const sizes: number[] = [];
/** The order in whose event a listener fails; those before it have been carried out then, those behind it have not. */
let poisoned = 0;
/** The effects of one order that was paid alone. */
let alone: unknown;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
  await t.newStaff({ role: 'service' });
  seller = await t.newUser({ nickName: '卖家' });
  buyers = await Promise.all([0, 1, 2].map(() => t.newUser({ balanceFen: 10_000_000 })));
  await sql`insert into webhook_endpoint (user_id, url, events, secret_enc) values (${seller.id}, 'https://shop.example/', '{order.paid}', '\\x00')`.execute(
    t.ctx.db,
  );
  t.app.effects.onMany('order.paid', (_ctx, events) => {
    sizes.push(events.length);
    const isPoisoned = events.some(({ orderId }) => orderId === poisoned);
    return isPoisoned ? Promise.reject(new Error('poisoned')) : Promise.resolve();
  });
  const listeners = t.app.effects.listeners.get('order.paid') ?? [];
  const [last] = listeners.slice(-1);
  if (!last) throw new Error('order.paid has no listener');
  t.app.effects.listeners.set(
    'order.paid',
    listeners.slice(0, -1).toSpliced(Math.floor(listeners.length / 2), 0, last),
  );
});
afterAll(async () => await t.close());

/** Paid orders of one seller and three buyers. Their events wait. */
async function paidOrders(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const buyer = buyers[i % buyers.length] as TestUser;
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    await buyer.client.ok(balancePay, { orderId });
    ids.push(orderId);
  }
  return ids;
}

/** Returns the effects of a payment event on an order, without ids and times. */
async function effectsOf(orderIds: readonly number[]): Promise<unknown[]> {
  const { rows } = await sql`
    select o.staff_id is not null as "hasStaff", (select count(*)::int from chat_group g where g.order_id = o.id) as groups,
      (select jsonb_agg(jsonb_build_array(m.seq, m.client_msg_id, m.content) order by m.seq)
        from chat_group g join chat_message m on m.group_id = g.id where g.order_id = o.id) as messages,
      (select jsonb_agg(jsonb_build_array(c.role, c.is_current, c.read_seq) order by c.role)
        from chat_group g join chat_member c on c.group_id = g.id where g.order_id = o.id) as members,
      (select count(*)::int from chat_group g join chat_assignment a on a.group_id = g.id where g.order_id = o.id) as assignments,
      (select jsonb_agg(jsonb_build_array(h.step, h.key) order by h.step) from order_handover h where h.order_id = o.id) as steps,
      (select jsonb_agg(jsonb_build_array(n.kind, n.user_id, n.title, replace(regexp_replace(n.body, '\\d\\d-\\d\\d \\d\\d:\\d\\d', ''), o.sn, ''),
          (select jsonb_agg(d.channel order by d.channel) from notice_delivery d where d.notice_id = n.id)) order by n.id)
        from notice n where n.ref like 'order:' || o.id || ':%') as notices,
      (select jsonb_agg(replace(m.kind || ' ' || m.ref, o.id::text, '') order by m.kind) from timer m
        where m.kind in ('chat.form', 'notice.late', 'order.late') and m.ref in (o.id::text, 'ship:' || o.id)) as jobs,
      (select jsonb_agg(w.event) from webhook_delivery w where w.subject = 'order.paid:' || o.id || ':') as webhooks
    from orders o where o.id = any(${[...orderIds]}::bigint[]) order by o.id`.execute(t.ctx.db);
  return rows;
}

test('orders paid at the same time have what one order has, in one batch, once however often it is delivered', async () => {
  [alone] = await effectsOf(await delivered(await paidOrders(1)));
  expect(alone).toMatchObject({
    hasStaff: true,
    groups: 1,
    messages: [[0, 'order.paid', { card: 'order.paid' }]],
    assignments: 1,
    jobs: ['chat.form ', 'notice.late ship:', 'order.late '],
    webhooks: ['order.paid'],
  });
  expect(alone).toHaveProperty('notices.length', 1);
  expect(alone).toHaveProperty('members.length', 3);
  expect(alone).toHaveProperty('steps.length', 6);

  const socket = await connect(t, seller);
  const ids = await paidOrders(ORDERS);
  sizes.length = 0;
  await delivered(ids);
  expect(sizes).toEqual([ORDERS]);
  expect(await effectsOf(ids)).toEqual(ids.map(() => alone));
  await expect.poll(() => socket.of('msg').length).toBe(ORDERS);
  const told = socket.of('msg').map(({ groupId, seq, content }) => `${groupId} ${seq} ${content.card ?? ''}`);
  expect(told.toSorted()).toEqual((await groupsOf(ids)).map((groupId) => `${groupId} 0 order.paid`).toSorted());
  expect(socket.of('group')).toHaveLength(ORDERS);
  await socket.cut();

  await again(ids);
  await t.relay('market');
  expect(await effectsOf(ids)).toEqual(ids.map(() => alone));
});

test('an order whose event fails does not keep the effects from the others, and has its own once it is tried again', async () => {
  const ids = await paidOrders(ORDERS);
  poisoned = ids[7] ?? 0;
  await t.relay('market');
  const others = ids.filter((id) => id !== poisoned);
  expect(await effectsOf(others)).toEqual(others.map(() => alone));
  expect(await effectsOf([poisoned])).not.toEqual([alone]);
  poisoned = 0;
  await makeDue(t.ctx.db, 'event');
  while ((await t.timers()) > 0);
  expect(await effectsOf(ids)).toEqual(ids.map(() => alone));
});

test('groups of one batch are given to staff as far as each may have more, and the rest waits', async () => {
  await sql`update staff set on_duty = false`.execute(t.ctx.db);
  const [first, second] = [await t.newStaff({ role: 'service' }), await t.newStaff({ role: 'service' })];
  await sql`update staff set max_chats = 10 where id = ${first.id}`.execute(t.ctx.db);
  await sql`update staff set max_chats = 15 where id = ${second.id}`.execute(t.ctx.db);
  const ids = await paidOrders(ORDERS);
  await t.relay('market');
  const { rows } = await sql<{ staffId: number | null; n: number }>`
    select staff_id as "staffId", count(*)::int as n from orders where id = any(${ids}::bigint[]) group by staff_id order by staff_id`.execute(
    t.ctx.db,
  );
  expect(rows).toEqual([
    { staffId: first.id, n: 10 },
    { staffId: second.id, n: 15 },
    { staffId: null, n: 5 },
  ]);
  const { rows: waiting } = await sql`
    select q.group_id from service_queue q join chat_group g on g.id = q.group_id join timer m on m.kind = 'chat.assign' and m.ref = g.id::text
    where g.order_id = any(${ids}::bigint[])`.execute(t.ctx.db);
  expect(waiting).toHaveLength(5);
});

test('an order that was shipped before its payment was told of has both cards, and another call’s group is not doubled', async () => {
  const ids = await paidOrders(3);
  const [shipped = 0, read = 0] = ids;
  await sql`update orders set status = 2, shipped_at = now() where id = ${shipped}`.execute(t.ctx.db);
  await sql`insert into outbox (topic, payload) values ('order.shipped', ${JSON.stringify({ orderId: shipped })}::jsonb)`.execute(
    t.ctx.db,
  );
  const { rows: sold } = await sql<{ sn: string }>`select sn from orders where id = ${read}`.execute(t.ctx.db);
  await Promise.all([t.relay('market'), groupOf(buyers[1] as TestUser, sold[0]?.sn ?? '')]);
  const { rows } = await sql<{ cards: string[] }>`
    select array(select m.client_msg_id from chat_message m where m.group_id = g.id order by m.seq) as cards
    from chat_group g where g.order_id = any(${ids}::bigint[]) order by g.order_id`.execute(t.ctx.db);
  expect(rows.map(({ cards }) => cards)).toEqual([['order.paid', 'order.shipped'], ['order.paid'], ['order.paid']]);
});

async function delivered(ids: number[]): Promise<number[]> {
  await t.relay('market');
  return ids;
}

async function again(ids: readonly number[]): Promise<void> {
  for (const orderId of ids)
    await sql`insert into outbox (topic, payload) values ('order.paid', ${JSON.stringify({ orderId })}::jsonb)`.execute(
      t.ctx.db,
    );
}

async function groupsOf(ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select id from chat_group where order_id = any(${[...ids]}::bigint[])`.execute(t.ctx.db);
  return rows.map(({ id }) => String(id));
}
