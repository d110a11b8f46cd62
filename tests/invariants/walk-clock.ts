/** A clock that jumps: what is due some time later is due at once, for some rows that chance draws. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

type Drawn = (of: RawBuilder<unknown>) => RawBuilder<number>;

/** Sellers rise and fall, so that their holds come free in stages. */
export async function changeLevels(db: Db, drawn: Drawn): Promise<void> {
  await sql`update app_user set seller_level = floor(${drawn(sql`id`)} * 6)::int where ${drawn(sql`id`)} < 0.5`.execute(
    db,
  );
}

/** Some timers are due immediately, as if the clock had jumped: unpaid orders close, others are confirmed, holds end, claims are paid. */
export async function jumpAhead(db: Db, drawn: Drawn): Promise<void> {
  await sql`update timer set due_at = now() where ${drawn(sql`kind || ref`)} < 0.15 and kind not like 'ledger%' and kind not like 'goods%'`
    .execute(db)
    .catch(() => undefined);
  await changeLevels(db, drawn).catch(() => undefined);
  await sql`update orders set ship_by = ship_by - interval '10 days', late_end_at = late_end_at - interval '2 days' where status = 1 and ${drawn(sql`id`)} < 0.3`
    .execute(db)
    .catch(() => undefined);
  // Hours and days of protection go by.
  await sql`update hold set release_at = release_at - make_interval(hours => floor(${drawn(sql`id`)} * 30)::int)
    where code = 'sale_protection' and released_at is null and release_at is not null and ${drawn(sql`id`)} < 0.5`
    .execute(db)
    .catch(() => undefined);
  await sql`update timer set due_at = now() where kind = 'hold.release' and ${drawn(sql`ref`)} < 0.5`
    .execute(db)
    .catch(() => undefined);
}
