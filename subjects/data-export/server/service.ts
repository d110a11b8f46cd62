import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { requestDataExport, dataExportList } from '#subjects/data-export/contract/data-export.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { DATA_EXPORT_PATH, EXPORT_RETENTION_DAYS } from '#subjects/data-export/contract/data-export.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { accountParts, type Part } from './account-parts.ts';
import { tradeParts } from './trade-parts.ts';

const LIST_SIZE = 10;
/** The timers that build and remove a file; their ref is the id of the export. */
export const MAKE = 'dataExport.make';
export const REMOVE = 'dataExport.remove';

/** Additional authenticated data of a file. */
export const bodyAad = (id: number): string => `data_export.body_enc:${id}`;
const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** All parts of a user's file, in their order. */
export const partsOf = (userId: number): Part[] => [...accountParts(userId), ...tradeParts(userId)];

interface Row {
  id: number;
  status: 'waiting' | 'ready' | 'removed';
  bytes: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  isOpen: boolean;
}

/** The caller's exports, newest first, and when the next one may be requested. */
export async function listExports({ ctx, user }: UserCall): Promise<HandlerResult<typeof dataExportList>> {
  const { rows } = await sql<Row & { next: Date | null }>`
    select id, status, bytes, created_at as "createdAt", expires_at as "expiresAt", coalesce(status = 'ready' and expires_at > now(), false) as "isOpen",
      case when created_at > now() - interval '24 hours' then created_at + interval '24 hours' end as next
    from data_export where user_id = ${user.id} order by id desc limit ${LIST_SIZE}`.execute(ctx.db);
  return {
    nextTime: rows[0]?.next ?? null,
    list: rows.map((row) => ({
      exportId: row.id,
      status: row.status === 'ready' && !row.isOpen ? 'removed' : row.status,
      bytes: row.bytes,
      url: row.isOpen ? `${DATA_EXPORT_PATH}?exportId=${row.id}` : null,
      expireTime: row.expiresAt,
      createTime: row.createdAt,
    })),
  };
}

/**
 * Requests an export of the caller's data, after a step-up; at most one in 24 hours, which the lock on the user row guarantees for
 * concurrent requests. Throws STEP_UP_REQUIRED and the other errors of requireStepUp, EXPORT_DAY.
 */
export async function requestExport(call: UserCall, input: Parsed<typeof requestDataExport>): Promise<void> {
  const { ctx, user, dist } = call;
  await requireStepUp(call, 'export', input);
  await inTransaction(ctx.db, async (trx) => {
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const { rows } = await sql<{ id: number }>`
      insert into data_export (user_id, dist_id) select ${user.id}, ${dist.id}
      where not exists (select from data_export where user_id = ${user.id} and created_at > now() - interval '24 hours') returning id`.execute(
      trx,
    );
    const row = rows[0];
    if (!row) throw new AppError('EXPORT_DAY', { retryAfterSeconds: 3600 });
    await schedule(trx, MAKE, row.id, { seconds: 0 });
  });
}

/** The file as JSON text: each part by its name, rows as shown to the user. Read in one snapshot, so that all parts are consistent. */
async function loadText(ctx: Context, userId: number): Promise<string> {
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const file: Record<string, unknown> = {
        说明: {
          内容: '您在本站的个人数据。金额单位为元；他人信息按您看到的样子遮盖；密码、验证码和密封信息不在其中。',
          生成时间: fullTime(Date.now()),
          每部分最多: 20_000,
        },
      };
      for (const { name, rows } of partsOf(userId)) file[name] = (await rows.execute(trx)).rows;
      return JSON.stringify(file, null, 1);
    });
}

/** Builds a pending export, notifies the owner and schedules its removal. Does nothing for one that is already built. */
export async function makeExport(ctx: Context, id: number): Promise<void> {
  const { rows } = await sql<{ userId: number; distId: number }>`
    select user_id as "userId", dist_id as "distId" from data_export where id = ${id} and status = 'waiting'`.execute(
    ctx.db,
  );
  const job = rows[0];
  if (!job) return;
  const text = await loadText(ctx, job.userId);
  const body = encrypt(ctx.keys, bodyAad(id), (await compress(text)).toString('base64'));
  await inTransaction(ctx.db, async (trx) => {
    const done = await sql`
      update data_export set status = 'ready', body_enc = ${body}, bytes = ${Buffer.byteLength(text)}, ready_at = now(),
        expires_at = now() + make_interval(days => ${EXPORT_RETENTION_DAYS})
      where id = ${id} and status = 'waiting' returning id`.execute(trx);
    if (done.rows.length === 0) return;
    await schedule(trx, REMOVE, id, { seconds: EXPORT_RETENTION_DAYS * 86_400 });
    const notice = {
      kind: 'security.export',
      userId: job.userId,
      ref: `export:${id}`,
      distId: job.distId,
      values: {
        what: '个人数据已准备好',
        text: `您申请的个人数据文件可以下载了，${EXPORT_RETENTION_DAYS} 天后自动删除。不是本人操作请立即修改密码。`,
      },
    };
    await emit(trx, 'notice', notice);
  });
}

/** Removes an expired file. */
export async function removeExport(ctx: Context, id: number): Promise<void> {
  await sql`update data_export set status = 'removed', body_enc = null, removed_at = now() where id = ${id} and status = 'ready' and expires_at <= now()`.execute(
    ctx.db,
  );
}

/** The file, for its owner; undefined for other users, before it is ready and after it expired. */
export async function readExport(
  ctx: Context,
  userId: number,
  id: number,
): Promise<{ text: Buffer; at: Date } | undefined> {
  const { rows } = await sql<{ body: Buffer | null; at: Date }>`
    select body_enc as body, created_at as at from data_export where id = ${id} and user_id = ${userId} and status = 'ready' and expires_at > now()`.execute(
    ctx.db,
  );
  const found = rows[0];
  if (!found?.body) return undefined;
  return { text: await decompress(Buffer.from(decrypt(ctx.keys, bodyAad(id), found.body), 'base64')), at: found.at };
}
