import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { imagesTempUploadToken, uploadDone } from '#contract/comm-more.ts';
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from '#contract/rules/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { LOCAL_UPLOAD_PATH } from '#server/ports/storage.ts';
import type { Binding } from '#server/binding.ts';
import type { PicturePurpose } from './service.ts';
import { randomKey, readPart, takeDaily, type Taken, takenFrom, takePicture } from './upload.ts';

/** Direct uploads lie here until they become a picture, or until nobody asked for them. */
const TEMP = 'temp';
const TICKET_MS = 10 * 60_000;
const SWEEP_EVERY = sql.raw(`interval '1 hour'`);
const UNCLAIMED_MS = 24 * 3_600_000;

/** Only its owner and purpose make a key: nobody finishes another's upload, or for something else. */
const prefixOf = (userId: number, purpose: PicturePurpose): string => `${TEMP}/${purpose}/${userId}/`;

/**
 * A permission to send one picture to the storage itself, good for ten minutes. What is sent and never made a picture takes room for a day,
 * so permissions are counted as pictures are. Throws RATE_LIMITED.
 */
export async function uploadTicket(
  { ctx, user }: UserCall,
  purpose: PicturePurpose,
  temporary: boolean,
): Promise<HandlerResult<typeof imagesTempUploadToken>> {
  await takeDaily(ctx, `upload-ticket:${user.id}`);
  const key = `${prefixOf(user.id, purpose)}${randomKey()}`;
  const expiresAt = new Date(Date.now() + TICKET_MS);
  const ticket = ctx.storage.ticket({ key, maxBytes: IMAGE_MAX_BYTES, mimeTypes: IMAGE_TYPES, expiresAt, temporary });
  return {
    ...ticket,
    fields: { ...ticket.fields },
    provider: ctx.storage.name,
    key,
    maxBytes: IMAGE_MAX_BYTES,
    mimeTypes: [...IMAGE_TYPES],
    expireTime: expiresAt,
  };
}

/**
 * Makes a direct upload a picture: what the storage was told of it proves nothing, so the file is read and judged like any other. Asked
 * again it answers the same picture. Throws PICTURE_BROKEN for a key that is not one's own or not there, and as takePicture.
 */
export async function finishUpload(
  { ctx, user }: UserCall,
  { key, purpose }: Parsed<typeof uploadDone>,
): Promise<Taken> {
  if (!key.startsWith(prefixOf(user.id, purpose)))
    throw new AppError('PICTURE_BROKEN', { text: '图片不存在，请重新上传' });
  const before = await takenFrom(ctx, key);
  if (before) return before;
  const object = await ctx.storage.read(key);
  if (!object) throw new AppError('PICTURE_BROKEN', { text: '图片不存在或已过期，请重新上传' });
  if (!(object.bytes <= IMAGE_MAX_BYTES)) {
    object.body.destroy();
    throw new AppError('PICTURE_TOO_LARGE');
  }
  const taken = await takePicture(ctx, { userId: user.id, staffId: null }, purpose, await buffer(object.body), key);
  await ctx.storage.remove(key).catch((error: unknown) => {
    ctx.log.warn({ error: String(error) }, 'a direct upload could not be removed');
  });
  return taken;
}

/** The upload address of the local storage, and the hourly removal of what nobody claimed. The token is the permission. */
export function registerDirect({ ctx, http, effects, limiter }: Binding): void {
  http.post(LOCAL_UPLOAD_PATH, async (request) => {
    if (!ctx.storage.receive) throw new AppError('NOT_FOUND');
    limiter.take('direct', { account: undefined, address: request.ip });
    const { body, type, field } = await readPart(request);
    if (!(await ctx.storage.receive({ token: field('token'), key: field('key'), type, body })))
      throw new AppError('PICTURE_BROKEN', { text: '上传凭证无效、已过期或已用过，请重新上传' });
    return { code: 0, data: { key: field('key') }, msg: '' };
  });
  effects.every('media.sweep', 'temp', async () => {
    const removed = (await ctx.storage.sweep?.(TEMP, new Date(Date.now() - UNCLAIMED_MS))) ?? 0;
    if (removed > 0) ctx.log.info({ removed }, 'direct uploads that nobody claimed');
    await sql`insert into timer (kind, ref, due_at) values ('media.sweep', 'temp', now() + ${SWEEP_EVERY})
      on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(ctx.db);
  });
}
