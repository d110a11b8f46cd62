import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageUrl, sizeOfKey } from '#server/kernel/picture-key.ts';
import { hueOf, initialOf, type PicturePurpose, secondsOfVoice, voiceKey } from './rules.ts';
import type { Context } from '#server/context.ts';
import type { PictureItem } from './picture-item.ts';
import { maskOf, maskUrl } from './art.ts';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '#server/art/screens.ts';

export type { PictureItem, StoredPicture } from './picture-item.ts';
export { imageUrl } from '#server/kernel/picture-key.ts';
export { type PicturePurpose, secondsOfVoice } from './rules.ts';
export { COVER_ITEM, COVER_VERSION, FIRST_PICTURE, glyphOf, maskOf, sendArt } from './art.ts';
export { loadOpener } from './pictures.ts';
export { storePicture, takeImportDaily, takeUpload } from './upload.ts';
export { drawShareCard } from './share.ts';
export { drawSiteIcon, siteColour } from './site-icon.ts';

export interface PictureUrls {
  url: string;
  thumb: string;
  width: number;
  height: number;
}

const THUMB_WIDTH = 320;

/** Address of a listing's cover on one of its canvases (server/art/cover.ts). */
const coverUrl = ({ cover, v }: { cover: string; v: string }, size: string): string =>
  `/cover/${cover}/${size}.svg?v=${v}`;

/** URLs of picture `index` of a listing. A cover's thumbnail is its smallest canvas; pages replace the size in its address. */
export function pictureUrls(item: PictureItem, gameCode: string, index = 0): PictureUrls {
  if ('cover' in item)
    return { url: coverUrl(item, '560x315'), thumb: coverUrl(item, '136x90'), width: 560, height: 315 };
  if ('art' in item) {
    const url = `/art/screen/${gameCode}/${item.art}/${index}.svg`;
    return { url, thumb: url, width: SCREEN_WIDTH, height: SCREEN_HEIGHT };
  }
  return { url: imageUrl(item.key), thumb: imageUrl(item.key, THUMB_WIDTH), width: item.width, height: item.height };
}

/** Picture of an order without a listing: the name of its game. */
export const gameCover = (code: string): string => `/art/goods/${code}/0/0.svg`;

/** URL of a companion's picture: the reviewed upload, else a mask with a headset for those with a voice introduction. */
export function companionAvatar(provider: {
  avatar: string | null;
  name: string;
  userId: number;
  voice: string | null;
}): string {
  const { avatar, name, userId, voice } = provider;
  return avatar === null || avatar === ''
    ? maskUrl(maskOf(userId, name, voice !== null))
    : imageUrl(avatar, THUMB_WIDTH);
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
 * The key of a picture that some member of staff uploaded for content; null without one. A later editor may keep a picture uploaded by
 * another. Throws BAD_INPUT with the field for any other picture.
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

/** Stores the file of a voice that has a database row, if the file is missing. */
export async function storeVoiceFile(ctx: Context, key: string, file: () => Buffer): Promise<void> {
  const stored = await ctx.storage.read(voiceKey(key));
  if (stored) stored.body.destroy();
  else await ctx.storage.put(voiceKey(key), file(), 'audio/wav');
}
