import { GoodsStatus } from '#contract/rules/statuses.ts';
import { loadSellerDetails } from '#subjects/seller-levels/server/queries.ts';
import { levelFor, type LevelSetting, type SellerDetails } from '#subjects/seller-levels/server/rules.ts';
import { columns, insertRows } from '../bulk.ts';
import type { Market } from '../market.ts';
import { type Person, sellerLevel } from './people.ts';

const DAY = 1440;
/** Days between one level and the next, counted back from now. */
const STEP_DAYS = 19;
const REINDEX_BATCH = 200;

const STANDING_COLUMNS = columns('user_id bigint, level smallint, counted jsonb, level_since timestamptz');
const CHANGE_COLUMNS = columns(
  'user_id bigint, from_level smallint, to_level smallint, counted jsonb, created_at timestamptz',
);

/** Levels of sellers as the market's own rules count them from the history, with the steps by which they came. */
export async function storeLevels(market: Market, people: readonly Person[]): Promise<void> {
  const { client, db } = market;
  const { rows } = await client.query<{ value: LevelSetting }>(
    `select value from setting where key = 'seller_levels' order by version desc limit 1`,
  );
  const setting = rows[0]?.value;
  if (!setting) return;
  const counted: { person: Person; details: SellerDetails; level: number; before: number }[] = [];
  for (const person of people) {
    const before = sellerLevel(person);
    const details = person.sold > 0 || before > 0 ? await loadSellerDetails(db, person.id, setting) : undefined;
    if (details) counted.push({ person, details, level: levelFor(details, setting), before });
  }
  const steps = counted.flatMap(({ person, details, level }) =>
    Array.from({ length: level }, (_, i) => [
      person.id,
      i,
      i + 1,
      JSON.stringify(details),
      market.ago((level - i) * STEP_DAYS * DAY - (person.index % 11) * 97),
    ]),
  );
  await insertRows(client, 'seller_level_change', CHANGE_COLUMNS, steps);
  await insertRows(
    client,
    'seller_standing',
    STANDING_COLUMNS,
    counted.map(({ person, details, level }) => [
      person.id,
      level,
      JSON.stringify(details),
      market.ago(level > 0 ? STEP_DAYS * DAY - (person.index % 11) * 97 : person.joinedAgoDays * DAY),
    ]),
  );
  const changed = counted.filter(({ level, before }) => level !== before);
  await client.query(
    `update app_user u set seller_level = v.level from unnest($1::bigint[], $2::smallint[]) v(id, level) where u.id = v.id`,
    [changed.map(({ person }) => person.id), changed.map(({ level }) => level)],
  );
  for (const { person, level } of counted) person.level = level;
  await client.query(
    `insert into outbox (topic, payload) select 'goods.score', jsonb_build_object('goodsIds', jsonb_agg(id)) from (
       select id, (row_number() over (order by id) - 1) / ${REINDEX_BATCH} as part from goods where seller_id = any($1::bigint[]) and status = ${GoodsStatus.OnSale}) g
     group by part`,
    [changed.map(({ person }) => person.id)],
  );
}
