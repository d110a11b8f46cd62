import { sql } from 'kysely';
import { distConf } from '#subjects/distributors/contract/dist.ts';
import {
  type BrandContent,
  contentOf,
  emptyContent,
  pictureKeyOf,
} from '#subjects/distributors/contract/brand-content.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The author: a member of staff, or none for the command line and the first start. */
export interface BrandActor {
  readonly id: number | null;
  readonly ip?: string | undefined;
}

/** A brand as it is live, with the number of its newest version. */
export interface BrandRow {
  id: number;
  code: string;
  name: string;
  /** The live version. */
  version: number;
  /** The newest version, a draft while it is greater than `version`. */
  newest: number;
  content: BrandContent;
}

const liveConf = distConf.omit({ distId: true, distCode: true });

/** The content that is live. A brand that was written without one (only its code and name) has an empty one. */
function liveContent(row: { name: string; conf: object; theme: object; games: number[] | null }): BrandContent {
  const conf = liveConf.safeParse({ ...row.conf, theme: row.theme });
  return conf.success ? contentOf(conf.data, row.games) : { ...emptyContent(row.name), games: row.games };
}

/** Reads a brand; `lock` blocks other writers of it until the transaction ends. Throws NOT_FOUND. */
export async function brandRow(db: Trx, distId: number, lock = false): Promise<BrandRow> {
  // A separate statement, because a query that also locks would return the row as it was before the wait for the lock.
  if (lock) await sql`select from distributor where id = ${distId} for update`.execute(db);
  const { rows } = await sql<{
    id: number;
    code: string;
    name: string;
    version: number;
    newest: number | null;
    conf: object;
    theme: object;
    games: number[] | null;
  }>`
    select d.id, d.code, d.name, d.version, d.conf, d.theme, d.games,
      (select max(v.version) from brand_version v where v.dist_id = d.id) as newest
    from distributor d where d.id = ${distId}`.execute(db);
  const row = rows[0];
  if (!row) throw errorOf('NOT_FOUND', 'brand');
  const { id, code, name, version } = row;
  return { id, code, name, version, newest: row.newest ?? version, content: liveContent(row) };
}

/**
 * Rejects pictures that staff did not upload for content, and games that do not exist. Formats are checked by the contract. Throws BAD_INPUT
 * with the field.
 */
export async function checkReferences(db: Trx, content: BrandContent): Promise<void> {
  const pictures: (readonly [field: string, url: string])[] = [
    ['logo', content.logo],
    ['icon', content.icon],
    ['qrCode', content.qrCode],
    ...content.certificates.map(({ url }, n) => [`certificates.${n}.url`, url] as const),
  ];
  const keys = pictures.flatMap(([field, url]) => {
    const key = pictureKeyOf(url);
    return key === undefined ? [] : [{ field, key }];
  });
  const gameIds = [...content.hotGames, ...(content.games ?? [])];
  const [known, games] = await Promise.all([
    sql<{ key: string; width: number; height: number }>`
      select key, width, height from picture where key = any(${keys.map(({ key }) => key)}) and purpose = 'content'`.execute(
      db,
    ),
    sql<{ id: number }>`select id from game where id = any(${gameIds}::int[])`.execute(db),
  ]);
  const sizes = new Map(known.rows.map((row) => [row.key, row]));
  for (const { field, key } of keys) {
    const size = sizes.get(key);
    if (!size) throw new AppError('BAD_INPUT', { text: '图片不存在，请重新上传', field: `content.${field}` });
    const fault = sizeFault(field, size);
    if (fault !== null) throw new AppError('BAD_INPUT', { text: fault, field: `content.${field}` });
  }
  const existing = new Set(games.rows.map(({ id }) => id));
  const unknown = (['hotGames', 'games'] as const).find((field) => content[field]?.some((id) => !existing.has(id)));
  if (unknown) throw new AppError('BAD_INPUT', { text: '有一个游戏已不存在，请重新选择', field: `content.${unknown}` });
}

const ICON_MIN = 64;
const LOGO_MIN = 40;
const LOGO_RATIO = 5;

/** The error in a picture's size for its place, with the required size. */
function sizeFault(field: string, { width, height }: { width: number; height: number }): string | null {
  if (field === 'icon' && (width !== height || width < ICON_MIN))
    return `图标应为正方形，边长至少 ${ICON_MIN}；这张是 ${width} × ${height}`;
  if (field === 'logo' && (height < LOGO_MIN || width > height * LOGO_RATIO || height > width))
    return `标识高至少 ${LOGO_MIN}，宽为高的 1 到 ${LOGO_RATIO} 倍；这张是 ${width} × ${height}`;
  if (field === 'qrCode' && width !== height) return `二维码应为正方形；这张是 ${width} × ${height}`;
  return null;
}
