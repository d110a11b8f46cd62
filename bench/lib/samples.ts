/** Goods of a large market, picked as users would look for them. */
import type pg from 'pg';
import type { Field } from '#subjects/games/contract/games.ts';

export interface Goods {
  id: number;
  sn: string;
  gameId: number;
  typeId: number;
  title: string;
  priceFen: number;
  attrs: Record<string, unknown>;
}
/** A filter that this goods passes, of the `turn`th field that has a value. */
export function filterOf(fields: readonly Field[], goods: Goods, turn: number): Record<string, unknown> | undefined {
  const usable = fields.filter((f) => f.filterable && goods.attrs[f.key] !== undefined && f.kind !== 'text');
  const field = usable[turn % Math.max(1, usable.length)];
  if (!field) return undefined;
  const value = goods.attrs[field.key];
  if (field.kind === 'range') return { [field.key]: { min: Math.floor(Number(value) * 0.8) } };
  if (field.kind === 'multi') return { [field.key]: { any: (value as unknown[]).slice(0, 3) } };
  if (field.kind === 'item_count') return { [field.key]: { any: Object.keys(value as object).slice(0, 2) } };
  return { [field.key]: value };
}

export const yuan = (fen: number): string => (fen / 100).toFixed(2);

/** The longest run of Han characters of a title, cut to what people type. */
export const keywordOf = (title: string, length: number): string =>
  (title.match(/\p{Script=Han}+/gu) ?? ['账号']).toSorted((a, b) => b.length - a.length)[0]?.slice(0, length) ?? '账号';

/** A number of goods on sale, evenly over the whole market. */
export async function pickGoods(client: pg.Client, count: number): Promise<Goods[]> {
  const { rows } = await client.query<Goods>(
    `select id::int, sn, game_id as "gameId", type_id as "typeId", title, price_fen::int as "priceFen", attrs
     from (select max(id) as top, min(id) as low from goods) r, generate_series(1, $1::int) n
     cross join lateral (select * from goods g where g.id >= r.low + (r.top - r.low) * n / ($1 + 1) and g.status = 2 order by g.id limit 1) g`,
    [count],
  );
  return rows;
}
