import { sql } from 'kysely';
import { UserStatus } from '#contract/rules/statuses.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import type { SessionUser } from '#server/access/session.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import type { Game } from '#subjects/games/server/service.ts';
import { changeListing, publishListing } from '#subjects/goods/server/service.ts';
import { loadForm, namedListings, problemOf } from './check.ts';
import { askFor, RUN } from './fetch.ts';
import { isAddress, sourcesOf } from './picture-cell.ts';
import { knownPictures, picturesOfRow } from './pictures.ts';
import { importKeyOf, type Problem, readPublish } from './read-publish.ts';
import { readStock } from './read-stock.ts';
import { type ImportRecord, loadRows, runningImport, type StoredRow, valuesOf } from './store.ts';

/** A run yields to other jobs after this and continues behind them. */
const SLICE_MS = 2000;
/** How long a run waits when the seller's daily quota is used up. */
const WAIT_SECONDS = 3600;
const NO_SESSION = Buffer.alloc(0);

/** The call of a file's owner, as if made in the centre. Returns a text if the owner may not publish now. */
async function callOfOwner(ctx: Context, record: ImportRecord): Promise<UserCall | string> {
  const { rows } = await sql<Omit<SessionUser, 'sessionHash' | 'payVerifiedAt' | 'hasPayPassword'>>`
    select id, nick_name as "nickName", auth_status as "authStatus", dist_id as "distId", inviter_id as "inviterId", status
    from app_user where id = ${record.userId}`.execute(ctx.db);
  const dist = ctx.dir.byId(record.distId);
  const row = rows[0];
  if (!row || !dist || row.status !== UserStatus.Active) return '账号当前不能发布商品';
  const user: SessionUser = { ...row, sessionHash: NO_SESSION, payVerifiedAt: null, hasPayPassword: false };
  return {
    ctx,
    dist,
    user,
    caller: { user, staff: null, sid: undefined },
    ip: '',
    isOwn: false,
    agent: '',
    origin: ctx.dir.originOf(dist.id),
    idem: undefined,
    http: undefined,
  };
}

/** Claims the next row, including one that a killed run left unfinished. */
async function takeRow(db: Trx, importId: number): Promise<StoredRow | undefined> {
  const { rows } = await sql<Omit<StoredRow, 'goodsSn' | 'title'>>`
    update listing_import_row r set state = 'running' where r.import_id = ${importId} and r.line = (
      select line from listing_import_row where import_id = ${importId} and state in ('ready', 'running') order by line limit 1 for update)
    returning r.line, r.cells, r.marks, r.edits, r.state, r.problems, r.notes`.execute(db);
  return rows[0] && { ...rows[0], goodsSn: null, title: null };
}

/** Stores the result of a row. The cells of a published row are deleted, because they identify the game account. */
async function settleRow(
  db: Trx,
  importId: number,
  line: number,
  result: { goodsSn: string } | { problems: readonly Problem[] },
): Promise<void> {
  if ('goodsSn' in result)
    await sql`update listing_import_row set state = 'done', problems = '[]', cells = null, edits = '{}',
      goods_id = (select id from goods where sn = ${result.goodsSn}) where import_id = ${importId} and line = ${line} and state = 'running'`.execute(
      db,
    );
  else
    await sql`update listing_import_row set state = 'refused', problems = ${JSON.stringify(result.problems)}::jsonb
      where import_id = ${importId} and line = ${line} and state = 'running'`.execute(db);
}

type Form = { game: Game; typeId: number } | null;

async function publishRow(
  call: UserCall,
  record: ImportRecord,
  row: StoredRow,
  form: Form,
): Promise<{ goodsSn: string } | { problems: readonly Problem[] } | { waiting: readonly string[] }> {
  const values = valuesOf(record, row);
  if (form) {
    const reading = readPublish(call.ctx, form, values);
    if (!reading.input) return { problems: reading.problems };
    const cell = values.pictures ?? '';
    const pictures =
      cell === ''
        ? { keys: [] }
        : picturesOfRow(call.ctx, cell, await knownPictures(call.ctx.db, record.id, sourcesOf(cell)));
    if (!('keys' in pictures)) return pictures;
    const input = { ...reading.input, pictures: pictures.keys };
    const idem: Idem = {
      scope: `user:${record.userId}`,
      endpoint: 'listing-import',
      key: `${record.id}:${row.line}`,
      hash: sha256(JSON.stringify(input)).toString('base64url'),
    };
    return await publishListing({ ...call, idem }, input, { importKey: importKeyOf(values, input) });
  }
  const code = values.code?.trim() ?? '';
  const listing = (await namedListings(call.ctx.db, record.userId, [code]))(code);
  const { change, problems } = readStock(values, listing);
  if (!change) return { problems };
  return { goodsSn: (await changeListing(call, change)).goodsSn };
}

