/**
 * Synonyms of the search by staff: rows, the list in memory on every node, and the expansion of keywords
 * (docs/decisions/310).
 */
import { type RawBuilder, sql } from 'kysely';
import { cacheKind, cacheOf, type HasCaches } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { afterCommit, type Db, type Trx } from '#server/db/client.ts';
import { StaleWhileRevalidate } from '#server/kernel/cache.ts';
import { publishAllChanged } from '../search/changes.ts';
import { keywordParts } from '../search/filters.ts';
import { plainOf } from './corrector.ts';
import type { Synonym } from './names.ts';

/** Bus channel of changed synonyms. */
export const SYNONYM_CHANNEL = 'search.synonyms';
/** The longest time that a lost bus message leaves the list outdated. */
const TTL_MS = 60_000;
/** Active synonyms; each search compares its keyword with all of them. */
export const MAX_SYNONYMS = 1000;

/** The active synonyms by the normalised form of their term. */
export type Synonyms = ReadonlyMap<string, Synonym>;

const synonymCache = cacheKind(
  'goods.synonyms',
  ({ db }: { db: Db }) =>
    new StaleWhileRevalidate(async (): Promise<Synonyms> => {
      const { rows } = await sql<Synonym & { plain: string }>`
        select plain, term, meant from search_synonym where ended_at is null order by id limit ${MAX_SYNONYMS}`.execute(
        db,
      );
      return new Map(rows.map(({ plain, term, meant }) => [plain, { term, meant }]));
    }, TTL_MS),
  { dropOn: [SYNONYM_CHANNEL] },
);

/** The active synonyms, from memory. */
export const loadSynonyms = async (ctx: HasCaches & { db: Db }): Promise<Synonyms> =>
  await cacheOf(ctx, synonymCache).get();

const LATIN = /^[a-z\d.]+$/;

/** The longest synonym within a word; a synonym of letters and digits must be the whole word. */
function within(word: string, synonyms: Synonyms): { at: number; plain: string; of: Synonym } | undefined {
  let best: { at: number; plain: string; of: Synonym } | undefined;
  for (const [plain, of] of synonyms) {
    if (plain.length <= (best?.plain.length ?? 0) || (LATIN.test(plain) && plain !== word)) continue;
    const at = word.indexOf(plain);
    if (at >= 0) best = { at, plain, of };
  }
  return best;
}

const either = (own: string, meant: string): string[] => {
  const [a, b] = [keywordParts(own), keywordParts(meant)].map((parts) => parts.join(' & '));
  return b === '' ? [] : [a === '' ? `(${b})` : `((${a}) | (${b}))`];
};

function wordParts(word: string, synonyms: Synonyms): string[] {
  const plain = plainOf(word);
  const found = within(plain, synonyms);
  if (!found) return keywordParts(word);
  const rest = [plain.slice(0, found.at), plain.slice(found.at + found.plain.length)];
  return [...either(found.plain, found.of.meant), ...rest.flatMap((part) => wordParts(part, synonyms))];
}

/** A keyword as parts of a tsquery, where each synonym in it also matches its meaning. */
export function expandedParts(keyWord: string, synonyms: Synonyms): string[] {
  if (synonyms.size === 0) return keywordParts(keyWord);
  const whole = plainOf(keyWord);
  const same = synonyms.get(whole);
  if (same) return either(keyWord, same.meant);
  const words = keyWord.split(/\s+/);
  return words.some((word) => within(plainOf(word), synonyms))
    ? words.flatMap((word) => wordParts(word, synonyms))
    : keywordParts(keyWord);
}

/** The synonyms that a keyword contains. */
export function synonymsIn(keyWord: string, synonyms: Synonyms): Synonym[] {
  const same = synonyms.get(plainOf(keyWord));
  if (same) return [same];
  return keyWord.split(/\s+/).flatMap((word) => within(plainOf(word), synonyms)?.of ?? []);
}

/** A synonym as listed for staff. */
export interface SynonymRow {
  synonymId: number;
  term: string;
  meant: string;
  note: string;
  version: number;
  createdBy: string | null;
  createTime: Date;
  endTime: Date | null;
  endReason: string | null;
}

/** The synonyms that match a condition on `y`, newest first. */
export async function synonymRows(db: Trx, where: RawBuilder<unknown>, limit: number): Promise<SynonymRow[]> {
  const { rows } = await sql<SynonymRow>`
    select y.id as "synonymId", y.term, y.meant, y.note, y.version, s.name as "createdBy", y.created_at as "createTime",
      y.ended_at as "endTime", y.ended_reason as "endReason"
    from search_synonym y left join staff s on s.id = y.created_by where ${where} order by y.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** After the commit, every node reloads the synonyms and drops cached lists. */
function announce(ctx: Context, trx: Trx): void {
  afterCommit(trx, () => {
    ctx.bus.publish(SYNONYM_CHANNEL, {});
    publishAllChanged(ctx);
  });
}

/**
 * Adds a synonym; its term is then no longer listed as a keyword without results. Returns false when the term already
 * has a synonym or there are too many.
 */
export async function addSynonym(
  ctx: Context,
  trx: Trx,
  { term, meant, note, staffId }: Synonym & { note: string; staffId: number },
): Promise<boolean> {
  const plain = plainOf(term);
  const { rows } = await sql<{ id: number }>`
    insert into search_synonym (term, plain, meant, note, created_by)
    select ${term}, ${plain}, ${meant}, ${note}, ${staffId}::bigint
    where (select count(*) from search_synonym where ended_at is null) < ${MAX_SYNONYMS}
    on conflict (plain) where ended_at is null do nothing returning id`.execute(trx);
  if (rows.length === 0) return false;
  await sql`delete from search_miss where plain = ${plain}`.execute(trx);
  announce(ctx, trx);
  return true;
}

/** Changes the meaning of a term in the version that its editor saw; undefined when the version has changed. */
export async function updateSynonym(
  ctx: Context,
  trx: Trx,
  { synonymId, version, meant, note }: Pick<SynonymRow, 'synonymId' | 'version' | 'meant' | 'note'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ term: string }>`
    update search_synonym set meant = ${meant}, note = ${note}, version = version + 1
    where id = ${synonymId} and version = ${version} and ended_at is null returning term`.execute(trx);
  announce(ctx, trx);
  return rows[0]?.term;
}

/** Ends a synonym in the version that its editor saw; undefined when the version has changed. */
export async function closeSynonym(
  ctx: Context,
  trx: Trx,
  end: { synonymId: number; version: number; staffId: number; reason: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ term: string }>`
    update search_synonym set ended_at = now(), ended_by = ${end.staffId}, ended_reason = ${end.reason}, version = version + 1
    where id = ${end.synonymId} and version = ${end.version} and ended_at is null returning term`.execute(trx);
  announce(ctx, trx);
  return rows[0]?.term;
}
