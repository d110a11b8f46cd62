import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type * as c from '#subjects/listing-import/contract/listing-import.ts';
import type { UserCall } from '#server/access/call.ts';
import { sharedHit } from '#server/access/limits.ts';
import { readUpload } from '#server/access/upload.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { csvCell } from '#server/import/rejected-rows.ts';
import { readTable, type Table } from '#server/import/files/spreadsheet.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireConsents } from '#subjects/accounts/server/service.ts';
import { withoutCredentials } from './credential-columns.ts';
import { requireSeller } from '#subjects/goods/server/service.ts';
import { checkRows, loadForm, gameNames } from './check.ts';
import { forgetFailures, RUN } from './fetch.ts';
import { isAddress, sourcesOf } from './picture-cell.ts';
import { loadFiles, knownPictures } from './pictures.ts';
import {
  loadCounts,
  type ImportRecord,
  ownImport,
  ownImports,
  type RowState,
  loadRow,
  loadRows,
  saveChecks,
  type StoredRow,
  valuesOf,
} from './store.ts';
import { guessMapping, headingsOf, publishTargets, STOCK_TARGETS, type Target } from './targets.ts';

type Detail = HandlerResult<typeof c.listingImportDetail>;
type Summary = HandlerResult<typeof c.listingImportRun>;
type Row = HandlerResult<typeof c.listingImportMend>;

const FILES_PER_DAY = 40;
const FILES_KEPT = 30;
const DAY_SECONDS = 86_400;
const SAMPLE_ROWS = 5;
const PAGE = 20;
const MAX_ROWS = 2000;
const STATUS_NAMES: Readonly<Record<Summary['status'], string>> = {
  mapping: '待对应列',
  checked: '待处理',
  running: '处理中',
  done: '已完成',
};

async function loadTargets(
  call: UserCall,
  record: Pick<ImportRecord, 'kind' | 'gameId' | 'typeId'>,
): Promise<readonly Target[]> {
  if (record.kind === 'stock') return STOCK_TARGETS;
  const { game, typeId } = await loadForm(call, record);
  return publishTargets(game, typeId);
}

async function loadSummary(
  call: UserCall,
  record: ImportRecord,
  counts: Partial<Record<RowState, number>>,
): Promise<Summary> {
  const { gameName, typeName } = await gameNames(call, record);
  const all = { refused: 0, ready: 0, running: 0, done: 0, existing: 0, ...counts };
  return {
    importId: record.id,
    kind: record.kind,
    gameId: record.gameId,
    gameName,
    goodsTypeId: record.typeId,
    goodsTypeStr: typeName,
    fileName: record.fileName,
    status: record.status,
    statusName: record.waitsUntil ? '等待次日额度' : STATUS_NAMES[record.status],
    waitTime: record.waitsUntil,
    failure: record.failure,
    counts: all,
    total: Object.values(all).reduce((sum, n) => sum + n, 0),
    createTime: record.createdAt,
  };
}

const MISSING_SHOWN = 8;

/** File names that rows have and that were not uploaded, the first of them. */
async function findMissingFiles(db: Trx, record: ImportRecord): Promise<string[]> {
  if (record.status === 'running' || record.mapping.pictures === undefined) return [];
  const [{ keys }, rows] = await Promise.all([
    knownPictures(db, record.id),
    loadRows(db, record.id, { after: 0, limit: MAX_ROWS }),
  ]);
  const names = rows.flatMap((row) => sourcesOf(valuesOf(record, row).pictures ?? ''));
  return [...new Set(names.filter((name) => !isAddress(name) && !keys.has(name)))].slice(0, MISSING_SHOWN);
}

async function loadDetail(call: UserCall, record: ImportRecord): Promise<Detail> {
  const { db } = call.ctx;
  const counts = (await loadCounts(db, [record.id])).get(record.id) ?? {};
  const sample = await loadRows(db, record.id, { after: 0, limit: SAMPLE_ROWS });
  const missingPictures = await findMissingFiles(db, record);
  return {
    ...(await loadSummary(call, record, counts)),
    columns: record.columns,
    readingNotes: record.notes,
    targets: (await loadTargets(call, record)).map(({ key, label, required, help, options }) => ({
      key,
      label,
      required,
      help,
      options,
    })),
    mapping: record.mapping,
    defaults: record.defaults,
    pictures: await loadFiles(db, record.id),
    missingPictures,
    sample: sample.flatMap(({ cells }) => (cells ? [cells] : [])),
  };
}

