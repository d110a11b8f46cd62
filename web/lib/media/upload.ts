import { upload } from '#subjects/media/contract/pictures.ts';
import type { Data, Endpoint, Envelope } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { isRedrawn } from '#web/lib/media/picture-kinds.ts';

type Picture = Data<typeof upload>;

/** Uploads one picture as evidence of a step. Throws ApiFailure; status 0 means that there was no response. */
export function uploadEvidence(file: File, signal?: AbortSignal): Promise<Picture> {
  return uploadPicture(file, 'evidence', signal);
}

/** Uploads one picture for a purpose. Throws ApiFailure; status 0 means that there was no response. */
export async function uploadPicture(
  file: File,
  purpose: 'goods' | 'chat' | 'avatar' | 'evidence',
  signal?: AbortSignal,
): Promise<Picture> {
  return await sendPicture(upload, `?purpose=${purpose}`, file, signal);
}

/**
 * Uploads one picture with any call that takes a file; `query` includes its question mark. Throws ApiFailure as above.
 */
export async function sendPicture(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  query: string,
  file: File,
  signal?: AbortSignal,
): Promise<Picture> {
  const picture = isRedrawn(file.type)
    ? await (await import('#web/lib/media/compress-picture.ts')).compressed(file)
    : file;
  return await sendFile<Picture>({ method, path }, query, picture, '图片上传失败，请重试', signal);
}

/** Uploads one file with any call that takes one; `lost` is called when there was no response. Throws ApiFailure as above. */
export async function sendFile<T>(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  query: string,
  file: File,
  lost: string,
  signal?: AbortSignal,
): Promise<T> {
  const url = `${path}${query}`;
  const body = new FormData();
  body.append('file', file);
  const token = cookie('token');
  const csrf = cookie('csrfToken');
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: token }),
        ...(csrf && { 'x-csrf-token': csrf }),
      },
      body,
      credentials: 'include',
      cache: 'no-store',
      signal: signal ?? null,
    });
    const envelope = (await response.json()) as Envelope<T>;
    if (envelope.code === 0 && envelope.data) return envelope.data;
    throw new ApiFailure(envelope.code, envelope.msg, response.status, envelope.field);
  } catch (error) {
    throw error instanceof ApiFailure ? error : new ApiFailure(-1, lost, 0);
  }
}
