import { upload } from '#contract/common.ts';
import type { Data, Endpoint, Envelope } from '#contract/endpoint.ts';
import { IMAGE_QUALITY } from '#contract/rules/limits.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { cookie } from '#web/lib/cookies.ts';
import { signHeaders } from '#web/lib/sign.ts';

type Picture = Data<typeof upload>;

/** The server stores no wider picture (server/slices/media), so a wider one need not be uploaded. */
const MAX_WIDTH = 1920;
/** Below this size re-encoding a picture gains nothing. */
const SMALL_BYTES = 600_000;
const LOST = '图片上传失败，请重试';

/** A picture reduced before upload; the original file where that gains nothing or fails. */
export async function compressed(file: File): Promise<Blob> {
  if (file.size < SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, MAX_WIDTH / bitmap.width);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    const pen = canvas.getContext('2d');
    // JPEG has no transparency: without a background it would come out black.
    if (pen) pen.fillStyle = '#fff';
    pen?.fillRect(0, 0, canvas.width, canvas.height);
    pen?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', IMAGE_QUALITY));
    return smaller && smaller.size < file.size ? smaller : file;
  } catch {
    return file;
  }
}

/**
 * Uploads one picture of a listing. `onProgress` receives the uploaded fraction, 0 to 1. Throws ApiFailure; status 0 means that no response
 * arrived, also after `signal` aborted it.
 */
export async function uploadPicture(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Picture> {
  const { method, path }: Pick<Endpoint, 'method' | 'path'> = upload;
  const url = `${path}?purpose=goods`;
  const body = new FormData();
  body.append('file', await compressed(file), file.name);
  const signed = await signHeaders(method, url, '');
  if (signal.aborted) throw new ApiFailure(-1, LOST, 0);
  // fetch does not report upload progress.
  return await new Promise<Picture>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lost = () => reject(new ApiFailure(-1, LOST, 0));
    request.open(method, url);
    const headers = {
      accept: 'application/json',
      authorization: cookie('token'),
      'x-csrf-token': cookie('csrfToken'),
      ...signed,
    };
    for (const [name, value] of Object.entries(headers)) if (value) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = lost;
    request.onabort = lost;
    request.onload = () => {
      try {
        const envelope = JSON.parse(request.responseText) as Envelope<Picture>;
        if (envelope.code === 0 && envelope.data) resolve(envelope.data);
        else reject(new ApiFailure(envelope.code, envelope.msg, request.status));
      } catch {
        lost();
      }
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
