/** Goods and games put straight into the tables, for tests whose subject is what happens to them afterwards. */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';

const STEPS = {
  accounts: [
    {
      key: 'check',
      title: '核对登录',
      actor: 'seller',
      minutes: 10,
      evidence: false,
      required: true,
      beforeShip: true,
      secret: true,
      explain: '卖家提交账号信息',
    },
    {
      key: 'phone',
      title: '换绑手机',
      actor: 'buyer',
      minutes: 10,
      evidence: false,
      required: true,
      beforeShip: false,
      explain: '买家换绑手机',
    },
  ],
  deliveries: [],
};

/** One game (id 1) with hand-over steps or without. Call once per database. */
export async function addGame(ctx: Context, options: { handover?: boolean } = {}): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (1, 'wzry', '王者荣耀', 2, 'W', 'wangzherongyao', 'wzry', '[{"id":1,"name":"账号"},{"id":27,"name":"道具"}]') on conflict do nothing`.execute(
    ctx.db,
  );
  await sql`insert into catalogue_version (game_id, kind, version, body) values (1, 'fields', 1, '[]') on conflict do nothing`.execute(
    ctx.db,
  );
  if (options.handover === true) {
    await sql`insert into catalogue_version (game_id, kind, version, body) values (1, 'handover', 1, ${JSON.stringify(STEPS)}::jsonb) on conflict do nothing`.execute(
      ctx.db,
    );
  }
  ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

/** One piece of goods on sale. Returns its number and id. */
export async function addGoods(
  ctx: Context,
  options: { sellerId: number; priceFen?: number; typeId?: number; stock?: number; status?: number },
): Promise<{ sn: string; id: number }> {
  const { rows } = await sql<{ sn: string; id: number }>`
    insert into goods (dist_id, seller_id, game_id, type_id, title, price_fen, stock, status)
    values (1, ${options.sellerId}, 1, ${options.typeId ?? 1}, '测试账号 皮肤齐全', ${options.priceFen ?? 10_000}, ${options.stock ?? 1}, ${options.status ?? 2}) returning sn, id`.execute(
    ctx.db,
  );
  const row = rows[0];
  if (!row) throw new Error('goods were not stored');
  return row;
}
