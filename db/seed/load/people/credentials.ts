import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import { stepsForGoods } from '#subjects/games/server/service.ts';
import { encryptedBody, wrappedKey } from '#subjects/orders/server/service.ts';
import { newDataKey } from '#server/kernel/secrets/crypto.ts';
import { columns, insertRows } from '../bulk.ts';
import { demoAccount } from '../goods/goods.ts';
import { stepsOf } from '../trades/handover.ts';
import type { Market } from '../market.ts';
import { gameOf } from '../goods/values.ts';

interface OpenOrder {
  id: number;
  sn: string;
  goods_id: number;
  game_id: number;
  type_id: number;
  status: number;
  disputed: boolean;
  buyer_id: number;
  seller_id: number;
  staff_id: number | null;
  dist_id: number;
  total_fen: number;
  attrs: Record<string, unknown>;
}

const KEY_COLUMNS = columns('order_id bigint, wrapped bytea');
const CREDENTIAL_COLUMNS = columns(
  'order_id bigint, step smallint, version int, from_user bigint, body_enc bytea, created_at timestamptz',
);
const OPENING_COLUMNS = columns(
  'order_id bigint, step smallint, version int, opener text, party text, purpose text, opened_at timestamptz',
);

/** Takes the steps that an order's goods rule out off its hand-over, as the payment's event does for new orders. */
async function ruleOut(market: Market, order: OpenOrder): Promise<void> {
  const fields = gameOf(order.game_id).fields as readonly Field[];
  const { ruledOut } = stepsForGoods(stepsOf(order.game_id, order.type_id), fields, order.attrs, new Map());
  if (ruledOut.length === 0) return;
  await market.client.query(
    `with old as (delete from order_handover where order_id = $1 returning *),
       kept as (select *, row_number() over (order by step) as n from old where key <> all($2) or done_at is not null)
     insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, fields, exchange, explain, pictures, done_by, done_at)
     select order_id, n, key, title, actor, minutes, required, before_ship, evidence, secret, fields, exchange, explain, pictures, done_by, done_at from kept`,
    [order.id, ruledOut.map(({ key }) => key)],
  );
  await market.client.query(
    `insert into order_step_ruled_out (order_id, key, after_step, title, reason)
     select $1, r.key, r."afterStep", r.title, r.reason from jsonb_to_recordset($2::jsonb) as r(key text, "afterStep" int, title text, reason text)`,
    [order.id, JSON.stringify(ruledOut)],
  );
}

/** Whoever has opened an order's form by now: staff to check the login, and of every other shipped order the buyer. */
function openingsOf(market: Market, order: OpenOrder, done: ReadonlyMap<string, Date>): unknown[][] {
  const checked = done.get('check_login');
  if (!checked) return [];
  const before = (at: Date, minutes: number) => new Date(at.getTime() - minutes * 60_000);
  const rows: unknown[][] = [[order.id, 1, 1, `staff:${order.staff_id}`, 'staff', 'check_login', before(checked, 3)]];
  if (order.status === OrderStatus.Shipped && order.id % 2 === 0 && !order.disputed)
    rows.push([order.id, 1, 1, `user:${order.buyer_id}`, 'buyer', 'accept', market.ago(20)]);
  return rows;
}

/**
 * Sealed forms of running account orders as far as each has come: sealed and not opened, opened by the assigned staff, waiting for a second
 * person, opened by the buyer. The contents of the forms are invented.
 */
export async function storeCredentials(market: Market): Promise<void> {
  const { client } = market;
  const { rows: orders } = await client.query<OpenOrder>(
    `select id::int, sn, goods_id::int, game_id, type_id, status, disputed, buyer_id::int, seller_id::int, staff_id::int, dist_id, total_fen::int,
       coalesce(snapshot->'attrs', '{}') as attrs
     from orders where status in (${OrderStatus.Paid}, ${OrderStatus.Shipped}) and type_id in (${OrderType.Account}, ${OrderType.FirstTopup}, ${OrderType.Consigned}) and game_id is not null and goods_id is not null and staff_id is not null order by id`,
  );
  const [keys, credentials, opened]: unknown[][][] = [[], [], []];
  for (const order of orders) {
    await ruleOut(market, order);
    const steps = await client.query<{ key: string; at: Date }>(
      'select key, done_at as at from order_handover where order_id = $1 and done_at is not null',
      [order.id],
    );
    const done = new Map(steps.rows.map(({ key, at }) => [key, at]));
    const at = done.get('credentials');
    if (!at) continue;
    const key = newDataKey();
    const fields = [
      { key: 'account' as const, label: '账号', value: demoAccount(order.goods_id) },
      { key: 'password' as const, label: '密码', value: `Demo#${order.id}tz` },
    ];
    keys?.push([order.id, wrappedKey(market.keys, order.id, key)]);
    credentials?.push([
      order.id,
      1,
      1,
      order.seller_id,
      encryptedBody(key, { orderId: order.id, step: 1, version: 1 }, fields),
      at,
    ]);
    opened?.push(...openingsOf(market, order, done));
  }
  await insertRows(client, 'order_key', KEY_COLUMNS, keys ?? []);
  await insertRows(client, 'sealed_credential', CREDENTIAL_COLUMNS, credentials ?? []);
  await insertRows(client, 'credential_opening', OPENING_COLUMNS, opened ?? []);
  await client.query(
    `update orders o set credential_opened_at = f.at, buyer_opened_at = f.buyer_at
     from (select order_id, min(opened_at) as at, min(opened_at) filter (where party = 'buyer') as buyer_at from credential_opening group by order_id) f
     where f.order_id = o.id`,
  );
  await requestSecondPerson(market);
}

/** An expensive order: staff may open its form only with a colleague's approval, which is pending. */
async function requestSecondPerson(market: Market): Promise<void> {
  await market.client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select o.dist_id, 'order.open', 'order:' || o.sn, '{}', o.total_fen, $1, o.staff_id, now() + interval '3 days', $2
       from orders o join sealed_credential c on c.order_id = o.id
       where o.status = ${OrderStatus.Paid} and o.credential_opened_at is null
         and o.total_fen > (select (value ->> 'secondPersonFen')::bigint from setting where key = 'withdraw' order by version desc limit 1)
       order by o.id desc limit 1
       returning act, target, amount_fen, reason, asked_by)
     insert into audit_log (staff_id, act, target, detail, created_at)
     select asked_by, act || '.ask', target, jsonb_build_object('amountFen', amount_fen, 'reason', reason), $2 from asked`,
    ['核对登录，确认段位与皮肤', market.ago(12)],
  );
}