/** Stores a file with its rows; the same one of the same seller is stored once, even when it arrives twice concurrently. */
async function store(
  { ctx, user, dist }: UserCall,
  input: Parsed<typeof c.listingImportUpload>,
  file: { name: string; body: Buffer; table: Table; mapping: Record<string, number> },
): Promise<{ id: number; repeated: boolean }> {
  const isStock = input.kind === 'stock';
  const gameId = isStock ? null : (input.gameId ?? null);
  const typeId = isStock ? null : (input.goodsTypeId ?? null);
  const digest = sha256(file.body);
  return await inTransaction(ctx.db, async (trx) => {
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const { rows: earlier } = await sql<{ id: number }>`
      select id from listing_import where user_id = ${user.id} and kind = ${input.kind} and coalesce(game_id, 0) = ${gameId ?? 0}
        and coalesce(type_id, 0) = ${typeId ?? 0} and digest = ${digest} and removed_at is null`.execute(trx);
    if (earlier[0]) return { id: earlier[0].id, repeated: true };
    const { rows: stored } = await sql<{ n: number }>`
      select count(*)::int as n from listing_import where user_id = ${user.id} and removed_at is null`.execute(trx);
    if ((stored[0]?.n ?? 0) >= FILES_KEPT)
      throw new AppError('BAD_INPUT', { text: `最多保留 ${FILES_KEPT} 次导入，请先移除不需要的`, field: 'file' });
    const { rows } = await sql<{ id: number }>`
      insert into listing_import (user_id, dist_id, kind, game_id, type_id, file_name, bytes, digest, columns, notes, mapping)
      values (${user.id}, ${dist.id}, ${input.kind}, ${gameId}, ${typeId}, ${file.name}, ${file.body.length}, ${digest},
        ${JSON.stringify(file.table.columns)}::jsonb, ${JSON.stringify(file.table.notes)}::jsonb, ${JSON.stringify(file.mapping)}::jsonb) returning id`.execute(
      trx,
    );
    const id = rows[0]?.id ?? 0;
    await sql`insert into listing_import_row (import_id, line, cells, marks)
      select ${id}, v.line, v.cells, coalesce(v.marks, '{}') from jsonb_to_recordset(${JSON.stringify(file.table.rows)}::jsonb)
        as v(line int, cells jsonb, marks jsonb)`.execute(trx);
    return { id, repeated: false };
  });
}

/**
 * Stores a file of the caller: its rows are kept until they are published, corrected or removed. Throws BAD_INPUT for a file that is not a
 * table or too large, NOT_FOUND, GOODS_TYPE_UNSUPPORTED, RATE_LIMITED, BODY_TOO_LARGE, BUSY.
 */