/** Ends a run: rejected rows wait for the seller, with the reason if the run stopped early. */
async function endRun(db: Trx, importId: number, failure: string | null): Promise<void> {
  await sql`
    update listing_import i set waits_until = null, failure = ${failure}, finished_at = now(),
      status = case when exists (select from listing_import_row r where r.import_id = i.id and r.state in ('refused', 'ready')) then 'checked' else 'done' end
    where i.id = ${importId} and i.status = 'running'`.execute(db);
}

/** Ends a run whose job failed for good: the row at which it stopped is rejected, so that the seller may publish the others or remove the file. */
export async function endFailedRun(trx: Trx, importId: number): Promise<void> {
  if (!(await runningImport(trx, importId))) return;
  const problem: Problem = { field: '', text: '处理这一行时系统出错，请检查内容后再发布' };
  await sql`update listing_import_row set state = 'refused', problems = ${JSON.stringify([problem])}::jsonb
    where import_id = ${importId} and state = 'running'`.execute(trx);
  await endRun(trx, importId, '系统出错，已停止处理；可以再次发布，仍不行请联系客服');
}

const putBack = async (trx: Trx, importId: number, line: number): Promise<void> =>
  void (await sql`update listing_import_row set state = 'ready' where import_id = ${importId} and line = ${line} and state = 'running'`.execute(
    trx,
  ));

/** Rows whose addresses are fetched together with those of the row that needs them first. */
const ROWS_AHEAD = 20;

/** Puts a row back until its pictures are here: a separate job fetches them, with those of the rows after it. */
async function waitForPictures(ctx: Context, record: ImportRecord, row: StoredRow): Promise<void> {
  const ahead = await loadRows(ctx.db, record.id, { state: 'ready', after: row.line, limit: ROWS_AHEAD });
  const wanted = [row, ...ahead]
    .flatMap((one) => sourcesOf(valuesOf(record, one).pictures ?? ''))
    .filter((source) => isAddress(source) && ctx.remotePictures.problemOf(source) === undefined);
  const known = await knownPictures(ctx.db, record.id, wanted);
  const addresses = wanted.filter((source) => !known.keys.has(source) && !known.failures.has(source));
  await inTransaction(ctx.db, async (trx) => {
    await putBack(trx, record.id, row.line);
    await askFor(trx, record.id, [...new Set(addresses)]);
  });
}

/** Puts a row back and continues in an hour: the seller's daily quota is used up. */
async function waitForQuota(ctx: Context, importId: number, line: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await putBack(trx, importId, line);
    await sql`update listing_import set waits_until = now() + make_interval(secs => ${WAIT_SECONDS}) where id = ${importId} and status = 'running'`.execute(
      trx,
    );
    await schedule(trx, RUN, importId, { seconds: WAIT_SECONDS });
  });
}

/**
 * Publishes the accepted rows of a file, for a slice of time; the job calls again until none is left. Each row is published under an
 * separate idempotency key, so a killed run neither loses nor repeats one.
 */
export async function continueRun(ctx: Context, importId: number): Promise<void> {
  const record = await runningImport(ctx.db, importId);
  if (!record) return;
  // From here on it is no longer waiting, so it cannot be removed while one of its rows is being published.
  await sql`update listing_import set waits_until = null where id = ${importId} and waits_until is not null`.execute(
    ctx.db,
  );
  const call = await callOfOwner(ctx, record);
  if (typeof call === 'string') return await endRun(ctx.db, importId, call);
  let form: Form = null;
  try {
    if (record.kind === 'publish') form = await loadForm(call, record);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return await endRun(ctx.db, importId, error.text);
  }
  const began = performance.now();
  for (let row = await takeRow(ctx.db, importId); row; row = await takeRow(ctx.db, importId)) {
    try {
      const result = await publishRow(call, record, row, form);
      if ('waiting' in result) return await waitForPictures(ctx, record, row);
      await settleRow(ctx.db, importId, row.line, result);
    } catch (error) {
      const known = asAppError(error);
      if (!known || known.status >= 500) throw error;
      if (known.error === 'RATE_LIMITED') return await waitForQuota(ctx, importId, row.line);
      await settleRow(ctx.db, importId, row.line, { problems: [problemOf(known)] });
    }
    if (performance.now() - began > SLICE_MS) return await schedule(ctx.db, RUN, importId, { seconds: 0 });
  }
  await endRun(ctx.db, importId, null);
}
