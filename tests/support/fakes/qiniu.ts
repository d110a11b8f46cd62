/** A Kodo on the loopback that believes nothing: it signs again, and looks at key, time, size, type and what is there already. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fake, listen, readForm, sniffed, type Stored } from './storage-http.ts';

interface Policy {
  scope: string;
  deadline: number;
  insertOnly?: number;
  fsizeLimit?: number;
  mimeLimit?: string;
}

const urlSafe = (value: Buffer): string => value.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
const fromUrlSafe = (text: string): string =>
  Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString();

export interface FakeQiniuKeys {
  accessKey: string;
  secretKey: string;
  bucket: string;
}

/** Uploads at `/`, orders at `/delete/…`, objects at `/o/…`. `isPrivate` asks signed addresses for them. */
export async function fakeQiniu(keys: FakeQiniuKeys, isPrivate = false): Promise<Fake> {
  const objects = new Map<string, Stored>();
  const sign = (text: string): string => urlSafe(createHmac('sha1', keys.secretKey).update(text).digest());
  const reject = (response: ServerResponse, status: number, error: string): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  };

  function policyOf(token: string): Policy | undefined {
    const [accessKey, signature, encoded = ''] = token.split(':');
    if (accessKey !== keys.accessKey || signature !== sign(encoded)) return undefined;
    return JSON.parse(fromUrlSafe(encoded)) as Policy;
  }

  async function upload(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { fields, file } = await readForm(request, body);
    const policy = policyOf(fields.get('token') ?? '');
    if (!policy) return reject(response, 401, 'bad token');
    if (policy.deadline < Date.now() / 1000) return reject(response, 401, 'token out of date');
    const key = fields.get('key') ?? '';
    if (policy.scope !== `${keys.bucket}:${key}`) return reject(response, 403, "key doesn't match with scope");
    if (!file) return reject(response, 400, 'file is not specified');
    if (policy.fsizeLimit !== undefined && file.body.length > policy.fsizeLimit)
      return reject(response, 413, 'request entity too large');
    const types = policy.mimeLimit?.split(';');
    if (types && !types.includes(sniffed(file.body))) return reject(response, 403, 'limited mimeType');
    if (policy.insertOnly === 1 && objects.has(key)) return reject(response, 614, 'file exists');
    objects.set(key, { body: file.body, type: file.type });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ key, hash: 'FakeHash' }));
  }

  function remove(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    if (request.headers.authorization !== `QBox ${keys.accessKey}:${sign(`${path}\n`)}`)
      return reject(response, 401, 'bad token');
    const [bucket, key = ''] = fromUrlSafe(path.slice('/delete/'.length)).split(':');
    if (bucket !== keys.bucket) return reject(response, 631, 'no such bucket');
    if (!objects.delete(key)) return reject(response, 612, 'no such file or directory');
    response.writeHead(200).end();
  }

  function give(request: IncomingMessage, response: ServerResponse, base: string): void {
    const url = new URL(request.url ?? '', base);
    if (isPrivate) {
      const [dated, token] = `${base}${request.url}`.split('&token=');
      if (token !== `${keys.accessKey}:${sign(dated ?? '')}`) return reject(response, 401, 'bad token');
      if (Number(url.searchParams.get('e')) < Date.now() / 1000) return reject(response, 401, 'token expired');
    }
    const found = objects.get(url.pathname.slice('/o/'.length));
    if (!found) return reject(response, 404, 'Document not found');
    response.writeHead(200, { 'content-type': found.type, 'content-length': found.body.length }).end(found.body);
  }

  const { url, close } = await listen(async (request, body, response) => {
    if (request.method === 'GET') give(request, response, url);
    else if (request.url?.startsWith('/delete/')) remove(request, response);
    else await upload(request, body, response);
  });
  return { url, objects, close };
}
