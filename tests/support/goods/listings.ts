/** A market of two games, one of them shown by a second site, with fifty goods on sale that differ in everything a list asks for. */
import { sql } from 'kysely';
import type { Field } from '#subjects/games/contract/games.ts';
import type { Input } from '#contract/endpoint.ts';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import type { Overrides } from '#server/context.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { type TestApp, testApp, type TestUser } from '../servers/build.ts';

/** Host of the site that shows the first game only. */
export const MOON = 'moon.test';
const FIELDS: Partial<Field>[] = [
  {
    key: 'rank',
    label: '段位',
    kind: 'single',
    options: [
      { v: 1, label: '钻石' },
      { v: 2, label: '王者' },
    ],
  },
  {
    key: 'skins',
    label: '限定皮肤',
    kind: 'multi',
    options: ['凤求凰', '引擎之心', '武则天'].map((label, i) => ({ v: i + 1, label })),
  },
  { key: 'skin_num', label: '皮肤数量', kind: 'range', unit: '款', min: 0, max: 2000, numericSlot: 1 },
  { key: 'rebind', label: '可换绑', kind: 'bool' },
];

async function addGames(t: TestApp): Promise<void> {
  const fields = FIELDS.map((f, sort) => ({
    required: false,
    inCard: true,
    filterable: true,
    goodsTypes: [1, 50],
    sort,
    ...f,
  }));
  for (const [id, code, name, pinyin, initials] of [
    [1, 'wzry', '王者荣耀', 'wangzherongyao', 'wzry'],
    [2, 'hpjy', '和平精英', 'hepingjingying', 'hpjy'],
  ] as const) {
    await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
      values (${id}, ${code}, ${name}, 2, 'W', ${pinyin}, ${initials}, '[{"id":1,"name":"账号"},{"id":2,"name":"游戏币"}]')`.execute(
      t.ctx.db,
    );
    await sql`insert into catalogue_version (game_id, kind, version, body) values (${id}, 'fields', 1, ${JSON.stringify(fields)}::jsonb)`.execute(
      t.ctx.db,
    );
    await sql`insert into game_area (id, game_id, name) values (${id * 10}, ${id}, '安卓QQ')`.execute(t.ctx.db);
    await sql`insert into game_server (id, area_id, name) values (${id * 100}, ${id * 10}, '86区')`.execute(t.ctx.db);
  }
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

export interface ListingOptions {
  game?: number;
  type?: number;
  title?: string;
  fen?: number;
  attrs?: Record<string, unknown>;
  status?: number;
  by?: TestUser;
  print?: string;
  inspected?: boolean;
  ageMinutes?: number;
}

export interface ListingMarket {
  t: TestApp;
  seller: TestUser;
  other: TestUser;
  /** Numbers of 45 accounts of the first game, newest first. */
  created: readonly string[];
  /** Puts a listing into the table and has the server index it, as publishing does; call `t.relay()` after it. */
  add: (options: ListingOptions) => Promise<{ id: number; sn: string }>;
  /** Gives goods another state, as a seller or an order does. */
  setStatus: (ids: number[], status: number) => Promise<void>;
  /** Numbers on every page of a list, by its cursor. */
  walk: (input: Input<typeof getGoodsList>) => Promise<string[]>;
}

/** Opens the market over a separate database. Close `t` in afterAll. */
export async function openListingMarket(overrides: Overrides = {}): Promise<ListingMarket> {
  const t = await testApp({ env: { DATABASE_POOL: '12' }, overrides });
  await addGames(t);
  const seller = await t.newUser({ nickName: '山海号铺', sellerLevel: 3, depositFen: 100_000 });
  const other = await t.newUser({ nickName: '别家' });
  const created: string[] = [];

  async function add(options: ListingOptions): Promise<{ id: number; sn: string }> {
    const { rows } = await sql<{ id: number; sn: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, description, price_fen, attrs, status, fingerprint, inspected_at, refreshed_at, pictures)
    values (1, ${(options.by ?? seller).id}, ${options.game ?? 1}, ${options.type ?? 1}, ${(options.game ?? 1) * 10}, ${(options.game ?? 1) * 100},
      ${options.title ?? '安卓QQ 皮肤齐全 可换绑'}, '自用号', ${options.fen ?? 10_000}, ${JSON.stringify(options.attrs ?? {})}::jsonb, ${options.status ?? 2},
      ${options.print === undefined ? null : Buffer.from(options.print)}, ${options.inspected ? new Date() : null},
      now() - make_interval(mins => ${options.ageMinutes ?? 0}), '[{"art": "7"}]') returning id, sn`.execute(t.ctx.db);
    const row = rows[0];
    if (!row) throw new Error('not stored');
    await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsId: row.id })}::jsonb)`.execute(
      t.ctx.db,
    );
    return row;
  }

  async function setStatus(ids: number[], status: number): Promise<void> {
    await sql`update goods set status = ${status} where id = any(${ids})`.execute(t.ctx.db);
    await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsIds: ids })}::jsonb)`.execute(
      t.ctx.db,
    );
    await t.relay();
  }

  async function walk(input: Input<typeof getGoodsList>): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 40; page++) {
      const { list, next } = await t.client().ok(getGoodsList, { ...input, ...(cursor !== undefined && { cursor }) });
      found.push(...list.map((c) => c.goodsSn));
      if (next === null) return found;
      cursor = next;
    }
    throw new Error('the list does not end');
  }

  await sql`with d as (insert into distributor (code, name, conf, theme, games) select 'moon', '月', conf, theme, '{1}' from distributor where id = 1 returning id)
    insert into dist_host (host, dist_id) select ${MOON}, id from d`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  for (let i = 0; i < 45; i++) {
    const { sn } = await add({
      fen: 10_000 + (i % 9) * 1000,
      ageMinutes: i,
      attrs: { rank: 1 + (i % 2), skin_num: i * 10, skins: i % 3 === 0 ? [1, 2] : [2], rebind: i % 5 === 0 },
      inspected: i % 4 === 0,
      title: i % 7 === 0 ? `典藏露娜 凤求凰 编号${i}` : `安卓QQ 皮肤齐全 编号${i}`,
    });
    created.push(sn);
  }
  await add({ game: 2, title: '和平精英 满级套装', fen: 88_000 });
  await add({ type: 2, title: '一万金币 当面交易', fen: 500, by: other });
  await t.relay();
  return { t, seller, other, created, add, setStatus, walk };
}
