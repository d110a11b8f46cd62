/** Errors outside the pages of a market: a person sees a page with advice, a program the envelope. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

const HTML = 'text/html; charset=utf-8';

test.each([
  ['an unknown host', '/', 'evil.example', codes.UNKNOWN_SITE],
  ['an address that cannot be decoded', '/%E0%A4%A', 'localhost', codes.BAD_REQUEST],
])('%s', async (_, url, host, [code, status, text]) => {
  const get = async (accept: string) => await t.client().raw({ method: 'GET', url, headers: { host, accept } });
  const page = await get('text/html,application/xhtml+xml');
  expect([page.statusCode, page.headers['content-type']]).toEqual([status, HTML]);
  expect(page.body).toContain(`<h1>${text}</h1>`);
  expect(page.body).not.toContain('evil');
  const answer = await get('application/json');
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});
