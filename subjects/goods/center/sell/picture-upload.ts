import { upload } from '#subjects/media/contract/pictures.ts';
import type { Data, Endpoint, Envelope } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { compressed } from '#web/lib/media/compress-picture.ts';
import { cookie } from '#web/lib/session/cookies.ts';

type Picture = Data<typeof upload>;

const LOST = '图片上传失败，请重试';

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
  body.append('file', await compressed(file));
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
