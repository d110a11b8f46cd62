import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import sharp from 'sharp';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { sharedHit } from '#server/access/limits.ts';
import { receiveParts } from '#server/access/upload.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore } from '#server/kernel/semaphore.ts';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';
import { lacksEnd, otherKind } from './picture-kind.ts';
import { imageUrl, sizeOfKey } from '#server/kernel/picture-key.ts';
import { cachedWidths, FULL_WIDTH, markOf, type PicturePurpose, storageKey } from './rules.ts';

/** Photos of phones have up to 48 megapixels. A JPEG is decoded at the required size, a PNG row by row, so memory use stays small. */
const MAX_PIXELS = 50_000_000;
/** Long screenshots of whole conversations. */
const MAX_DIMENSION = 30_000;
const MAX_RATIO = 30;
/** A longer picture is scaled down: WebP supports at most 16383 pixels per side. */
const FULL_HEIGHT = 16_000;
/**
 * Uploads per user and day. Pictures of sellers' tables are counted separately, so that a large table leaves room for the evidence of a
 * dispute; the limit covers one table's files and a day's addresses.
 */
const PER_DAY = { upload: 300, import: 1200 } as const;
const DAY_SECONDS = 86_400;
const DECODE_SECONDS = 15;
/** Chat pictures are compressed with quality 50 (product.md 9), others with 75, as in its image rule. */
const QUALITY: Readonly<Record<PicturePurpose, number>> = {
  chat: 50,
  goods: 75,
  avatar: 75,
  evidence: 75,
  content: 85,
};

/** Number of pictures decoded at a time, so that a burst of uploads cannot exhaust memory. */
const AT_ONCE = 2;
const MAX_PENDING = 30;
const withSlot = semaphore(AT_ONCE, MAX_PENDING, () => {
  throw new AppError('BUSY', { retryAfterSeconds: 3 });
});

type FilePart = { body: Buffer; type: string; field: (name: string) => string };

/** The one file of a multipart body with its declared type, of any format. Throws PICTURE_TOO_LARGE, BAD_INPUT, BAD_REQUEST. */
export async function readFilePart(request: FastifyRequest, missing: string): Promise<FilePart> {
  if (!request.isMultipart()) throw new AppError('BAD_INPUT', { text: missing, field: 'file' });
  const { fields, file, isTooLarge } = await receiveParts(request);
  if (isTooLarge) throw new AppError('PICTURE_TOO_LARGE');
  if (!file) throw new AppError('BAD_INPUT', { text: missing, field: 'file' });
  return { body: file.body, type: file.type, field: (name) => fields[name] ?? '' };
}

/** Kind and size of a picture. Throws PICTURE_TYPE, which names the actual format. */
function headerOf(file: Buffer): PictureHeader {
  const header = readPictureHeader(file);
  if (header) return header;
  const text = otherKind(file);
  throw new AppError('PICTURE_TYPE', text === undefined ? {} : { text });
}

/**
 * The one picture of a multipart body. Its type is determined from its bytes: phones and apps declare none, or a wrong one. Throws
 * PICTURE_TYPE, PICTURE_TOO_LARGE, BAD_INPUT, BAD_REQUEST.
 */
export async function readPart(request: FastifyRequest): Promise<FilePart> {
  if (!request.isMultipart()) throw new AppError('PICTURE_TYPE');
  const part = await readFilePart(request, '请选择图片');
  if (part.body.length > IMAGE_MAX_BYTES) throw new AppError('PICTURE_TOO_LARGE');
  return { ...part, type: `image/${headerOf(part.body).kind}` };
}

/** The minimum part of a picture, from its top, that must have arrived. */
const NEEDED = 1 / 4;

/** Whether the part below `NEEDED` has a single colour, with which decoders fill missing data. */
async function isMostlyMissing(picture: Buffer, width: number, height: number): Promise<boolean> {
  const top = Math.floor(height * NEEDED);
  if (height - top < 1) return false;
  const { channels } = await sharp(picture)
    .extract({ left: 0, top, width, height: height - top })
    .toBuffer()
    .then((part) => sharp(part).stats());
  return channels.every(({ stdev }) => stdev < 1);
}

/**
 * Re-encodes the file as WebP in each stored width. Metadata and trailing bytes of the original are dropped. A truncated file is shown as far
 * as possible, as browsers do: chat apps cut the last bytes.
 */
