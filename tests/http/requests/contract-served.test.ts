/** Declared calls, served calls and the reference agree. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#contract/registry.ts';
import { OPEN_API_DOCUMENT, OPEN_API_VERSION } from '#subjects/open-api/rules/api-keys.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/servers/build.ts';
import type { TestClient } from '#tests/support/servers/client.ts';

const LIST = 'tests/support/calls/unserved.txt';

let t: TestApp;
let served: Set<string>;

beforeAll(async () => {
  // The self-check is served only in the demo market.
  t = await testApp({ env: { DEMO: '1' } });
  served = new Set(t.app.server.served());
});
afterAll(async () => await t.close());

const declared = endpoints.map((e) => `${e.method} ${e.path}`);

/** Calls that are declared and not served yet: one a line, in order. A line leaves when its call is served; none is added. */
const unserved = readFileSync(LIST, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

describe('the list of calls that are not served yet', () => {
  test('contains no served call: otherwise remove the line from tests/support/calls/unserved.txt', () => {
    expect(unserved.filter((name) => served.has(name))).toEqual([]);
  });

  test('contains every other declared call: serve it, the list may only shrink', () => {
    expect(declared.filter((name) => !served.has(name) && !unserved.includes(name))).toEqual([]);
  });

  test('contains declared calls only, each once and in order', () => {
    expect(unserved.filter((name) => !declared.includes(name))).toEqual([]);
    expect(unserved).toEqual([...new Set(unserved)].toSorted());
  });

  test('contains all calls that respond with "not found"', async () => {
    // The self-check answers only the machine itself.
    const visitor = t.client({ ip: '127.0.0.1' });
    const responses = await Promise.all(
      endpoints.map(async (e) => {
        const host = e.auth === 'staff' || e.path.startsWith('/api/backstage/') ? BACKSTAGE_HOST : 'localhost';
        const response = await visitor.raw({ method: e.method, url: e.path, headers: { host } });
        // An unserved address falls to the catch-all, which says 404, or 405 where the other method is served.
        const isMissing = [404, 405].includes(response.statusCode) && [4040, 4004].includes(response.json().code);
        return { name: `${e.method} ${e.path}`, isMissing, isOpen: e.auth !== 'public' && response.statusCode === 200 };
      }),
    );
    // A visitor's success is none of the call itself.
    expect(responses.filter((a) => a.isOpen)).toEqual([]);
    const missing = responses.filter((a) => a.isMissing).map((a) => a.name);
    expect(missing.filter((name) => !unserved.includes(name))).toEqual([]);
    expect(unserved.filter((name) => !missing.includes(name))).toEqual([]);
  });
});

describe('the reference', () => {
  /** The calls that the document of a client names. */
  async function held(client: TestClient, url = '/api/openapi.json'): Promise<string[]> {
    const response = await client.raw({ method: 'GET', url });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { paths, openapi } = response.json<{ openapi: string; paths: Record<string, object> }>();
    expect(openapi).toMatch(/^3\.1/);
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  test('contains each served call and no other; those of staff on their host only', async () => {
    const staff = await t.newStaff();
    const [outside, inside] = [await held(t.client()), await held(staff.client)];
    const ofKeys = await held(t.client(), OPEN_API_DOCUMENT);
    expect(ofKeys.length).toBeGreaterThan(8);
    expect(ofKeys.every((name) => name.includes(' /api/open/'))).toBe(true);
    expect(outside.filter((name) => name.includes('/backstage/'))).toEqual([]);
    expect(inside.length).toBeGreaterThan(50);
    for (const url of ['/api/openapi.json', '/api/docs', OPEN_API_DOCUMENT, '/api/open/docs']) {
      const visitor = await t.client({ host: BACKSTAGE_HOST }).raw({ method: 'GET', url });
      expect(visitor.statusCode).toBe(404);
      const user = await t.newUser({ host: BACKSTAGE_HOST });
      expect((await user.client.raw({ method: 'GET', url })).statusCode).toBe(404);
    }
    // A call that takes an id takes it in its path as well (product.md 7).
    const withId = endpoints
      .filter(({ idField }) => idField !== undefined)
      .map(({ method, path, idField }) => [`${method} ${path}`, `${method} ${path}/{${idField}}`] as const);
    expect(withId.map(([, name]) => name)).toContain('GET /api/pay/showPayUrl/{payRand}');
    expect([...outside, ...ofKeys, ...inside].toSorted()).toEqual(
      [
        ...[...served].filter((name) => declared.includes(name)),
        ...withId.filter(([name]) => served.has(name)).map(([, name]) => name),
      ].toSorted(),
    );
    expect([...served].filter((name) => !declared.includes(name))).toEqual([]);
  });

  test('describes the life of an order by calls that exist', async () => {
    const response = await t.client().raw({ method: 'GET', url: '/api/openapi.json' });
    const { info } = response.json<{ info: { description: string } }>();
    const named = info.description.match(/(GET|POST) \/api\/[A-Za-z/]+/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !served.has(name))).toEqual([]);
  });

  test('has a separate version and the events for the open interface', async () => {
    const response = await t.client().raw({ method: 'GET', url: OPEN_API_DOCUMENT });
    const { info, webhooks } = response.json<{ info: { version: string }; webhooks: object }>();
    expect(info.version).toBe(OPEN_API_VERSION);
    expect(Object.keys(webhooks)).toContain('order.paid');
    const page = await t.client().raw({ method: 'GET', url: '/api/open/docs' });
    expect(page.body).toContain('<code class="p">/api/open/goods/publish</code>');
    expect(page.body).toContain(`href="${OPEN_API_DOCUMENT}"`);
  });

  test('is a page with every call of its document, closed to foreign scripts', async () => {
    const page = await t.client().raw({ method: 'GET', url: '/api/docs' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const open = (await held(t.client())).filter((name) => declared.includes(name));
    for (const name of open) expect(page.body).toContain(`<code class="p">${name.split(' ')[1]}</code>`);
    expect(page.body.match(/<details class="op"/g)).toHaveLength(open.length);
    const nonce = /script-src 'nonce-([^']{20,})'/.exec(String(page.headers['content-security-policy']))?.[1];
    expect(nonce).toBeDefined();
    expect(page.body).toContain(`<script nonce="${nonce}">`);
    const again = await t.client().raw({ method: 'GET', url: '/api/docs' });
    expect(again.headers['content-security-policy']).not.toContain(String(nonce));
  });
});
