import type { Storage } from '#server/ports/storage.ts';
import { bodyOf } from './body.ts';
import { s3Headers, type S3Keys, s3PostFields } from './s3-sign.ts';

const TIMEOUT_MS = 15_000;

export interface S3Options extends S3Keys {
  bucket: string;
  /** https://s3.us-east-1.amazonaws.com, or the address of a compatible storage. */
  endpoint: string;
  /** The bucket is part of the path, not of the host, as in self-hosted installations. */
  pathStyle: boolean;
}

function bucketUrl({ endpoint, bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint);
  return pathStyle ? `${url.origin}/${bucket}` : `${url.protocol}//${bucket}.${url.host}`;
}

/** A bucket of S3 or of a compatible storage. Unclaimed uploads below `temp/` are to be removed by a lifecycle rule. */
export function s3Storage(options: S3Options): Storage {
  const base = bucketUrl(options);
  const send = async (method: string, key: string, body: Buffer | '', headers: Record<string, string> = {}) => {
    const url = new URL(`${base}/${key}`);
    return await fetch(url, {
      method,
      headers: s3Headers(options, { method, url, headers, body, now: new Date() }),
      ...(body !== '' && { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  };
  const failed = async (what: string, response: Response): Promise<never> => {
    throw new Error(`s3 ${what}: ${response.status} ${(await response.text()).slice(0, 200)}`);
  };
  return {
    name: 's3',
    async put(key, body, contentType) {
      const response = await send('PUT', key, body, { 'content-type': contentType });
      if (!response.ok) await failed('put', response);
    },
    async read(key) {
      const response = await send('GET', key, '');
      if (response.status === 404) return undefined;
      if (!response.ok || !response.body) return await failed('read', response);
      return {
        body: bodyOf(response.body),
        bytes: Number(response.headers.get('content-length')),
      };
    },
    async remove(key) {
      const response = await send('DELETE', key, '');
      if (!response.ok && response.status !== 404) await failed('remove', response);
    },
    ticket({ key, maxBytes, mimeTypes, expiresAt }) {
      const fields = s3PostFields(options, {
        bucket: options.bucket,
        key,
        maxBytes,
        mimeTypes,
        expiresAt,
        now: new Date(),
      });
      return { uploadUrl: base, token: '', fields };
    },
  };
}
