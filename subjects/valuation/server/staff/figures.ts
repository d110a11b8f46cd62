import { sql } from 'kysely';
import type { staffValuations } from '#subjects/valuation/contract/staff-valuations.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { catalogue } from '#subjects/games/server/service.ts';

interface Row {
  gameId: number;
  samples: number;
  errorBp: number;
  version: number;
  madeAt: Date;
  stale: boolean;
  asked: number;
  months: { month: string; percent: number; sales: number; gain: number }[];
}

/** Every model with its samples, its error, its usage and its monthly results. Throws FORBIDDEN. */
export async function modelFigures({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof staffValuations>> {
  requirePlatform(staff, 'ledger.read');
  const all = await catalogue(ctx);
  const { rows } = await sql<Row>`
    select m.game_id as "gameId", m.samples, m.error_bp as "errorBp", m.version, m.made_at as "madeAt", m.made_at < now() - interval '36 hours' as stale,
      (select count(*)::int from valuation v where v.game_id = m.game_id and v.created_at > now() - interval '7 days') as asked,
      coalesce((select jsonb_agg(jsonb_build_object('month', to_char(x.month, 'YYYY-MM'), 'percent', round(100.0 * x.hits / x.sales, 1), 'sales', x.sales,
          'gain', round(100 - 100.0 * x.loss_fen / nullif(x.plain_loss_fen, 0), 1)) order by x.month)
        from valuation_month x where x.game_id = m.game_id), '[]') as months
    from valuation_model m order by m.samples desc`.execute(ctx.db);
  return {
    list: rows.map(({ errorBp, madeAt, asked, ...r }) => ({
      ...r,
      gameName: all.game(r.gameId)?.name ?? '',
      errorPercent: errorBp / 100,
      madeTime: madeAt,
      asked7: asked,
      months: r.months.map((m) => ({ ...m, gain: m.gain ?? 0 })),
    })),
  };
}
