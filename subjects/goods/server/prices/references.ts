import { isOutlier } from '#subjects/valuation/rules/price-reference.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { type Reference, loadReference } from '#subjects/valuation/server/service.ts';

/** A listing whose reference is written. */
export interface Referenced {
  id: number;
  gameId: number;
  typeId: number;
  areaId: number | null;
  attrs: Record<string, unknown>;
}

/**
 * Writes low, typical and high price of listings by the models of their games and returns them by id. The row of a
 * listing that no longer has a reference is deleted. Call it with the rows of the listings locked, so that no older
 * attributes overwrite newer ones.
 */
export async function storeReferences(
  ctx: Pick<Context, 'db' | 'caches'>,
  trx: Trx,
  listings: readonly Referenced[],
): Promise<ReadonlyMap<number, Reference>> {
  const found = new Map<number, Reference & { gameId: number }>();
  for (const { id, ...listing } of listings) {
    const reference = await loadReference(ctx, listing, trx);
    if (reference) found.set(id, { ...reference, gameId: listing.gameId });
  }
  const rows = [...found];
  const col = <T>(pick: (row: Reference & { gameId: number }) => T): T[] => rows.map(([, r]) => pick(r));
  if (rows.length > 0)
    await sql`
      insert into goods_reference as r (goods_id, game_id, low_fen, typical_fen, high_fen, wide, samples, model_version)
      select * from unnest(${rows.map(([id]) => id)}::bigint[], ${col((r) => r.gameId)}::int[], ${col((r) => r.lowFen)}::bigint[], ${col((r) => r.typicalFen)}::bigint[],
        ${col((r) => r.highFen)}::bigint[], ${col((r) => r.wide)}::boolean[], ${col((r) => r.samples)}::int[], ${col((r) => r.modelVersion)}::int[])
      on conflict (goods_id) do update set game_id = excluded.game_id, low_fen = excluded.low_fen, typical_fen = excluded.typical_fen, high_fen = excluded.high_fen,
        wide = excluded.wide, samples = excluded.samples, model_version = excluded.model_version, made_at = now()
      where (r.game_id, r.low_fen, r.typical_fen, r.high_fen, r.wide, r.samples, r.model_version)
        is distinct from (excluded.game_id, excluded.low_fen, excluded.typical_fen, excluded.high_fen, excluded.wide, excluded.samples, excluded.model_version)`.execute(
      trx,
    );
  const without = listings.flatMap(({ id }) => (found.has(id) ? [] : [id]));
  if (without.length > 0)
    await sql`delete from goods_reference where goods_id = any(${without}::bigint[])`.execute(trx);
  return found;
}

/** The columns of a reference, of goods_reference `rf`; all null where a listing has none. */
export const REFERENCE_COLUMNS = sql`
  rf.low_fen as "lowFen", rf.typical_fen as "typicalFen", rf.high_fen as "highFen", rf.wide, rf.samples`;

/** The columns of a reference as selected with a listing. */
export interface ReferenceRow {
  lowFen: number | null;
  typicalFen: number | null;
  highFen: number | null;
  wide: boolean | null;
  samples: number | null;
}

/** Low, typical and high price, in fen, as pages show them. */
export function pricesOfReference({ lowFen, typicalFen, highFen, wide, samples }: ReferenceRow) {
  if (lowFen === null || typicalFen === null || highFen === null) return null;
  return { low: lowFen, typical: typicalFen, high: highFen, samples: samples ?? 0, wide: wide === true };
}

/**
 * The reference of a listing compared with its price, in fen; null for a listing without one. A band that is too wide
 * has no percentage.
 */
export function bandOf(row: ReferenceRow & { priceFen: number }) {
  const prices = pricesOfReference(row);
  if (!prices) return null;
  const { low, typical, high, wide } = prices;
  return {
    ...prices,
    outlier: isOutlier(row.priceFen, typical),
    diffPercent: wide ? null : Math.round((row.priceFen / typical - 1) * 100),
    position: Math.min(1, Math.max(0, (row.priceFen - low) / Math.max(1, high - low))),
  };
}
