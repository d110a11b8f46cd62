import type { Data, Endpoint, Envelope } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { cookie } from '#web/lib/cookies.ts';

/** Largest file that an upload takes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Uploads a file to an endpoint; its other fields go into the query string. Throws ApiFailure; status 0 means that no response arrived.
 */
export async function sendFile<E extends Endpoint>(
  { method, path }: E,
  file: File,
  query: Readonly<Record<string, string>> = {},
): Promise<Data<E>> {
  const search = new URLSearchParams(query).toString();
  const url = search === '' ? path : `${path}?${search}`;
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
    });
    const envelope = (await response.json()) as Envelope<Data<E>>;
    if (envelope.code === 0 && envelope.data) return envelope.data;
    throw new ApiFailure(envelope.code, envelope.msg, response.status);
  } catch (error) {
    throw error instanceof ApiFailure ? error : new ApiFailure(-1, '文件上传失败，请重试', 0);
  }
}
