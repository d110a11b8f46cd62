/** Initial state of a world about a service: recyclers, approved boosters, listings whose seller says more than there is. */
import { sql } from 'kysely';
import { BOOST_GAME } from '#tests/support/services/boosting.ts';
import { addDeposit } from '#tests/support/services/coins.ts';

import type { Market, Seat } from './market.ts';
import { SAID_SKINS, type Who } from './model.ts';
import type { Setting } from './setting.ts';

/** The parts of a world needed to arrange it. */
interface Stage {
  market: Market;
  seat: Seat;
  setting: Setting;
  idOf(who: Who): number;
}

const DAY_LIMIT_FEN = 100_000_000;
/** The second level of boosters: orders of up to 3,000 yuan. */
const BOOSTER_DEPOSIT_FEN = 100_000;
const OFF_SALE = 3;

async function addRecyclers(w: Stage): Promise<void> {
  for (const who of w.setting.cast.filter((x) => x === 'hb' || x === 'a' || x === 'c'))
    await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status)
      values (${w.idOf(who)}, ${w.seat.distId}, '安心回收', ${DAY_LIMIT_FEN}, 1)`.execute(w.market.t.ctx.db);
}

async function addBoosters(w: Stage): Promise<void> {
  const { t } = w.market;
  for (const who of w.setting.cast.filter((x) => x === 'hs' || x === 'b')) {
    await sql`insert into provider (dist_id, user_id, kind, status, name, games, reviewed_by, reviewed_at)
      values (${w.seat.distId}, ${w.idOf(who)}, 'booster', 'approved', '阿练', array[${BOOST_GAME}::int],
        ${w.market.staff.admin.id}, now())`.execute(t.ctx.db);
    await addDeposit(t, w.idOf(who), BOOSTER_DEPOSIT_FEN, 'booster');
  }
}

/** Makes the world's people what its service needs. */
export async function arrangeServices(w: Stage): Promise<void> {
  if (w.setting.service === 'recycling') await addRecyclers(w);
  if (w.setting.service === 'boosting') await addBoosters(w);
}

/** A listing as the service needs it: not on sale where recyclers bid for it, with a false number where readings are about it. */
export async function offerAs(w: Stage, goods: { id: number }): Promise<void> {
  const { db } = w.market.t.ctx;
  if (w.setting.service === 'recycling')
    await sql`update goods set status = ${OFF_SALE} where id = ${goods.id}`.execute(db);
  if (w.setting.service === 'reading')
    await sql`update goods set attrs = ${JSON.stringify({ skins: SAID_SKINS })}::jsonb where id = ${goods.id}`.execute(
      db,
    );
}
