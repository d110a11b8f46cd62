/** Texts and channels of notices: versions written by staff override the shipped texts (docs/decisions/262). */
import { sql } from 'kysely';
import { type NoticeChannel, noticeTextMax, noticeTextProblem, placeholdersOf } from '../rules/notice-text.ts';
import { audit } from '#server/audit/audit.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { allKinds } from './queries.ts';

interface TextRow {
  kind: string;
  channel: NoticeChannel;
  version: number;
  title: string;
  body: string;
  link: string | null;
  template: string | null;
  removed: boolean;
  reason: string;
  authorId: number | null;
  changedBy: string | null;
  changeTime: Date;
}

async function textRows(db: Trx, kind?: string): Promise<TextRow[]> {
  const { rows } = await sql<TextRow>`
    select t.kind, t.channel, t.version, t.title, t.body, t.link, t.vendor_template as template, t.removed, t.reason,
      t.created_by as "authorId", s.name as "changedBy", t.created_at as "changeTime"
    from notice_template t left join staff s on s.id = t.created_by
    where ${kind ?? null}::text is null or t.kind = ${kind ?? null} order by t.kind, t.channel, t.version`.execute(db);
  return rows;
}

/** The shipped text: the newest one without an author. */
const shippedOf = (rows: readonly TextRow[], channel: NoticeChannel): TextRow | undefined =>
  rows.findLast((row) => row.channel === channel && row.authorId === null);

/** The placeholders that a kind fills: those in its shipped texts. */
const placeholders = (rows: readonly TextRow[]): string[] => [
  ...new Set(
    rows
      .filter(({ authorId }) => authorId === null)
      .flatMap((row) => placeholdersOf(row.title + row.body + (row.link ?? ''))),
  ),
];

const newestOf = (rows: readonly TextRow[], channel: NoticeChannel): number =>
  rows.findLast((row) => row.channel === channel)?.version ?? 0;

/** A version for display. */
function viewOf(rows: readonly TextRow[], row: TextRow) {
  const shipped = shippedOf(rows, row.channel);
  const isDefault = row.removed || (shipped?.title === row.title && shipped.body === row.body && !row.template);
  return { ...row, isDefault };
}

/** Every kind of notice with the newest text of each channel, its placeholders, and the shipped text. */
export async function noticeKinds(db: Trx) {
  const [kinds, rows] = await Promise.all([allKinds(db), textRows(db)]);
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return kinds.map(({ code, ...kind }) => {
    const own = byKind.get(code) ?? [];
    const newest = [...Map.groupBy(own, ({ channel }) => channel).values()].flatMap((list) => list.at(-1) ?? []);
    const { title = '', body = '' } = shippedOf(own, 'site') ?? {};
    return {
      ...kind,
      kind: code,
      placeholders: placeholders(own),
      shipped: { title, body },
      texts: newest.map((row) => viewOf(own, row)),
    };
  });
}

/** The versions of a kind's text for a channel, newest first. */
export async function noticeTextVersions(db: Trx, kind: string, channel: NoticeChannel) {
  const rows = await textRows(db, kind);
  return rows
    .filter((row) => row.channel === channel)
    .map((row) => viewOf(rows, row))
    .toReversed();
}

interface Author {
  staffId: number;
  ip: string;
  reason: string;
}

interface Place {
  kind: string;
  channel: NoticeChannel;
}

interface Wording {
  title: string;
  body: string;
  template: string | null;
}

/** Input of a new version of a channel's text; `version` is the newest one that the author saw, 0 if there was none. */
type NewText = Place & { version: number };

