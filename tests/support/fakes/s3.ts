/** A bucket on loopback that computes every signature itself and rejects anything its policy does not allow. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fake, listen, readForm, sniffed, type Stored } from './storage-http.ts';

export interface FakeS3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  bucket: string;
}

interface PostPolicy {
  expiration: string;
  conditions: (Record<string, string> | [string, string | number, string | number])[];
}

/** Fields that are the form's own and need no condition. */
const FREE = new Set(['policy', 'x-amz-signature']);

const PAGE = 2;

/** Objects at `/bucket/key`, form posts at `/bucket`. */
export async function fakeS3(keys: FakeS3Keys): Promise<Fake> {
  const objects = new Map<string, Stored>();
  const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const signed = (day: string, text: string): string => {
    const key = mac(mac(mac(mac(`AWS4${keys.secretAccessKey}`, day), keys.region), 's3'), 'aws4_request');
    return mac(key, text).toString('hex');
  };
  const reject = (response: ServerResponse, status: number, code: string): void => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
  };

  /** Why the policy does not allow the form; undefined when it does. */
  function breach(policy: PostPolicy, fields: Map<string, string>, file: Stored): string | undefined {
    if (Date.parse(policy.expiration) < Date.now()) return 'AccessDenied';
    const named = new Set<string>(FREE);
    for (const condition of policy.conditions) {
      if (!Array.isArray(condition)) {
        for (const [name, value] of Object.entries(condition)) {
          named.add(name.toLowerCase());
          if (fields.get(name.toLowerCase()) !== value) return 'AccessDenied';
        }
      } else if (condition[0] === 'content-length-range') {
        if (file.body.length < Number(condition[1])) return 'EntityTooSmall';
        if (file.body.length > Number(condition[2])) return 'EntityTooLarge';
      } else {
        const name = String(condition[1]).slice(1).toLowerCase();
        named.add(name);
        if (!fields.get(name)?.startsWith(String(condition[2]))) return 'AccessDenied';
      }
    }
    return [...fields.keys()].every((name) => named.has(name)) ? undefined : 'AccessDenied';
  }

  async function post(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const form = await readForm(request, body);
    const fields = new Map([...form.fields].map(([name, value]) => [name.toLowerCase(), value]));
    const policy = fields.get('policy') ?? '';
    const day = fields.get('x-amz-date')?.slice(0, 8) ?? '';
    if (signed(day, policy) !== fields.get('x-amz-signature')) return reject(response, 403, 'SignatureDoesNotMatch');
    if (!form.file) return reject(response, 400, 'InvalidArgument');
    const file = { body: form.file.body, type: fields.get('content-type') ?? '' };
    const why = breach(JSON.parse(Buffer.from(policy, 'base64').toString()) as PostPolicy, fields, file);
    if (why) return reject(response, why.startsWith('Entity') ? 400 : 403, why);
    objects.set(fields.get('key') ?? '', { ...file, type: file.type || sniffed(file.body) });
    response.writeHead(204).end();
  }

  /** Whether the headers' signature is the request's. */
  function isSigned(request: IncomingMessage, body: Buffer): boolean {
    const match = /^AWS4-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=(\w{64})$/.exec(
      request.headers.authorization ?? '',
    );
    if (!match) return false;
    const [, credential = '', names = '', signature] = match;
    const date = String(request.headers['x-amz-date']);
    const scope = `${date.slice(0, 8)}/${keys.region}/s3/aws4_request`;
    const sum = createHash('sha256').update(body).digest('hex');
    if (credential !== `${keys.accessKeyId}/${scope}` || request.headers['x-amz-content-sha256'] !== sum) return false;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const canonical = [
      request.method,
      path,
      query
        .split('&')
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join('&'),
      ...names.split(';').map((name) => `${name}:${String(request.headers[name])}`),
      '',
      names,
      sum,
    ].join('\n');
    const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
    return signed(date.slice(0, 8), text) === signature && names.split(';').includes('host');
  }

  /** Two keys a page, so that every listing has to read several pages. */
  function list(query: URLSearchParams, response: ServerResponse): void {
    const all = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? ''))
      .toSorted((a, b) => (a < b ? -1 : 1));
    const from = Number(query.get('continuation-token') ?? 0);
    const more = from + PAGE < all.length;
    const rows = all.slice(from, from + PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const next = more ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`);
  }

  const { url, close } = await listen(async (request, body, response) => {
    if (request.method === 'POST') return await post(request, body, response);
    if (!isSigned(request, body)) return reject(response, 403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    if (searchParams.get('list-type') === '2') return list(searchParams, response);
    const key = pathname.slice(`/${keys.bucket}/`.length);
    const found = objects.get(key);
    if (request.method === 'PUT') {
      objects.set(key, { body, type: String(request.headers['content-type']) });
      response.writeHead(200).end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (found && request.method === 'HEAD') {
      response.writeHead(200, { 'content-length': found.body.length }).end();
    } else if (found) {
      response.writeHead(200, { 'content-type': found.type, 'content-length': found.body.length }).end(found.body);
    } else reject(response, 404, 'NoSuchKey');
  });
  return { url, objects, close };
}