export async function uploadFile(
  call: UserCall,
  input: Parsed<typeof c.listingImportUpload>,
): Promise<HandlerResult<typeof c.listingImportUpload>> {
  const { ctx, user } = call;
  const { name, body } = await readUpload(call, {
    missing: '请选择表格文件',
    tooLarge: '文件不能超过 5M，请拆开后分别上传',
    name: '商品.csv',
  });
  if (!(await sharedHit(ctx.db, `listingImport:${user.id}`, FILES_PER_DAY, DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '今日上传的文件过多，请明天再试', retryAfterSeconds: DAY_SECONDS });
  const targets = await loadTargets(call, {
    kind: input.kind,
    gameId: input.gameId ?? null,
    typeId: input.goodsTypeId ?? null,
  });
  const table = withoutCredentials(
    await readTable(body, { name, owner: String(user.id), headings: targets.flatMap(headingsOf) }),
  );
  const mapping = guessMapping(table.columns, targets);
  const { id, repeated } = await store(call, input, { name, body, table, mapping });
  return { ...(await loadDetail(call, await ownImport(ctx.db, user.id, id))), repeated };
}

/** The caller's files, newest first. */
export async function listFiles(call: UserCall): Promise<HandlerResult<typeof c.listingImportList>> {
  const { ctx, user } = call;
  const records = await ownImports(ctx.db, user.id, FILES_KEPT);
  const counts = await loadCounts(
    ctx.db,
    records.map(({ id }) => id),
  );
  return { list: await Promise.all(records.map((r) => loadSummary(call, r, counts.get(r.id) ?? {}))) };
}

/** One file of the caller. Throws NOT_FOUND. */
export async function fileDetail(call: UserCall, importId: number): Promise<Detail> {
  return await loadDetail(call, await ownImport(call.ctx.db, call.user.id, importId));
}

/** The chosen columns that exist, each for a target that exists. Throws BAD_INPUT when a required target has neither column nor text. */
function checkedMapping(
  record: ImportRecord,
  targets: readonly Target[],
  input: Parsed<typeof c.listingImportMap>,
): Pick<ImportRecord, 'mapping' | 'defaults'> {
  const keys = new Set(targets.map(({ key }) => key));
  const mapping = Object.fromEntries(
    Object.entries(input.mapping).filter(([key, at]) => keys.has(key) && at < record.columns.length),
  );
  const defaults = Object.fromEntries(
    Object.entries(input.defaults)
      .map(([key, text]) => [key, text.trim()] as const)
      .filter(([key, text]) => keys.has(key) && text !== ''),
  );
  const missing = targets.find((t) => t.required && mapping[t.key] === undefined && defaults[t.key] === undefined);
  // Attributes may also be combined in one column.
  if (missing && !(missing.key.startsWith('details.') && mapping.attrs !== undefined))
    throw new AppError('BAD_INPUT', {
      text: `请选择“${missing.label}”是哪一列，或统一填写`,
      field: `mapping.${missing.key}`,
    });
  const actions = ['price', 'stock', 'act'];
  if (record.kind === 'stock' && actions.every((key) => mapping[key] === undefined && defaults[key] === undefined))
    throw new AppError('BAD_INPUT', { text: '请至少选择价格、库存或上下架中的一列', field: 'mapping.price' });
  return { mapping, defaults };
}

/** Names the columns of a file and checks each row that is not published. Throws NOT_FOUND, BAD_INPUT; GOODS_STATE during a run. */
export async function mapColumns(call: UserCall, input: Parsed<typeof c.listingImportMap>): Promise<Detail> {
  const { ctx, user } = call;
  const record = await ownImport(ctx.db, user.id, input.importId);
  const chosen = checkedMapping(record, await loadTargets(call, record), input);
  const rows = await loadRows(ctx.db, record.id, { after: 0, limit: MAX_ROWS });
  const open = rows.filter(({ state }) => state !== 'done' && state !== 'running');
  const checked = await checkRows(call, { ...record, ...chosen }, open);
  await inTransaction(ctx.db, async (trx) => {
    const { rows: changed } = await sql`
      update listing_import set mapping = ${JSON.stringify(chosen.mapping)}::jsonb, defaults = ${JSON.stringify(chosen.defaults)}::jsonb,
        status = 'checked', failure = null
      where id = ${record.id} and user_id = ${user.id} and status <> 'running' and removed_at is null returning id`.execute(
      trx,
    );
    if (changed.length === 0) throw errorOf('GOODS_STATE', 'importRunning');
    await saveChecks(trx, record.id, checked);
  });
  return await fileDetail(call, record.id);
}

const shownRow = (record: ImportRecord, row: StoredRow): Row => ({
  line: row.line,
  state: row.state,
  // The cells of a published row are deleted; its listing has the values.
  values: { ...valuesOf(record, row), ...(row.cells === null && row.title !== null && { bigTitle: row.title }) },
  problems: row.problems,
  notes: row.notes,
  goodsSn: row.goodsSn,
});

/** The rows of a file of the caller, in its order. Throws NOT_FOUND. */
export async function listRows(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.listingImportRows>,
): Promise<HandlerResult<typeof c.listingImportRows>> {
  const record = await ownImport(ctx.db, user.id, input.importId);
  const limit = input.pageSize ?? PAGE;
  const after = decodeId(input.cursor) ?? 0;
  const rows = await loadRows(ctx.db, record.id, { state: input.state, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const counts = (await loadCounts(ctx.db, [record.id])).get(record.id) ?? {};
  const total =
    input.state === undefined ? Object.values(counts).reduce((a, b) => a + b, 0) : (counts[input.state] ?? 0);
  return { list: page.map((row) => shownRow(record, row)), total, next: last ? encodeCursor([last.line]) : null };
}

/** Corrects a row and checks it again. Throws NOT_FOUND; GOODS_STATE for one that is published or being published. */
export async function mendRow(call: UserCall, input: Parsed<typeof c.listingImportMend>): Promise<Row> {
  const { ctx, user } = call;
  const record = await ownImport(ctx.db, user.id, input.importId);
  const row = await loadRow(ctx.db, record.id, input.line);
  if (!row) throw errorOf('NOT_FOUND', 'listingRow');
  const keys = new Set((await loadTargets(call, record)).map(({ key }) => key));
  const values = Object.fromEntries(Object.entries(input.values).filter(([key]) => keys.has(key)));
  const edits = { ...row.edits, ...values };
  const [checked] = await checkRows(call, record, [{ ...row, edits }]);
  const { rows } = await sql`
    update listing_import_row set edits = ${JSON.stringify(edits)}::jsonb, state = ${checked?.state ?? 'refused'},
      problems = ${JSON.stringify(checked?.problems ?? [])}::jsonb, notes = ${JSON.stringify(checked?.notes ?? [])}::jsonb,
      goods_id = ${checked?.goodsId ?? null}
    where import_id = ${record.id} and line = ${input.line} and state in ('refused', 'ready', 'existing') and edits = ${JSON.stringify(row.edits)}::jsonb
    returning line`.execute(ctx.db);
  if (rows.length === 0) throw errorOf('GOODS_STATE', 'importRowChanged');
  const now = await loadRow(ctx.db, record.id, input.line);
  return shownRow(record, now ?? row);
}

/** Starts publishing the accepted rows; again while it runs is a no-op. Throws NOT_FOUND, REAL_NAME_*, CONSENT_*, BAD_INPUT. */
export async function runFile(call: UserCall, importId: number): Promise<Summary> {
  const { ctx, user } = call;
  await requireSeller(call);
  await requireConsents(ctx.db, user.id);
  const record = await ownImport(ctx.db, user.id, importId);
  const counts = (await loadCounts(ctx.db, [importId])).get(importId) ?? {};
  if (record.status !== 'running' && !counts.ready)
    throw new AppError('BAD_INPUT', { text: '没有可以处理的行，请先修改有问题的行' });
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      update listing_import set status = 'running', waits_until = null, failure = null
      where id = ${importId} and user_id = ${user.id} and status = 'checked' and removed_at is null returning id`.execute(
      trx,
    );
    if (rows.length === 0) return;
    await forgetFailures(trx, importId);
    await schedule(trx, RUN, importId, { seconds: 0 });
  });
  return await loadSummary(call, await ownImport(ctx.db, user.id, importId), counts);
}

/** Removes a file with its rows; listings created from it are kept. Throws NOT_FOUND; GOODS_STATE during a run. */
export async function removeFile({ ctx, user }: UserCall, importId: number): Promise<void> {
  await ownImport(ctx.db, user.id, importId);
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql`
      update listing_import set removed_at = now() where id = ${importId} and user_id = ${user.id} and removed_at is null
        and (status <> 'running' or waits_until > now()) returning id`.execute(trx);
    if (rows.length === 0) throw errorOf('GOODS_STATE', 'importRunning');
    await sql`delete from listing_import_row where import_id = ${importId}`.execute(trx);
    await sql`delete from listing_import_picture where import_id = ${importId}`.execute(trx);
  });
}

/** Deletes a seller's files when the account is closed: their rows name game accounts, and are no longer needed. */
export async function dropFiles(ctx: Context, userId: number): Promise<void> {
  await sql`delete from listing_import where user_id = ${userId}
    and exists (select from app_user u where u.id = ${userId} and u.closed_at is not null)`.execute(ctx.db);
}

/** A CSV of headings with one example. Throws NOT_FOUND, GOODS_TYPE_UNSUPPORTED. */
export async function template(
  call: UserCall,
  input: Parsed<typeof c.listingImportTemplate>,
): Promise<HandlerResult<typeof c.listingImportTemplate>> {
  const record = { kind: input.kind, gameId: input.gameId ?? null, typeId: input.goodsTypeId ?? null };
  const targets = (await loadTargets(call, record)).filter(({ key }) => key !== 'attrs');
  const { gameName, typeName } = await gameNames(call, record);
  const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
  const name = input.kind === 'stock' ? '改价改库存' : `${gameName}-${typeName}`;
  return {
    fileName: `导入模板-${name.replace(/[\\/:*?"<>|]/g, '')}.csv`,
    text: `\ufeff${line(targets.map(({ label }) => label))}${line(targets.map(({ example }) => example))}`,
  };
}
