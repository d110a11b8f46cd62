/** Accounts whose credentials are handed over under seal, for tests about who opens them and when. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import { offlineTranSub, orderDetail, placeOrder, sealSecret } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addGame, addGoods } from '../goods/goods.ts';

const base = { minutes: 10, evidence: false, required: true };
const STEPS = {
  accounts: [
    {
      ...base,
      key: 'credentials',
      title: '提交账号资料',
      actor: 'seller',
      beforeShip: true,
      secret: true,
      fields: [
        { key: 'account', label: '游戏账号', required: true },
        { key: 'password', required: true },
        { key: 'notes', required: false },
      ],
      explain: '填写账号与密码',
    },
    { ...base, key: 'check_login', title: '核对登录', actor: 'staff', beforeShip: true, explain: '客服登录核对' },
    {
      ...base,
      key: 'phone',
      title: '换绑手机',
      actor: 'seller',
      beforeShip: false,
      secret: true,
      fields: [{ key: 'code', required: false }],
      unless: [
        { field: 'phone_bind', value: '未绑定', reason: '手机未绑定' },
        { field: 'phone_bind', value: '不可换绑', reason: '手机不可换绑' },
      ],
      explain: '换绑手机',
    },
    {
      ...base,
      key: 'realname',
      title: '二次实名',
      actor: 'buyer',
      beforeShip: false,
      required: true,
      unless: [{ field: 'second_realname', value: '否', reason: '不可二次实名' }],
      explain: '改为买家本人',
    },
  ],
  deliveries: [
    {
      goodsTypes: [60],
      steps: [
        {
          ...base,
          key: 'credentials',
          title: '提交登录资料',
          actor: 'buyer',
          beforeShip: true,
          secret: true,
          fields: [
            { key: 'account', required: true },
            { key: 'password', required: true },
          ],
          explain: '买家填写登录资料',
        },
        { ...base, key: 'progress', title: '代练与进度', actor: 'seller', beforeShip: true, explain: '上传进度' },
      ],
    },
  ],
};
const choice = (...labels: string[]) => labels.map((label, i) => ({ v: i + 1, label }));
const field = { required: false, inCard: false, filterable: true, goodsTypes: [1, 27, 60], sort: 1 };
const FIELDS = [
  { ...field, key: 'phone_bind', label: '手机绑定', kind: 'single', options: choice('未绑定', '可换绑', '不可换绑') },
  { ...field, key: 'second_realname', label: '可二次实名', kind: 'bool' },
];

/** The game with fields of bindings and steps that hand an account over. Call once per database. */
export async function addCredentialGame(t: TestApp): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (1, 'wzry', '王者荣耀', 2, 'W', 'wangzherongyao', 'wzry', '[{"id":1,"name":"账号"},{"id":27,"name":"道具"}]')`.execute(
    t.ctx.db,
  );
  await sql`insert into catalogue_version (game_id, kind, version, body) values
    (1, 'fields', 1, ${JSON.stringify(FIELDS)}::jsonb), (1, 'handover', 1, ${JSON.stringify(STEPS)}::jsonb)`.execute(
    t.ctx.db,
  );
  await addGame(t.ctx);
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

export const LOGIN = { account: 'hero2026', password: 'Tiger-77-river' };

export interface CredentialOrder {
  buyer: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
  goodsId: number;
}

/** A paid account whose order `staff` looks after. `typeId` 60 makes it a boosting order, whose seller is the booster. */
export async function credentialOrder(
  t: TestApp,
  options: {
    staff?: TestStaff;
    priceFen?: number;
    attrs?: object;
    typeId?: number;
    readings?: Record<string, string>;
  } = {},
): Promise<CredentialOrder> {
  const { priceFen = 10_000, attrs = {}, typeId = 1 } = options;
  const [buyer, seller] = [await t.newUser({ balanceFen: priceFen * 3 }), await t.newUser()];
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen });
  await sql`update goods set attrs = ${JSON.stringify(attrs)}::jsonb where id = ${goods.id}`.execute(t.ctx.db);
  for (const [key, value] of Object.entries(options.readings ?? {}))
    await sql`insert into inspection (goods_id, field, label, value, reader, read_at) values (${goods.id}, ${key}, ${key}, ${value}, '验号员', now())`.execute(
      t.ctx.db,
    );
  const placed = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  const { orderId, orderSn } = typeId === OrderType.Account ? placed : await asType(t, placed.orderId, typeId);
  await buyer.client.ok(balancePay, { orderId });
  await t.relay();
  await sql`update orders set staff_id = ${options.staff?.id ?? null} where id = ${orderId}`.execute(t.ctx.db);
  await buyer.client.ok(orderDetail, { orderSn });
  return { buyer, seller, orderId, orderSn, goodsId: goods.id };
}

/** An unpaid order like another one, of a type that no goods page sells. */
async function asType(t: TestApp, orderId: number, typeId: number): Promise<{ orderId: number; orderSn: string }> {
  const { rows } = await sql<{ orderId: number; orderSn: string }>`
    insert into orders overriding system value
    select n.* from orders o, jsonb_populate_record(null::orders, to_jsonb(o) || jsonb_build_object(
      'id', nextval(pg_get_serial_sequence('orders', 'id')), 'sn', reverse(o.sn), 'type_id', ${typeId}::int, 'goods_id', null)) n
    where o.id = ${orderId} returning id as "orderId", sn as "orderSn"`.execute(t.ctx.db);
  if (!rows[0]) throw new Error('the order was not stored');
  return rows[0];
}

/** Marks steps done as if their actors had. */
export async function stepsDone(t: TestApp, orderId: number, ...keys: string[]): Promise<void> {
  await sql`update order_handover set done_at = now(), done_by = 'staff:0' where order_id = ${orderId} and key = any(${keys})`.execute(
    t.ctx.db,
  );
}

/** Seals the log-in, and takes the order as far as shipped with its login checked. */
export async function sealAndShip(t: TestApp, d: CredentialOrder): Promise<void> {
  await d.seller.client.ok(sealSecret, { orderId: d.orderId, step: 1, fields: LOGIN });
  await stepsDone(t, d.orderId, 'credentials', 'check_login');
  await d.seller.client.ok(offlineTranSub, { orderId: d.orderId });
}
