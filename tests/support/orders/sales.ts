/** A game whose accounts can be valued, and completed sales of it put straight into the tables. */
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';

const FIELDS = [
  {
    key: 'skins',
    label: '皮肤数量',
    kind: 'range',
    unit: '款',
    min: 0,
    max: 900,
    required: true,
    inCard: true,
    filterable: true,
    goodsTypes: [1, 50],
    sort: 1,
  },
  {
    key: 'clean',
    label: '无违规',
    kind: 'bool',
    required: false,
    inCard: false,
    filterable: true,
    goodsTypes: [1, 50],
    sort: 2,
  },
  {
    key: 'note',
    label: '备注',
    kind: 'text',
    required: false,
    inCard: false,
    filterable: false,
    goodsTypes: [1, 50],
    sort: 3,
  },
];

/** Completed sales of a game: 2 yuan for each skin, 100 more for a clean account, a little noise; each between two new people. */
export async function addSales(ctx: Context, count: number, options: { samePair?: boolean } = {}): Promise<void> {
  const first = options.samePair ? sql`1` : sql`2 * i`;
  const tag = `${count}${options.samePair ? 'same' : ''}`;
  await sql`
    with people as (
      insert into app_user (dist_id, phone_enc, phone_hash, phone_mask, union_num, invite_code, nick_name, created_at)
      select 1, '\\x00', decode(md5(${tag} || i), 'hex'), '138****0000', ${tag} || i, ${tag} || i, '人' || i, now() - interval '300 days' from generate_series(1, ${2 * count}::int) i returning id),
    numbered as (select id, row_number() over (order by id) as n from people)
    insert into orders (sn, dist_id, type_id, game_id, buyer_id, seller_id, status, unit_price_fen, goods_fen, total_fen, fees, snapshot, paid_at, shipped_at, completed_at)
    select ${tag} || 'S' || i, 1, 1, 1, b.id, s.id, 3, p.fen, p.fen, p.fen, '[]',
      jsonb_build_object('title', '账号 ' || i, 'attrs', jsonb_build_object('skins', p.skins, 'clean', i % 2 = 0)),
      now() - make_interval(days => i % 80 + 1), now() - make_interval(days => i % 80 + 1), now() - make_interval(days => i % 80 + 1)
    from generate_series(1, ${count}::int) i
      join numbered b on b.n = ${first} join numbered s on s.n = ${first} + case when ${options.samePair === true} then 1 else -1 end
      cross join lateral (select 20 + (i * 37) % 400 as skins) k
      cross join lateral (select k.skins, (200 * k.skins + case when i % 2 = 0 then 10000 else 0 end + 100 * ((i * 13) % 40))::bigint as fen) p`.execute(
    ctx.db,
  );
}

/** The game (id 1) with the fields that the sales have. Call once per database. */
export async function addValuedGame(ctx: Context): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (1, 'wzry', '王者荣耀', 2, 'W', 'wangzherongyao', 'wzry', '[{"id":1,"name":"账号"}]')`.execute(ctx.db);
  await sql`insert into catalogue_version (game_id, kind, version, body) values (1, 'fields', 1, ${JSON.stringify(FIELDS)}::jsonb)`.execute(
    ctx.db,
  );
  ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

/** A game (id 15) that collects other games' listings: each of them names its game. */
export async function addCollection(ctx: Context): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (15, 'zyq', '自营专区', 2, 'Z', 'ziyingzhuanqu', 'zyzq', '[{"id":1,"name":"账号"}]')`.execute(ctx.db);
  const [skins] = FIELDS;
  const named = {
    key: 'game_name',
    label: '所属游戏',
    kind: 'text',
    required: true,
    inCard: true,
    filterable: false,
    sort: 0,
  };
  await sql`insert into catalogue_version (game_id, kind, version, body)
    values (15, 'fields', 1, ${JSON.stringify([{ ...named, goodsTypes: [1] }, skins])}::jsonb)`.execute(ctx.db);
  ctx.bus.publish(CATALOGUE_CHANNEL, {});
}