export async function encode(
  file: Buffer,
  quality: number,
): Promise<{ width: number; height: number; bodies: Map<number, Buffer> }> {
  const open = () =>
    sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'none', sequentialRead: true })
      .autoOrient()
      .timeout({ seconds: DECODE_SECONDS });
  const full = await open()
    .resize({ width: FULL_WIDTH, height: FULL_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = full.info;
  const { kind } = headerOf(file);
  if (lacksEnd(file, kind) && (await isMostlyMissing(full.data, width, height)))
    throw new AppError('PICTURE_BROKEN', { text: '图片不完整，大部分没有收到，请重新选择后上传' });
  const bodies = new Map([[width, full.data]]);
  // Narrower widths are made from the full one: decoding 25 megapixels for each would take four times as long.
  for (const narrow of cachedWidths(width))
    if (!bodies.has(narrow))
      bodies.set(narrow, await sharp(full.data).resize({ width: narrow }).webp({ quality }).toBuffer());
  return { width, height, bodies };
}

/** The owner of the picture: a user, or a member of staff for a chat. */
export type Uploader = { userId: number; staffId: null } | { userId: null; staffId: number };

/** Checks kind and size from the file's first bytes, before decoding. Throws PICTURE_TYPE, PICTURE_TOO_LARGE. */
function checkHeader(file: Buffer): void {
  const { width: w, height: h } = headerOf(file);
  if (w * h > MAX_PIXELS || Math.max(w, h) > MAX_DIMENSION)
    throw new AppError('PICTURE_TOO_LARGE', { text: `图片尺寸过大（${w} × ${h} 像素），请缩小后再上传` });
  if (Math.max(w, h) / Math.min(w, h) > MAX_RATIO)
    throw new AppError('PICTURE_TOO_LARGE', {
      text: `图片太${h > w ? '窄太长' : '宽太矮'}（${w} × ${h} 像素），请裁成几张后再上传`,
    });
}

/** A stored picture: its key for other calls, its URL and its size. */
export interface StoredPicture {
  key: string;
  imageUri: string;
  width: number;
  height: number;
}

/** The daily quota that an upload counts against; `counted` for one that was counted before it came. */
export type UploadQuota = keyof typeof PER_DAY | 'counted';

/** Counts an upload against the daily quota. Throws RATE_LIMITED. */
export async function takeDaily(
  ctx: Pick<Context, 'db'>,
  key: string,
  quota: keyof typeof PER_DAY = 'upload',
): Promise<void> {
  if (!(await sharedHit(ctx.db, key, PER_DAY[quota], DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', { text: '今日上传数量已达上限，请明天再试', retryAfterSeconds: DAY_SECONDS });
}

/** Counts a picture of a seller's table. Throws RATE_LIMITED. */
export const takeImportDaily = async (ctx: Pick<Context, 'db'>, userId: number): Promise<void> =>
  await takeDaily(ctx, `upload-import:${userId}`, 'import');

async function count(ctx: Pick<Context, 'db'>, { userId, staffId }: Uploader, quota: UploadQuota): Promise<void> {
  if (quota === 'upload') await takeDaily(ctx, `upload:${userId ?? `staff-${staffId}`}`);
  if (quota === 'import' && userId !== null) await takeImportDaily(ctx, userId);
}

/**
 * Stores a file as a picture: it is re-encoded in several widths under a random key that encodes its size. `sourceKey` is the key of a
 * direct upload, which becomes one picture even when completed twice concurrently. Throws PICTURE_TYPE, PICTURE_TOO_LARGE,
 * PICTURE_BROKEN, RATE_LIMITED above the daily quota (reliability.md b.31).
 */
export async function storePicture(
  ctx: Context,
  by: Uploader,
  purpose: PicturePurpose,
  file: Buffer,
  { sourceKey = null, quota = 'upload' }: { sourceKey?: string | null; quota?: UploadQuota } = {},
): Promise<StoredPicture> {
  checkHeader(file);
  await count(ctx, by, quota);
  const { width, height, bodies } = await withSlot(() =>
    encode(file, QUALITY[purpose]).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      throw new AppError('PICTURE_BROKEN', { cause: error });
    }),
  );
  const key = `${randomKey()}-${width}x${height}${markOf(purpose)}`;
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
  // A concurrent call has stored the same upload.
  for (const size of bodies.keys()) await ctx.storage.remove(storageKey(key, size));
  const first = sourceKey === null ? undefined : await pictureFromUpload(ctx, sourceKey);
  if (!first) throw new AppError('BUSY', { retryAfterSeconds: 1 });
  return first;
}

/** The picture of a completed direct upload. */
export async function pictureFromUpload(ctx: Context, sourceKey: string): Promise<StoredPicture | undefined> {
  const { rows } = await sql<{ key: string; width: number; height: number }>`
    select key, width, height from picture where source_key = ${sourceKey}`.execute(ctx.db);
  const row = rows[0];
  return row && { ...row, imageUri: imageUrl(row.key) };
}

/** Stores the one file of a multipart call. Throws like storePicture. */
export async function takeUpload(
  { ctx, http }: Call,
  by: Uploader,
  purpose: PicturePurpose,
  quota: UploadQuota = 'upload',
): Promise<StoredPicture> {
  if (!http) throw new AppError('BAD_REQUEST');
  return await storePicture(ctx, by, purpose, (await readPart(http.request)).body, { quota });
}

/** 26 characters of base 32: 130 random bits. */
export function randomKey(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(randomBytes(26), (byte) => alphabet.charAt(byte & 31)).join('');
}
