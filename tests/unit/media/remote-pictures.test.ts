/** Pictures at addresses that sellers name: what is fetched, and that nothing inside a network is ever asked, however it is named. */
import type { lookup as systemLookup } from 'node:dns';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { httpsPictures, noPictures } from '#server/adapters/remote-pictures/https.ts';
import { isPublicAddress } from '#server/kernel/network.ts';
import type { RemotePictures } from '#server/ports/remote-pictures.ts';

/** A machine of this one's loopback that plays the Internet; every other address of it is what must not be reached. */
const OUTSIDE = '127.0.0.9';
const INSIDE = '127.0.0.1';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'pics.example': [OUTSIDE],
  'inner.example': [INSIDE],
  'mixed.example': [OUTSIDE, INSIDE],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
};

let outside: Server;
let inside: Server;
let reached = 0;
let port: string;
let innerPort: string;
let pictures: RemotePictures;
let hasty: RemotePictures;
let asked: string[] = [];

const listen = async (server: Server, host: string): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, host, done));
  return String((server.address() as AddressInfo).port);
};

/** The names above; a name that changes its answer is asked once for each connection. */
const resolve = ((host: string, _options: unknown, done: (error: Error | null, list: unknown) => void) => {
  asked.push(host);
  const found = NAMES[host];
  if (!found) return done(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }), []);
  done(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
}) as unknown as typeof systemLookup;

const at = (path: string, host = 'pics.example'): string => `http://${host}:${port}${path}`;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  const to = new URL(url, 'http://x').searchParams.get('to');
  if (to !== null)
    return void response.writeHead(302, { location: to.replace(/[^\0-\u007f]/g, encodeURIComponent) }).end();
  if (url === '/ok.png') return void response.writeHead(200, { 'content-type': 'text/html' }).end('PICTURE');
  if (url === '/empty') return void response.writeHead(200).end();
  if (url === '/loop') return void response.writeHead(302, { location: '/loop' }).end();
  if (url === '/declared') return void response.writeHead(200, { 'content-length': String(IMAGE_MAX_BYTES + 1) }).end();
  if (url === '/large') {
    response.writeHead(200);
    const chunk = Buffer.alloc(1024 * 1024);
    for (let n = 0; n <= IMAGE_MAX_BYTES / chunk.length + 1; n++) response.write(chunk);
    return void response.end();
  }
  if (url === '/slow') return void response.writeHead(200).write('a');
  if (url === '/hang') return;
  response.writeHead(404).end();
}

beforeAll(async () => {
  outside = createServer(answer);
  inside = createServer((_request, response) => {
    reached += 1;
    response.end('SECRET');
  });
  port = await listen(outside, OUTSIDE);
  innerPort = await listen(inside, INSIDE);
  const around = {
    resolve,
    isPublic: (address: string) => address === OUTSIDE || isPublicAddress(address),
    ports: [port, innerPort],
  };
  // Only what never ends is cut off: on a loaded machine a large answer takes its time.
  pictures = httpsPictures({ isPlainAllowed: true }, around);
  hasty = httpsPictures({ isPlainAllowed: true }, { ...around, limitMs: 400 });
});
afterAll(() => {
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  reached = 0;
  asked = [];
});

describe('a picture', () => {
  it('is fetched as it is, whatever it is declared as, also over redirects', async () => {
    for (const path of ['/ok.png', `/x?to=${encodeURIComponent('/ok.png')}`])
      expect((await pictures.fetch(at(path))).body?.toString(), path).toBe('PICTURE');
    expect(asked.every((host) => host === 'pics.example')).toBe(true);
  });

  it.each([
    ['/missing', 'HTTP 404'],
    ['/empty', '没有内容'],
    ['/loop', '跳转次数过多'],
    ['/declared', '超过'],
    ['/large', '超过'],
  ])('at %s gives its reason', async (path, reason) => {
    const { body, failure } = await pictures.fetch(at(path));
    expect(body).toBeUndefined();
    expect(failure).toContain(reason);
  });

  it.each(['/slow', '/hang'])('at %s is given up after its time', async (path) => {
    const { body, failure } = await hasty.fetch(at(path));
    expect(body).toBeUndefined();
    expect(failure).toContain('没有下载完');
  });

  it('at a name that does not exist gives its reason', async () => {
    expect((await pictures.fetch(at('/ok.png', 'nowhere.example'))).failure).toContain('无法解析');
  });
});

describe('nothing inside is asked', () => {
  it.each(['inner.example', 'mixed.example', 'metadata.example', 'six.example', 'mapped.example'])(
    'by the name %s, directly or over a redirect',
    async (name) => {
      const inner = `http://${name}:${innerPort}/`;
      expect((await pictures.fetch(inner)).failure).toContain('内网');
      expect((await pictures.fetch(at(`/x?to=${encodeURIComponent(inner)}`))).failure).toContain('内网');
      expect(reached).toBe(0);
    },
  );

  it('by an address in place of a name, in any spelling, directly or over a redirect', async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '①②⑦.0.0.1',
      'localhost',
      'LOCALHOST',
      'a.localhost',
      'db.internal',
      'router.lan.',
      'database',
    ];
    for (const host of hosts) {
      const inner = `http://${host}:${innerPort}/`;
      expect((await pictures.fetch(inner)).failure, inner).toBeTypeOf('string');
      expect((await pictures.fetch(at(`/x?to=${encodeURIComponent(inner)}`))).failure, inner).toContain(
        '跳转到了不能访问的地方',
      );
    }
    expect(reached).toBe(0);
  });

  it('by another scheme, a user name or another port', async () => {
    const bad = [
      'file:///etc/passwd',
      'ftp://pics.example/a',
      'data:image/png;base64,AA',
      'javascript:1',
      'http://u:p@pics.example/a',
      'http://pics.example:22/a',
      'https://pics.example:6379/',
      'gopher://pics.example/',
      '//pics.example/a',
      'a.png',
      `https://pics.example/${'a'.repeat(1000)}`,
      // Counted in bytes.
      `https://pics.example/${'图'.repeat(400)}`,
    ];
    for (const address of bad) {
      expect(pictures.problemOf(address), address).toBeTypeOf('string');
      expect((await pictures.fetch(address)).body, address).toBeUndefined();
    }
    const moved = await pictures.fetch(at(`/x?to=${encodeURIComponent('file:///etc/passwd')}`));
    expect(moved.failure).toContain('跳转到了不能访问的地方');
    expect(asked.filter((host) => host !== 'pics.example')).toEqual([]);
  });
});

describe('the setting', () => {
  it('takes plain http only where it is allowed', () => {
    const strict = httpsPictures({ isPlainAllowed: false });
    expect(strict.problemOf('http://pics.example/a.png')).toContain('https://');
    expect(strict.problemOf('https://pics.example/a.png')).toBeUndefined();
    expect(strict.problemOf('https://pics.example:80/a.png')).toContain('端口');
  });

  it('loads nothing when addresses are switched off', async () => {
    expect(noPictures().problemOf('https://pics.example/a.png')).toContain('上传图片文件');
    expect((await noPictures().fetch('https://pics.example/a.png')).body).toBeUndefined();
  });
});
