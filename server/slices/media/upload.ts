import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import sharp from 'sharp';
import { IMAGE_MAX_BYTES, IMAGE_TYPES } from '#contract/rules/limits.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore } from '#server/kernel/semaphore.ts';
import { readPictureHeader } from './picture-header.ts';
import { FULL_WIDTH, cachedWidths, sizeOfKey, storageKey } from './rules.ts';
import { imageUrl, type PicturePurpose } from './service.ts';

/** More could fill memory: a picture is decoded to four bytes a pixel. */
const MAX_PIXELS = 25_000_000;
/** Long screenshots are welcome, ribbons are not: WebP holds no side beyond 16383, and no page shows one. */
const MAX_SIDE = 16_000;
const MAX_RATIO = 20;
const PER_DAY = 300;
const DAY_SECONDS = 86_400;
const DECODE_SECONDS = 15;
/** Chat pictures are compressed at 0.5 (product.md 9), the others at the 75 of its image rule. */
const QUALITY: Readonly<Record<PicturePurpose, number>> = { chat: 50, goods: 75, avatar: 75, evidence: 75 };

/** Decoding is done for this many at a time, so that a burst of uploads cannot take all memory. */
const AT_ONCE = 2;
const MAX_WAITING = 30;
const withSlot = semaphore(AT_ONCE, MAX_WAITING, () => {
  throw new AppError('BUSY', { retryAfterSeconds: 3 });
});

/** The one file of a multipart body with its declared type. Throws PICTURE_TYPE, PICTURE_TOO_LARGE, BAD_REQUEST. */
export async function readPart(
  request: FastifyRequest,
): Promise<{ body: Buffer; type: string; field: (name: string) => string }> {
  if (!request.isMultipart()) throw new AppError('PICTURE_TYPE');
  try {
    const part = await request.file();
    if (!part) throw new AppError('BAD_INPUT', { text: '请选择图片' });
    const type = part.mimetype === 'image/jpg' ? 'image/jpeg' : part.mimetype;
    // The body is read in any case: a refusal while it still comes would cut the connection instead of being heard.
    const body = await part.toBuffer();
    if (!(IMAGE_TYPES as readonly string[]).includes(type)) throw new AppError('PICTURE_TYPE');
    if (body.length > IMAGE_MAX_BYTES) throw new AppError('PICTURE_TOO_LARGE');
    const field = (name: string): string => {
      const found = part.fields[name];
      return found && 'value' in found && typeof found.value === 'string' ? found.value : '';
    };
    return { body, type, field };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = (error as { code?: unknown }).code;
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new AppError('PICTURE_TOO_LARGE', { cause: error });
    throw new AppError('BAD_REQUEST', { cause: error });
  }
}

/** Pixels of the file as WebP in each kept width; nothing of the file itself survives, no metadata, no trailing bytes. */
async function encode(
  file: Buffer,
  quality: number,
): Promise<{ width: number; height: number; bodies: Map<number, Buffer> }> {
  const open = () =>
    sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .timeout({ seconds: DECODE_SECONDS });
  const full = await open()
    .resize({ width: FULL_WIDTH, withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = full.info;
  const bodies = new Map([[width, full.data]]);
  // Narrower ones are made from the full one: decoding 25 megapixels again for each would take four times as long.
  for (const narrow of cachedWidths(width))
    if (!bodies.has(narrow))
      bodies.set(narrow, await sharp(full.data).resize({ width: narrow }).webp({ quality }).toBuffer());
  return { width, height, bodies };
}

/** Whose picture it becomes: a user's, or one that a member of staff shows in a chat. */
export type Uploader = { userId: number; staffId: null } | { userId: null; staffId: number };

/** Kind and size by the file's own first bytes, before anything is decoded. Throws PICTURE_TYPE, PICTURE_TOO_LARGE. */
function lookAt(file: Buffer): void {
  const header = readPictureHeader(file);
  if (!header) throw new AppError('PICTURE_TYPE');
  const { width: w, height: h } = header;
  if (w * h > MAX_PIXELS || Math.max(w, h) > MAX_SIDE || Math.max(w, h) / Math.min(w, h) > MAX_RATIO)
    throw new AppError('PICTURE_TOO_LARGE', { text: '图片尺寸过大，请缩小后再上传' });
}

/** A picture that was taken: its key for other calls, its address, its size. */
export interface Taken {
  key: string;
  imageUri: string;
  width: number;
  height: number;
}

/** Takes one of a person's uploads of the day. Throws RATE_LIMITED. */
export async function takeDaily(ctx: Pick<Context, 'db'>, key: string): Promise<void> {
  if (!(await sharedHit(ctx.db, key, PER_DAY, DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '今日上传数量已达上限，请明天再试', retryAfterSeconds: DAY_SECONDS });
}

/**
 * Makes a file a picture: it is drawn anew and kept in several widths under a random key that tells its size. `sourceKey` is where a
 * direct upload lay: taken twice at once it becomes one picture. Throws PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, RATE_LIMITED
 * beyond the day's quota (reliability.md b.31).
 */
export async function takePicture(
  ctx: Context,
  by: Uploader,
  purpose: PicturePurpose,
  file: Buffer,
  sourceKey: string | null = null,
): Promise<Taken> {
  lookAt(file);
  await takeDaily(ctx, `upload:${by.userId ?? `staff-${by.staffId}`}`);
  const { width, height, bodies } = await withSlot(() =>
    encode(file, QUALITY[purpose]).catch((error: unknown) => {
      throw new AppError('PICTURE_BROKEN', { cause: error });
    }),
  );
  const key = `${randomKey()}-${width}x${height}`;
  if (sizeOfKey(key) === undefined) throw new AppError('PICTURE_BROKEN');
  let bytes = 0;
  for (const [size, body] of bodies) {
    await ctx.storage.put(storageKey(key, size), body, 'image/webp');
    bytes += body.length;
  }
  const { rows } = await sql`
    insert into picture (key, owner_id, staff_id, purpose, width, height, bytes, sha256, source_key)
    values (${key}, ${by.userId}, ${by.staffId}, ${purpose}, ${width}, ${height}, ${bytes}, ${createHash('sha256').update(file).digest()}, ${sourceKey})
    on conflict (source_key) where source_key is not null do nothing returning id`.execute(ctx.db);
  if (rows.length > 0) return { key, imageUri: imageUrl(key), width, height };
  // The same upload became a picture meanwhile.
  for (const size of bodies.keys()) await ctx.storage.remove(storageKey(key, size));
  const first = sourceKey === null ? undefined : await takenFrom(ctx, sourceKey);
  if (!first) throw new AppError('BUSY', { retryAfterSeconds: 1 });
  return first;
}

/** The picture that a direct upload became. */
export async function takenFrom(ctx: Context, sourceKey: string): Promise<Taken | undefined> {
  const { rows } = await sql<{ key: string; width: number; height: number }>`
    select key, width, height from picture where source_key = ${sourceKey}`.execute(ctx.db);
  const row = rows[0];
  return row && { ...row, imageUri: imageUrl(row.key) };
}

/** Takes the one file of a multipart call. Throws as takePicture. */
export async function takeUpload({ ctx, http }: Call, by: Uploader, purpose: PicturePurpose): Promise<Taken> {
  if (!http) throw new AppError('BAD_REQUEST');
  return await takePicture(ctx, by, purpose, (await readPart(http.request)).body);
}

/** 26 characters of base 32: 130 bits that nobody guesses. */
export function randomKey(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(randomBytes(26), (byte) => alphabet.charAt(byte & 31)).join('');
}
