import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hueOf, imageUrl, initialOf, type PicturePurpose, secondsOfVoice, sizeOfKey, voiceKey } from './rules.ts';
import type { Context } from '#server/context.ts';
import type { PictureItem } from './picture-item.ts';

export type { PictureItem } from './picture-item.ts';
export { imageUrl, type PicturePurpose } from './rules.ts';
export { storePicture, takeImportDaily, takeUpload } from './upload.ts';
export { drawShareCard } from './share.ts';
export { drawSiteIcon, siteColour } from './site-icon.ts';

export interface PictureUrls {
  url: string;
  thumb: string;
  width: number;
  height: number;
}

/** Size of generated pictures of listings. */
export const ART_WIDTH = 640;
export const ART_HEIGHT = 360;
const THUMB_WIDTH = 320;

/** URLs of picture `index` of a listing. */
export function pictureUrls(item: PictureItem, gameCode: string, index = 0): PictureUrls {
  if ('art' in item) {
    const url = `/art/goods/${gameCode}/${item.art}/${index}.svg`;
    return { url, thumb: url, width: ART_WIDTH, height: ART_HEIGHT };
  }
  return { url: imageUrl(item.key), thumb: imageUrl(item.key, THUMB_WIDTH), width: item.width, height: item.height };
}

/** URL of a user's picture: the uploaded one, else a generated one with the first character of the name. */
export function avatarUrl(avatarKey: string | null, nickName: string, id: number | string): string {
  if (avatarKey !== null && avatarKey !== '') return imageUrl(avatarKey, THUMB_WIDTH);
  const char = initialOf(nickName);
  return `/art/avatar/${hueOf(nickName === '' ? String(id) : nickName)}/${char === '' ? '_' : encodeURIComponent(char)}.svg`;
}

/** URL of a game's icon. */
export function gameIcon(code: string): string {
  return `/art/game/${code}.svg`;
}

/** URL of an uploaded voice. */
export const voiceUrl = (key: string): string => `/voice/${key}`;

/** A voice as pages play it; null without one. */
export const voiceOf = (key: string | null | undefined): { key: string; url: string; seconds: number } | null =>
  key ? { key, url: voiceUrl(key), seconds: secondsOfVoice(key) ?? 0 } : null;

/** The key of a voice that the user uploaded. Throws BAD_INPUT (field voice) for an unknown key or another user's. */
export async function ownVoice(db: Trx, ownerId: number, key: string): Promise<string> {
  const { rows } = await sql`select from voice_clip where key = ${key} and owner_id = ${ownerId}`.execute(db);
  if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '语音不存在，请重新上传', field: 'voice' });
  return key;
}

/**
 * The pictures that a user uploaded for a purpose, in the order of `keys`. Throws PICTURE_BROKEN for an unknown key or another user's
 * picture.
 */
export async function ownPictures(
  db: Trx,
  ownerId: number,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  return await picturesBy(db, sql`owner_id = ${ownerId}`, purpose, keys);
}

/** Like `ownPictures`, for pictures uploaded by a member of staff. Throws PICTURE_BROKEN. */
export async function staffPictures(
  db: Trx,
  staffId: number,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  return await picturesBy(db, sql`staff_id = ${staffId}`, purpose, keys);
}

/**
 * The key of a picture that some member of staff uploaded for content; null without one. A later editor keeps what another uploaded.
 * Throws BAD_INPUT with the field for any other picture.
 */
export async function contentPicture(db: Trx, key: string | undefined, field = 'pictureKey'): Promise<string | null> {
  if (key === undefined) return null;
  const { rows } = await sql`select from picture where key = ${key} and purpose = 'content'`.execute(db);
  if (rows.length === 0) throw new AppError('BAD_INPUT', { text: '图片不存在，请重新上传', field });
  return key;
}

export interface UploadedPicture {
  key: string;
  width: number;
  height: number;
}

async function picturesBy(
  db: Trx,
  owner: RawBuilder<unknown>,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select key from picture where key = any(${[...keys]}) and ${owner} and purpose = ${purpose}`.execute(db);
  const ownKeys = new Set(rows.map((row) => row.key));
  return keys.map((key) => {
    const size = ownKeys.has(key) ? sizeOfKey(key) : undefined;
    if (!size)
      throw new AppError('PICTURE_BROKEN', {
        text: '图片不存在，请重新上传',
        field: purpose === 'avatar' ? 'avatar' : 'pictures',
      });
    return { key, ...size };
  });
}

/** Stores the file of a voice that the database has a row of, where it is missing. */
export async function storeVoiceFile(ctx: Context, key: string, file: () => Buffer): Promise<void> {
  if (!(await ctx.storage.read(voiceKey(key)))) await ctx.storage.put(voiceKey(key), file(), 'audio/wav');
}
