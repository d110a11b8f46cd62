import type { Data, Endpoint } from '#contract/endpoint.ts';
import { sendFile as send } from '#web/lib/media/upload.ts';

/** Maximum file size of an upload. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/**
 * Uploads a file to an endpoint; its other fields go into the query string. Throws ApiFailure; status 0 means that no response arrived.
 */
export async function sendFile<E extends Endpoint>(
  endpoint: E,
  file: File,
  query: Readonly<Record<string, string>> = {},
): Promise<Data<E>> {
  const search = new URLSearchParams(query).toString();
  return await send<Data<E>>(endpoint, search && `?${search}`, file, '文件上传失败，请重试');
}
