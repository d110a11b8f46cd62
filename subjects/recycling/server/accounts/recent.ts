import { sql } from 'kysely';
import type { recycleRecent } from '#subjects/recycling/contract/account-recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { requestRows } from './rows.ts';
import { briefOf } from './view.ts';

const RECENT = 8;

/** The most recently recycled accounts of a site, without personal data. */
export async function recentOnes(
  { ctx, dist }: Call,
  { gameId }: Parsed<typeof recycleRecent>,
): Promise<HandlerResult<typeof recycleRecent>> {
  const all = await catalogue(ctx);
  const rows = await requestRows(
    ctx.db,
    sql`r.status = 'paid' and r.dist_id = ${dist.id} and (${gameId ?? null}::int is null or r.game_id = ${gameId ?? null})`,
    RECENT,
  );
  const { rows: more } = await sql<{ id: number; isPlatform: boolean; paidAt: Date | null; doneAt: Date }>`
    select r.id, c.is_platform as "isPlatform", o.paid_at as "paidAt", o.completed_at as "doneAt" from recycle_request r
      join orders o on o.id = r.order_id join recycle_quote q on q.id = r.best_quote_id join recycler c on c.user_id = q.recycler_id
    where r.id = any(${rows.map(({ id }) => id)}::bigint[]) and o.completed_at is not null`.execute(ctx.db);
  return {
    list: rows.flatMap((r) => {
      const m = more.find(({ id }) => id === r.id);
      if (!m) return [];
      const { gameName, title } = briefOf(r, all, 'other');
      const hours = Math.round((m.doneAt.getTime() - (m.paidAt ?? m.doneAt).getTime()) / 360_000) / 10;
      return [{ gameName, title, price: (r.bestFen ?? 0) - r.cutFen, isPlatform: m.isPlatform, hours, time: m.doneAt }];
    }),
  };
}