async function insertText(
  trx: Trx,
  { kind, channel, version }: NewText,
  { title, body, template, link, removed }: Wording & { link: string | null; removed: boolean },
  { staffId, ip, reason }: Author,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into notice_template (kind, channel, version, title, body, link, vendor_template, removed, reason, created_by)
    select ${kind}, ${channel}, coalesce(max(version), 0) + 1, ${title}, ${body}, ${link}, ${template}, ${removed}, ${reason}, ${staffId}::bigint
    from notice_template where kind = ${kind} and channel = ${channel} having coalesce(max(version), 0) = ${version}
    on conflict do nothing returning version`.execute(trx);
  const written = rows[0];
  if (!written) throw new AppError('TEXT_CHANGED');
  const detail = { channel, title, body, template, removed, version: written.version, reason };
  await audit(trx, { id: staffId }, 'text.notice', `notice:${kind}`, detail, ip);
  return written.version;
}

/** Throws NOT_FOUND, and BAD_INPUT with the field, for a text that a channel cannot have. */
function requireWording(rows: readonly TextRow[], channel: NoticeChannel, { title, body, template }: Wording): TextRow {
  const site = shippedOf(rows, 'site');
  if (!site) throw new AppError('NOT_FOUND');
  const allowed = placeholders(rows);
  for (const [field, value] of [
    ['title', title],
    ['body', body],
  ] as const) {
    const text = noticeTextProblem(value, allowed, noticeTextMax[channel][field]);
    if (text !== null) throw new AppError('BAD_INPUT', { text, field });
  }
  if (template !== null && channel !== 'sms')
    throw new AppError('BAD_INPUT', { text: '只有短信有服务商的模板编号', field: 'template' });
  return site;
}

/** Checks a wording as `saveText` does, and returns it. Throws NOT_FOUND, BAD_INPUT with the field. */
export async function readText(db: Trx, { kind, channel, ...wording }: Place & Wording): Promise<Wording> {
  requireWording(await textRows(db, kind), channel, wording);
  return wording;
}

/**
 * Adds a version of a kind's text for a channel, used from the next notice on. Only placeholders that the kind fills are allowed. Throws
 * NOT_FOUND, BAD_INPUT with the field, TEXT_CHANGED when a newer version exists.
 */
export async function saveText(trx: Trx, text: NewText & Wording, author: Author): Promise<number> {
  const rows = await textRows(trx, text.kind);
  const { title, body, template } = text;
  const { link } = requireWording(rows, text.channel, text);
  const current = rows.findLast((row) => row.channel === text.channel);
  if (current && !current.removed && current.version === text.version) {
    const isSame = current.title === title && current.body === body && current.template === template;
    if (isSame) throw new AppError('BAD_INPUT', { text: '与现在的文案相同，没有需要保存的修改', field: 'body' });
  }
  return await insertText(trx, text, { title, body, template, link, removed: false }, author);
}

/** Restores the shipped text, or none for a channel that ships without one. Throws NOT_FOUND, TEXT_CHANGED. */
export async function restoreText(trx: Trx, text: NewText, author: Author): Promise<number> {
  const rows = await textRows(trx, text.kind);
  const site = shippedOf(rows, 'site');
  if (!site || newestOf(rows, text.channel) === 0) throw new AppError('NOT_FOUND');
  const shipped = shippedOf(rows, text.channel);
  const { title, body, link } = shipped ?? site;
  return await insertText(trx, text, { title, body, link, template: null, removed: shipped === undefined }, author);
}

/** Sets the default channels of a kind; the in-site list always includes it. Throws NOT_FOUND, TEXT_CHANGED. */
export async function saveKind(
  trx: Trx,
  {
    kind,
    version,
    channels,
    urgent,
  }: { kind: string; version: number; channels: readonly NoticeChannel[]; urgent: boolean },
  { staffId, ip, reason }: Author,
): Promise<void> {
  const all = [...new Set<NoticeChannel>(['site', ...channels])];
  const { rows } = await sql`
    update notice_kind set channels = ${all}::text[], urgent = ${urgent}, version = version + 1
    where code = ${kind} and version = ${version} returning code`.execute(trx);
  if (rows.length === 0) {
    const known = (await allKinds(trx)).some(({ code }) => code === kind);
    throw new AppError(known ? 'TEXT_CHANGED' : 'NOT_FOUND');
  }
  await audit(trx, { id: staffId }, 'text.kind', `notice:${kind}`, { channels: all, urgent, reason }, ip);
}
