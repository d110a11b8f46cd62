import { createHmac } from 'node:crypto';
import type { Storage } from '#server/ports/storage.ts';
import { bodyOf } from './body.ts';

const TIMEOUT_MS = 15_000;
const PUT_SECONDS = 600;
const PRIVATE_URL_SECONDS = 3600;
/** Qiniu deletes unclaimed temporary images itself. */
const TEMPORARY_DAYS = 1;

export interface QiniuOptions {
  accessKey: string;
  secretKey: string;
  bucket: string;
  /** Upload host: https://upload.qiniup.com, or that of another region. */
  uploadUrl: string;
  /** Management host: https://rs.qiniuapi.com. */
  manageUrl: string;
  /** Download domain bound to the bucket. */
  domain: string;
  /** The bucket is private: URLs are signed. */
  isPrivate: boolean;
}

type Keys = Pick<QiniuOptions, 'accessKey' | 'secretKey'>;

/** Base 64 in Qiniu's alphabet: `-` and `_`, the padding stays. */
function urlSafe(value: Buffer | string): string {
  return Buffer.from(value).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

const sign = ({ secretKey }: Keys, text: string): string =>
  urlSafe(createHmac('sha1', secretKey).update(text).digest());

/** The token of an upload policy, given as JSON text (facts of Kodo: upload token). */
export function qiniuUploadToken(keys: Keys, policy: string): string {
  const encoded = urlSafe(policy);
  return `${keys.accessKey}:${sign(keys, encoded)}:${encoded}`;
}

/** Authorization of a management call: the path with its query, a line feed, and the body of a form. */
export function qiniuAuthorization(keys: Keys, pathAndQuery: string, formBody = ''): string {
  return `QBox ${keys.accessKey}:${sign(keys, `${pathAndQuery}\n${formBody}`)}`;
}

/** URL of an object in a private bucket, valid until `deadline` (seconds of the epoch). */
export function qiniuPrivateUrl(keys: Keys, url: string, deadline: number): string {
  const dated = `${url}${url.includes('?') ? '&' : '?'}e=${deadline}`;
  return `${dated}&token=${keys.accessKey}:${sign(keys, dated)}`;
}

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

async function failed(what: string, response: Response): Promise<never> {
  throw new Error(`qiniu ${what}: ${response.status} ${(await response.text()).slice(0, 200)}`);
}

/** Qiniu Kodo. Objects are written by form upload, as browsers write them, and read through the bucket's domain. */
export function qiniuStorage(options: QiniuOptions): Storage {
  const { bucket } = options;
  return {
    name: 'qiniu',
    async put(key, body, contentType) {
      const policy = JSON.stringify({ scope: `${bucket}:${key}`, deadline: inSeconds(PUT_SECONDS) });
      const form = new FormData();
      form.append('token', qiniuUploadToken(options, policy));
      form.append('key', key);
      form.append('file', new Blob([new Uint8Array(body)], { type: contentType }), key);
      const response = await fetch(options.uploadUrl, {
        method: 'POST',
        body: form,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) await failed('put', response);
    },
    async read(key) {
      const plain = `${options.domain}/${key}`;
      const url = options.isPrivate ? qiniuPrivateUrl(options, plain, inSeconds(PRIVATE_URL_SECONDS)) : plain;
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.status === 404) return undefined;
      if (!response.ok || !response.body) return await failed('read', response);
      return {
        body: bodyOf(response.body),
        bytes: Number(response.headers.get('content-length')),
      };
    },
    async remove(key) {
      const path = `/delete/${urlSafe(`${bucket}:${key}`)}`;
      const response = await fetch(`${options.manageUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: qiniuAuthorization(options, path),
          'content-type': 'application/x-www-form-urlencoded',
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // 612: the object does not exist.
      if (!response.ok && response.status !== 612) await failed('remove', response);
    },
    ticket({ key, maxBytes, mimeTypes, expiresAt, temporary }) {
      const policy = {
        scope: `${bucket}:${key}`,
        insertOnly: 1,
        fsizeLimit: maxBytes,
        mimeLimit: mimeTypes.join(';'),
        detectMime: 1,
        ...(temporary && { deleteAfterDays: TEMPORARY_DAYS }),
        deadline: Math.floor(expiresAt.getTime() / 1000),
      };
      const token = qiniuUploadToken(options, JSON.stringify(policy));
      return { uploadUrl: options.uploadUrl, token, fields: { token, key } };
    },
  };
}
