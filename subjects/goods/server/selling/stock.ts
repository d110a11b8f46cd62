import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import type { AccountIdentity } from '#server/kernel/account-identity.ts';

/** A listing of a stock list, checked by the import. */
export interface BulkListing {
  /** Makes a repeated import idempotent, within the seller. */
  key: string;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Readonly<Record<string, unknown>>;
  fieldsVersion: number | null;
  account: AccountIdentity | null;
  source: string | null;
  guaranteeOk: boolean;
}

/**
 * Adds the listings of a stock list in one statement, on sale immediately with `publish`, else for review. An existing
 * key or account is skipped. Returns the new ids by key.
 */
export async function addListings(
  trx: Trx,
  listings: readonly BulkListing[],
  { seller, publish, actor }: { seller: { id: number; distId: number }; publish: boolean; actor: string },
): Promise<Map<string, number>> {
  const ids = await insertListings(trx, listings, seller, publish);
  const stored = [...ids.values()];
  await sql`with counted as (insert into goods_stat (goods_id) select unnest(${stored}::bigint[]) on conflict do nothing)
    insert into goods_event (goods_id, kind, actor, detail)
    select unnest(${stored}::bigint[]), 'published', ${actor}, '{"by": "import"}'::jsonb`.execute(trx);
  if (publish) {
    await sql`insert into goods_event (goods_id, kind, actor) select unnest(${stored}::bigint[]), 'approved', ${actor}`.execute(
      trx,
    );
    // One event for the batch: a long list must not delay the events of orders.
    await emit(trx, 'goods.reindex', { goodsIds: stored });
  }
  return ids;
}

/** One statement for the whole batch: a column per array, unnested by the server. */
async function insertListings(
  trx: Trx,
  listings: readonly BulkListing[],
  seller: { id: number; distId: number },
  publish: boolean,
): Promise<Map<string, number>> {
  const col = <T>(pick: (l: BulkListing) => T): T[] => listings.map(pick);
  const { rows } = await sql<{ id: number; import_key: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, description, price_fen, stock, attrs, fields_version,
      fingerprint, account_near, account_hint, source, guarantee_ok, status, import_key)
    select ${seller.distId}, ${seller.id}, v.game, v.type, v.area, v.server, v.title, v.description, v.price, v.stock, v.attrs, v.fields, v.print, v.near, v.hint,
      v.source, v.guarantee, ${publish ? 2 : 1}, v.key
    from unnest(${col((l) => l.gameId)}::int[], ${col((l) => l.typeId)}::smallint[], ${col((l) => l.areaId)}::int[], ${col((l) => l.serverId)}::int[],
      ${col((l) => l.title)}::text[], ${col((l) => l.description)}::text[], ${col((l) => l.priceFen)}::bigint[], ${col((l) => l.stock)}::int[],
      ${col((l) => JSON.stringify(l.attrs))}::jsonb[], ${col((l) => l.fieldsVersion)}::int[], ${col((l) => l.account?.print ?? null)}::bytea[],
      ${col((l) => l.account?.near ?? null)}::bytea[], ${col((l) => l.account?.hint ?? null)}::text[],
      ${col((l) => l.source)}::text[], ${col((l) => l.guaranteeOk)}::boolean[], ${col((l) => l.key)}::text[])
      as v(game, type, area, server, title, description, price, stock, attrs, fields, print, near, hint, source, guarantee, key)
    on conflict do nothing returning id, import_key`.execute(trx);
  return new Map(rows.map((r) => [r.import_key, r.id]));
}
