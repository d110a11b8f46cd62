import { type ImportJob, uploadStockList } from '#contract/backstage-import.ts';
import type { Envelope } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { cookie } from '#web/lib/cookies.ts';
import { signHeaders } from '#web/lib/sign.ts';

/** Largest file that the call takes. */
export const MAX_LIST_BYTES = 10 * 1024 * 1024;

/** Sends a stock list. Throws ApiFailure; status 0 means that nothing came back. */
export async function sendList(file: File): Promise<ImportJob> {
  const { method, path } = uploadStockList;
  const body = new FormData();
  body.append('file', file);
  const token = cookie('token');
  const csrf = cookie('csrfToken');
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: token }),
        ...(csrf && { 'x-csrf-token': csrf }),
        ...(await signHeaders(method, path, '')),
      },
      body,
      credentials: 'include',
      cache: 'no-store',
    });
    const envelope = (await response.json()) as Envelope<ImportJob>;
    if (envelope.code === 0 && envelope.data) return envelope.data;
    throw new ApiFailure(envelope.code, envelope.msg, response.status);
  } catch (error) {
    throw error instanceof ApiFailure ? error : new ApiFailure(-1, '文件上传失败，请重试', 0);
  }
}

/** Hands a text to the browser as a file of that name. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
