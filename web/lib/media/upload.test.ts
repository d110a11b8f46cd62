import { afterEach, beforeEach, expect, test } from 'vitest';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { sendFile, sendPicture, uploadEvidence, uploadPicture } from './upload.ts';

interface Request {
  url: string;
  init: RequestInit & { headers: Record<string, string>; body: FormData };
}
let requests: Request[];
let respond: () => Response;
let cookies: string;
let restore: () => void;

beforeEach(() => {
  requests = [];
  cookies = '';
  respond = () => Response.json({ code: 0, msg: '', data: { key: 'k' } });
  restore = putGlobals({
    document: {
      get cookie() {
        return cookies;
      },
    },
    fetch: async (url: string, init: Request['init']) => {
      requests.push({ url, init });
      return await Promise.resolve(respond());
    },
  });
});
afterEach(() => restore());

const file = new File(['bytes'], 'a.png', { type: 'image/png' });
const failureOf = async (attempt: Promise<unknown>): Promise<unknown> =>
  await attempt.then(
    () => 'done',
    ({ name, code, msg, status, field }) => ({ name, code, msg, status, field }),
  );

test('a picture is sent as a form with its purpose, and what the server has stored is returned', async () => {
  expect(await uploadPicture(file, 'goods')).toEqual({ key: 'k' });
  await uploadEvidence(file);
  await uploadPicture(file, 'avatar');
  expect(requests.map(({ url }) => url)).toEqual([
    '/api/comm/upload?purpose=goods',
    '/api/comm/upload?purpose=evidence',
    '/api/comm/upload?purpose=avatar',
  ]);
  const { init } = requests[0] ?? {};
  expect(init).toMatchObject({ method: 'POST', credentials: 'include', cache: 'no-store', signal: null });
  const sent = init?.body.get('file');
  expect(sent instanceof File && [sent.name, sent.type, await sent.text()]).toEqual(['a.png', 'image/png', 'bytes']);
});

test('the signed-in user is named by both cookies; without them no header is sent', async () => {
  await uploadEvidence(file);
  cookies = 'token=t%201; csrfToken=c1';
  await uploadEvidence(file);
  expect(requests.map(({ init }) => init.headers)).toEqual([
    { accept: 'application/json' },
    { accept: 'application/json', authorization: 't 1', 'x-csrf-token': 'c1' },
  ]);
});

test('a refusal has the code, text, status and field of the server', async () => {
  respond = () => Response.json({ code: 1007, msg: '图片大小不能超过10M', field: 'file' }, { status: 413 });
  expect(await failureOf(uploadEvidence(file))).toEqual({
    name: 'ApiFailure',
    code: 1007,
    msg: '图片大小不能超过10M',
    status: 413,
    field: 'file',
  });
});

test('a success without what was stored is no success', async () => {
  respond = () => Response.json({ code: 0, msg: '没有内容', data: null });
  expect(await failureOf(uploadEvidence(file))).toMatchObject({ code: 0, msg: '没有内容', status: 200 });
  respond = () => Response.json({ code: 5, msg: '不行', data: { key: 'k' } });
  expect(await failureOf(uploadEvidence(file))).toMatchObject({ code: 5, msg: '不行' });
});

test.each([
  [
    'no response',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
  ['the page of a proxy', () => new Response('<html>', { status: 502 })],
])('%s is a failure without a status, with the text of what was sent', async (_name, response) => {
  respond = response;
  const lost = { name: 'ApiFailure', code: -1, status: 0, field: undefined };
  expect(await failureOf(uploadEvidence(file))).toEqual({ ...lost, msg: '图片上传失败，请重试' });
  const call = { method: 'POST', path: '/api/x' } as const;
  expect(await failureOf(sendFile(call, '?a=1', file, '语音没有发出'))).toEqual({ ...lost, msg: '语音没有发出' });
  expect(requests.map(({ url }) => url)).toEqual(['/api/comm/upload?purpose=evidence', '/api/x?a=1']);
});

test('an upload can be stopped', async () => {
  const { signal } = new AbortController();
  await sendPicture({ method: 'POST', path: '/api/x' }, '', file, signal);
  expect(requests[0]?.init.signal).toBe(signal);
});

test('a picture of a kind that the market does not store is drawn as JPEG first', async () => {
  const pen = { fillRect: () => undefined, drawImage: () => undefined };
  const undo = putGlobals({
    createImageBitmap: async () => await Promise.resolve({ width: 10, height: 5, close: () => undefined }),
    document: {
      cookie: '',
      createElement: () => ({
        getContext: () => pen,
        toBlob: (done: (blob: Blob) => void, type: string) => done(new Blob(['drawn'], { type })),
      }),
    },
  });
  try {
    await uploadPicture(new File(['bytes'], 'a.webp', { type: 'image/webp' }), 'chat');
  } finally {
    undo();
  }
  const sent = requests[0]?.init.body.get('file');
  expect(sent instanceof File && [sent.type, await sent.text()]).toEqual(['image/jpeg', 'drawn']);
});
