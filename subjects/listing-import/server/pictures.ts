/** Pictures of the rows of a seller's table: files uploaded with it, found by name, and addresses, which a separate job fetches. */
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/listing-import/contract/listing-import.ts';
import { offerLimits } from '#subjects/goods/rules/offer-limits.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { takeUpload } from '#subjects/media/server/service.ts';
import { CELL_CHARS, fileName, isAddress, NAMES_MAX, namesIn, sourcesOf } from './picture-cell.ts';
import type { Problem } from './read-publish.ts';
import { ownImport } from './store.ts';

/** Maximum number of files per table; the day's limit is separate from that of other pictures (subjects/media/server). */
const FILES_MAX = 600;
const stem = (name: string): string => name.replace(/\.[a-z0-9]{2,4}$/, '');

/** The pictures of a table so far: the key of each file and address, or why an address gave no picture. */
export interface KnownPictures {
  readonly keys: ReadonlyMap<string, string>;
  readonly failures: ReadonlyMap<string, string>;
}

/**
 * The pictures of a table that were uploaded or fetched, or those of them that `sources` name. A file is also found by its name without the
 * extension.
 */
export async function knownPictures(db: Trx, importId: number, sources?: readonly string[]): Promise<KnownPictures> {
  const names = sources && [...sources];
  const wanted = names ? sql`and (source = any(${names}::text[]) or stem = any(${names}::text[]))` : sql``;
  const { rows } = await sql<{ source: string; isUrl: boolean; key: string | null; failure: string | null }>`
    select source, is_url as "isUrl", picture_key as key, failure from listing_import_picture where import_id = ${importId} ${wanted} order by source`.execute(
    db,
  );
  const keys = new Map<string, string>();
  for (const { source, isUrl, key } of rows)
    if (key !== null && !isUrl && !keys.has(stem(source))) keys.set(stem(source), key);
  for (const { source, key } of rows) if (key !== null) keys.set(source, key);
  return {
    keys,
    failures: new Map(rows.flatMap(({ source, failure }) => (failure === null ? [] : [[source, failure]]))),
  };
}

const problem = (text: string): Problem => ({ field: 'pictures', text });

/** The problems of a row's pictures that can be found without fetching an address. */
export function pictureProblems(
  { remotePictures }: Pick<Context, 'remotePictures'>,
  cell: string,
  { keys }: KnownPictures,
): Problem[] {
  if (cell.length > CELL_CHARS) return [problem(`图片这一格太长，最多 ${CELL_CHARS} 个字`)];
  const sources = sourcesOf(cell);
  if (sources.length > offerLimits.pictures || namesIn(cell).length > NAMES_MAX)
    return [problem(`图片最多 ${offerLimits.pictures} 张`)];
  const missing = sources.filter((source) => !isAddress(source) && !keys.has(source));
  if (missing.length > 0)
    return [
      problem(`没有上传图片 ${missing.slice(0, 3).join('、')}${missing.length > 3 ? ` 等 ${missing.length} 张` : ''}`),
    ];
  const wrong = sources.flatMap((source) => (isAddress(source) ? (remotePictures.problemOf(source) ?? []) : []));
  return wrong.slice(0, 1).map(problem);
}

/** The outcome for a row's pictures: their keys, the addresses that are still to be fetched, or why one gave no picture. */
export type RowPictures = { keys: string[] } | { waiting: string[] } | { problems: Problem[] };

export function picturesOfRow(ctx: Pick<Context, 'remotePictures'>, cell: string, known: KnownPictures): RowPictures {
  const problems = pictureProblems(ctx, cell, known);
  if (problems.length > 0) return { problems };
  const sources = sourcesOf(cell);
  const failed = sources.find((source) => known.failures.has(source));
  if (failed !== undefined)
    return { problems: [problem(`第 ${sources.indexOf(failed) + 1} 张：${known.failures.get(failed) ?? ''}`)] };
  const waiting = sources.filter((source) => !known.keys.has(source));
  if (waiting.length > 0) return { waiting };
  return { keys: [...new Set(sources.flatMap((source) => known.keys.get(source) ?? []))] };
}

/** Stores a picture for a table of the caller. Throws NOT_FOUND, BAD_INPUT, PICTURE_*, RATE_LIMITED. */
export async function takePicture(
  call: UserCall,
  input: Parsed<typeof c.listingImportPicture>,
): Promise<HandlerResult<typeof c.listingImportPicture>> {
  const { ctx, user } = call;
  const { id, kind } = await ownImport(ctx.db, user.id, input.importId);
  const name = fileName(input.name);
  if (kind !== 'publish' || name === '') throw new AppError('BAD_INPUT', { text: '这张图片没有文件名', field: 'name' });
  if ((await loadFiles(ctx.db, id)) >= FILES_MAX)
    throw new AppError('BAD_INPUT', { text: `一张表格最多配 ${FILES_MAX} 张图片，请拆成几张表格`, field: 'name' });
  const { key } = await takeUpload(call, { userId: user.id, staffId: null }, 'goods', 'import');
  await sql`
    insert into listing_import_picture (import_id, source, stem, is_url, picture_key) values (${id}, ${name}, ${stem(name)}, false, ${key})
    on conflict (import_id, source) do update set picture_key = excluded.picture_key`.execute(ctx.db);
  return { name, pictures: await loadFiles(ctx.db, id) };
}

/** How many files were uploaded for a table. */
export async function loadFiles(db: Trx, importId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from listing_import_picture where import_id = ${importId} and not is_url`.execute(db);
  return rows[0]?.n ?? 0;
}
