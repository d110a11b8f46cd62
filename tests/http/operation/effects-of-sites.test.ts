/** Orders of two sites and two sellers whose events are delivered together: no notice, member or webhook goes to the other's. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { addStepsGame } from '#tests/support/orders/orders.ts';

const MOON = 'moon.localhost';
const ROUNDS = 3;

let t: TestApp;
let moonId: number;
let sellers: TestUser[];
let buyers: { user: TestUser; distId: number }[];
let staff: Map<number, TestStaff>;
/** The sizes of the batches in which `order.paid` was delivered. */
const sizes: number[] = [];

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
  const { rows } = await sql<{ id: number }>`
    insert into distributor (code, name, conf, theme) select 'moon', '月光', conf, theme from distributor where id = 1 returning id`.execute(
    t.ctx.db,
  );
  moonId = rows[0]?.id ?? 0;
  await sql`insert into dist_host (host, dist_id) values (${MOON}, ${moonId})`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  staff = new Map([
    [1, await t.newStaff({ role: 'service', distId: 1 })],
    [moonId, await t.newStaff({ role: 'service', distId: moonId })],
  ]);
  sellers = [await t.newUser({ nickName: '甲' }), await t.newUser({ nickName: '乙' })];
  for (const { id } of sellers)
    await sql`insert into webhook_endpoint (user_id, url, events, secret_enc)
      values (${id}, ${`https://shop-${id}.example/`}, '{order.paid,order.shipped}', '\\x00')`.execute(t.ctx.db);
  buyers = [
    { user: await t.newUser({ balanceFen: 10_000_000 }), distId: 1 },
    { user: await t.newUser({ balanceFen: 10_000_000, host: MOON }), distId: moonId },
  ];
  t.app.effects.onMany('order.paid', (_ctx, events) => {
    sizes.push(events.length);
    return Promise.resolve();
  });
});
afterAll(async () => await t.close());

async function paidOrders(): Promise<number[]> {
  const ids: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const seller of sellers)
      for (const { user } of buyers) {
        const goods = await addGoods(t.ctx, { sellerId: seller.id });
        const { orderId } = await user.client.ok(placeOrder, { goodsSn: goods.sn });
        await user.client.ok(balancePay, { orderId });
        ids.push(orderId);
      }
  return ids;
}

interface Left {
  distId: number;
  sellerId: number;
  buyerId: number;
  groupDist: number;
  cards: string[];
  members: string[];
  notices: { userId: number; distId: number; kind: string }[];
  webhooks: { userId: number; event: string }[];
}

/** Returns the effects of the events of each order, with the users they reached. */
async function left(ids: readonly number[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select o.dist_id as "distId", o.seller_id as "sellerId", o.buyer_id as "buyerId", g.dist_id as "groupDist",
      array(select m.client_msg_id from chat_message m where m.group_id = g.id order by m.seq) as cards,
      array(select c.member from chat_member c where c.group_id = g.id order by c.role) as members,
      coalesce((select jsonb_agg(jsonb_build_object('userId', n.user_id, 'distId', n.dist_id, 'kind', n.kind) order by n.kind, n.user_id)
        from notice n where n.ref like 'order:' || o.id || ':%'), '[]') as notices,
      coalesce((select jsonb_agg(jsonb_build_object('userId', e.user_id, 'event', w.event) order by w.event)
        from webhook_delivery w join webhook_endpoint e on e.id = w.endpoint_id where w.subject like 'order.%:' || o.id || ':'), '[]') as webhooks
    from orders o join chat_group g on g.order_id = o.id where o.id = any(${[...ids]}::bigint[]) order by o.id`.execute(
    t.ctx.db,
  );
  return rows;
}

test('paid orders of two sites and sellers reach their own people only, and so do shipped ones', async () => {
  const ids = await paidOrders();
  await t.relay('market');
  expect(sizes).toEqual([ids.length]);
  const paid = await left(ids);
  expect(paid).toHaveLength(ids.length);
  expect(new Set(paid.map(({ distId, sellerId }) => `${distId} ${sellerId}`)).size).toBe(4);
  for (const order of paid) {
    expect(order.groupDist).toBe(order.distId);
    expect(order.members).toEqual([String(order.buyerId), String(order.sellerId), staff.get(order.distId)?.imUid]);
    expect(order.notices).toEqual([{ userId: order.sellerId, distId: order.distId, kind: 'order.paid' }]);
    expect(order.webhooks).toEqual([{ userId: order.sellerId, event: 'order.paid' }]);
    expect(order.cards).toEqual(['order.paid']);
  }

  await sql`update orders set status = 2, shipped_at = now() where id = any(${ids}::bigint[])`.execute(t.ctx.db);
  await sql`insert into outbox (topic, payload)
    select 'order.shipped', jsonb_build_object('orderId', id) from unnest(${ids}::bigint[]) as o(id)`.execute(t.ctx.db);
  await t.relay('market');
  for (const order of await left(ids)) {
    expect(order.cards).toEqual(['order.paid', 'order.shipped']);
    expect(order.notices.filter(({ kind }) => kind === 'order.shipped')).toEqual([
      { userId: order.buyerId, distId: order.distId, kind: 'order.shipped' },
    ]);
    expect(order.webhooks).toEqual(['order.paid', 'order.shipped'].map((event) => ({ userId: order.sellerId, event })));
  }
});
