import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { imagesTempUploadToken, uploadDone } from '#subjects/media/contract/direct-uploads.ts';
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from '#contract/rules/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { LOCAL_UPLOAD_PATH } from '#server/ports/storage.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import type { PicturePurpose } from './service.ts';
import { randomKey, readPart, takeDaily, type StoredPicture, pictureFromUpload, storePicture } from './upload.ts';

/** Prefix of direct uploads until they are processed or removed. */
const TEMP = 'temp';
const TICKET_MS = 10 * 60_000;
const SWEEP_EVERY = sql.raw(`interval '1 hour'`);
const UNCLAIMED_MS = 24 * 3_600_000;

/** The key depends on owner and purpose, so that an upload can only be completed by its owner for its purpose. */
const prefixOf = (userId: number, purpose: PicturePurpose): string => `${TEMP}/${purpose}/${userId}/`;

/**
 * A permission to upload one picture directly to the storage, valid for ten minutes. An upload that is never completed uses space for a
 * day, so permissions count against the same quota as pictures. Throws RATE_LIMITED.
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
 * Completes a direct upload: the file is read and validated like any other, because its declared metadata is not trustworthy. Idempotent:
 * a repeated call returns the same picture. Throws PICTURE_BROKEN for a missing or another user's key, and like storePicture.
 */
export async function finishUpload(
  { ctx, user }: UserCall,
  { key, purpose }: Parsed<typeof uploadDone>,
): Promise<StoredPicture> {
  if (!key.startsWith(prefixOf(user.id, purpose)))
    throw new AppError('PICTURE_BROKEN', { text: '图片不存在，请重新上传' });
  const before = await pictureFromUpload(ctx, key);
  if (before) return before;
  const object = await ctx.storage.read(key);
  if (!object) throw new AppError('PICTURE_BROKEN', { text: '图片不存在或已过期，请重新上传' });
  if (!(object.bytes <= IMAGE_MAX_BYTES)) {
    object.body.destroy();
    throw new AppError('PICTURE_TOO_LARGE');
  }
  const body = await buffer(object.body);
  const picture = await storePicture(ctx, { userId: user.id, staffId: null }, purpose, body, { sourceKey: key });
  await ctx.storage.remove(key).catch((error: unknown) => {
    ctx.log.warn({ error: String(error) }, 'a direct upload could not be removed');
  });
  return picture;
}

/** The upload endpoint of the local storage, authorised by its token, and the hourly removal of uploads that were never completed. */
export function registerDirect({ ctx, http, effects, limiter }: Binding): void {
  http.post(LOCAL_UPLOAD_PATH, async (request) => {
    if (!ctx.storage.receive) throw new AppError('NOT_FOUND');
    limiter.take('direct', { account: undefined, address: request.ip });
    const { body, type, field } = await readPart(request);
    if (!(await ctx.storage.receive({ token: field('token'), key: field('key'), type, body })))
      throw new AppError('PICTURE_BROKEN', { text: '上传凭证无效、已过期或已用过，请重新上传' });
    return { code: 0, data: { key: field('key') }, msg: '' };
  });
  effects.every('media.sweep', async () => {
    const removed = (await ctx.storage.sweep?.(TEMP, new Date(Date.now() - UNCLAIMED_MS))) ?? 0;
    if (removed > 0) ctx.log.info({ removed }, 'direct uploads that nobody claimed');
    await schedule(ctx.db, 'media.sweep', 'temp', sql`now() + ${SWEEP_EVERY}`);
  });
}
