/** What is declared, what is served, and what the reference says of it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#contract/registry.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/build.ts';

const LIST = 'tests/support/unserved.txt';

let t: TestApp;
let served: Set<string>;

beforeAll(async () => {
  // The self-check is served in the demo market alone.
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
  test('names nothing that is served: take the line out of tests/support/unserved.txt', () => {
    expect(unserved.filter((name) => served.has(name))).toEqual([]);
  });

  test('names every other declared call: serve it, the list may only shrink', () => {
    expect(declared.filter((name) => !served.has(name) && !unserved.includes(name))).toEqual([]);
  });

  test('names declared calls alone, each once and in order', () => {
    expect(unserved.filter((name) => !declared.includes(name))).toEqual([]);
    expect(unserved).toEqual([...new Set(unserved)].toSorted());
  });

  test('is all that answers with nothing there', async () => {
    // The self-check answers the machine itself alone.
    const visitor = t.client({ ip: '127.0.0.1' });
    const responses = await Promise.all(
      endpoints.map(async (e) => {
        const host = e.auth === 'staff' || e.path.startsWith('/api/backstage/') ? BACKSTAGE_HOST : 'localhost';
        const response = await visitor.raw({ method: e.method, url: e.path, headers: { host } });
        // An unserved address falls to the catch-all, which says 404, or 405 where the other method is served.
        const isMissing = [404, 405].includes(response.statusCode) && [4040, 4004].includes(response.json().code);
        return { name: `${e.method} ${e.path}`, isMissing };
      }),
    );
    const missing = responses.filter((a) => a.isMissing).map((a) => a.name);
    expect(missing.filter((name) => !unserved.includes(name))).toEqual([]);
    expect(unserved.filter((name) => !missing.includes(name))).toEqual([]);
  });
});

describe('the reference', () => {
  test('holds each served call and no other', async () => {
    const response = await t.client().raw({ method: 'GET', url: '/api/openapi.json' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { paths, openapi } = response.json<{ openapi: string; paths: Record<string, object> }>();
    expect(openapi).toMatch(/^3\.1/);
    const held = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(held.toSorted()).toEqual([...served].filter((name) => declared.includes(name)).toSorted());
    expect([...served].filter((name) => !declared.includes(name))).toEqual([]);
  });

  test('is a page with every served call, closed to foreign scripts', async () => {
    const page = await t.client().raw({ method: 'GET', url: '/api/docs' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const name of served) expect(page.body).toContain(`<code class="p">${name.split(' ')[1]}</code>`);
    expect(page.body.match(/<details class="op"/g)).toHaveLength(served.size);
    const nonce = /script-src 'nonce-([^']{20,})'/.exec(String(page.headers['content-security-policy']))?.[1];
    expect(nonce).toBeDefined();
    expect(page.body).toContain(`<script nonce="${nonce}">`);
    const again = await t.client().raw({ method: 'GET', url: '/api/docs' });
    expect(again.headers['content-security-policy']).not.toContain(String(nonce));
  });
});
