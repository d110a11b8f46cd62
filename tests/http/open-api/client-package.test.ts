/** The client that sellers install: built as it is published, typed by the contract, and tried against a running market. */
import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { pushOrPullGoods, selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import { OPEN_API_VERSION } from '#subjects/open-api/rules/api-keys.ts';
import { SIGNING_EXAMPLE, WEBHOOK_EXAMPLE } from '#subjects/open-api/rules/api-example.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type * as built from '../../../packages/client/src/index.ts';
import { clientSources } from '../../../scripts/lib/written/client-source.ts';
import { proveOwner } from '#tests/support/market/proofs.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { newKey, type TestKey } from '#tests/support/market/open-api.ts';

type Client = typeof built;

const OUT = 'node_modules/.cache/client-package';
const TSC = 'node_modules/.bin/tsc';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;
let key: TestKey;
let origin: string;
let client: Client;

beforeAll(async () => {
  rmSync(OUT, { recursive: true, force: true });
  execFileSync(TSC, ['-p', 'packages/client', '--outDir', OUT]);
  writeFileSync(`${OUT}/package.json`, '{"type":"module"}');
  client = (await import(pathToFileURL(`${OUT}/index.js`).href)) as Client;
  t = await testApp();
  offers = await offerFixture(t);
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://localhost:${(t.app.http.server.address() as AddressInfo).port}`;
  seller = await offers.sellerWith(5);
  await proveOwner(t.ctx.db, seller.id);
  key = await newKey(seller);
});
afterAll(async () => await t.close());

const market = (more: Partial<ConstructorParameters<Client['Youshi']>[0]> = {}) =>
  new client.Youshi({ origin, key: key.publicId, secret: key.secret, ...more });

test('its types and methods match the contract', () => {
  const plain = (text: string): string => text.replace(/\s+/g, '').replace(/[()|;]/g, '');
  for (const [name, source] of Object.entries(clientSources())) {
    const written = plain(readFileSync(`packages/client/src/${name}`, 'utf8'));
    // A complete diff of two files without spaces is unreadable: run scripts/generate/client-gen.ts.
    expect(written === plain(source), name).toBe(true);
  }
});

test('an incorrect program does not compile, a correct one does', () => {
  mkdirSync(OUT, { recursive: true });
  const program = (stock: string): string => `import { Youshi } from './index.js';
const market = new Youshi({ origin: '', key: '', secret: '' });
const { price } = await market.calls.update({ goodsSn: 'a', price: '1.00', stock: ${stock} });
export const text: string = price;
`;
  const compile = (stock: string): void => {
    writeFileSync(`${OUT}/program.ts`, program(stock));
    execFileSync(
      TSC,
      [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--skipLibCheck',
        'false',
        '--types',
        '',
        `${OUT}/program.ts`,
      ],
      { stdio: 'pipe' },
    );
  };
  compile('5');
  expect(() => compile("'five'")).toThrow();
});

/** The examples of the README, in their order. */
const examples = () =>
  [...readFileSync('packages/client/README.md', 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, text]) => text ?? '');

describe('the package as it is published', () => {
  const HOME = `${OUT}/installed`;
  const compile = (file: string) =>
    execFileSync(
      TSC,
      [
        '--ignoreConfig',
        '--strict',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        '--types',
        'node',
        '--outDir',
        HOME,
        file,
      ],
      { stdio: 'pipe' },
    );

  beforeAll(() => {
    const target = `${HOME}/node_modules/@youshi/client`;
    mkdirSync(target, { recursive: true });
    for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(`packages/client/${file}`, `${target}/${file}`);
    execFileSync(TSC, ['-p', 'packages/client', '--outDir', `${target}/dist`]);
    writeFileSync(`${HOME}/package.json`, '{"type":"module"}');
  });

  test('names its version, licence, types and files', () => {
    const manifest = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      version: OPEN_API_VERSION,
      license: 'SEE LICENSE IN LICENSE',
      types: './dist/index.d.ts',
    });
    expect(manifest.private).toBeUndefined();
    for (const file of manifest.files as string[])
      expect(existsSync(`${HOME}/node_modules/@youshi/client/${file}`), file).toBe(true);
    expect(existsSync(`${HOME}/node_modules/@youshi/client/dist/index.d.ts`)).toBe(true);
  });

  test('runs its first example against a market', async () => {
    const onSale = await offers.onSale(seller, { bigTitle: '荣耀王者 已在别处售出' });
    writeFileSync(`${HOME}/first.ts`, examples()[0] ?? '');
    compile(`${HOME}/first.ts`);
    const env = { ...process.env, YOUSHI_ORIGIN: origin, YOUSHI_KEY: key.publicId, YOUSHI_SECRET: key.secret };
    const { stdout } = await promisify(execFile)(process.execPath, [`${HOME}/first.js`], { env });
    expect(stdout).toContain('accountNo');
    const { list } = await seller.client.ok(selfPublishGoodsList, { keyWord: '荣耀王者 全英雄 贵族八级' });
    expect(list).toMatchObject([{ price: '1188.00', status: GoodsStatus.Reviewing }]);
    const sold = (await seller.client.ok(selfPublishGoodsList, {})).list.find((one) => one.goodsSn === onSale);
    expect(sold?.status).toBe(GoodsStatus.OffSale);
    await seller.client.ok(pushOrPullGoods, { goodsSn: onSale, act: 'remove' });
  });

  test('checks an event by its second example, with the headers of fetch', async () => {
    writeFileSync(`${HOME}/second.ts`, examples()[1] ?? '');
    compile(`${HOME}/second.ts`);
    const example = (await import(pathToFileURL(`${process.cwd()}/${HOME}/second.js`).href)) as {
      receive: (request: Request) => Promise<Response>;
    };
    const { secret, body } = WEBHOOK_EXAMPLE;
    process.env.YOUSHI_WEBHOOK_SECRET = secret;
    const at = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`evt_1.${at}.${body}`)
      .digest('base64');
    const request = (signature: string) =>
      new Request('http://localhost/', {
        method: 'POST',
        body,
        headers: { 'Webhook-Id': 'evt_1', 'Webhook-Timestamp': at, 'Webhook-Signature': signature },
      });
    expect((await example.receive(request(`v1,${mac}`))).status).toBe(204);
    expect((await example.receive(request(`v1,${mac.slice(1)}`))).status).toBe(401);
    delete process.env.YOUSHI_WEBHOOK_SECRET;
  });
});

test('an error names every invalid field', async () => {
  const wrong = market().calls.publish({ gameId: 2, goodsTypeId: 1, bigTitle: '荣耀王者', price: '100' });
  await expect(wrong).rejects.toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ field: 'areaId' }),
      expect.objectContaining({ field: 'accountNo' }),
    ]),
  });
});

test('signs like the documentation', async () => {
  const { secret, method, target, body, timestamp, nonce, signature } = SIGNING_EXAMPLE;
  const request = { method: method as 'POST', target, body, timestamp: Number(timestamp), nonce };
  expect(await client.sign(secret, request)).toBe(signature);
});

test('reads, publishes once per key, changes, and takes off sale', async () => {
  const { calls } = market();
  expect(await calls.self()).toMatchObject({ sellerId: String(seller.id), maxDropPercent: 30 });
  const { gameId, goodsTypeId, ...offer } = accountOffer();
  const input = { ...offer, gameId: Number(gameId), goodsTypeId: Number(goodsTypeId) } as Parameters<
    typeof calls.publish
  >[0];
  const first = await calls.publish(input, { idempotencyKey: 'stock-1' });
  expect(await calls.publish(input, { idempotencyKey: 'stock-1' })).toEqual(first);
  await offers.approve(first.goodsSn);
  expect(await calls.update({ goodsSn: first.goodsSn, price: '1200.00' })).toMatchObject({ price: '1200.00' });
  expect((await calls.goodsList({ status: GoodsStatus.OnSale })).list.map(({ goodsSn }) => goodsSn)).toEqual([
    first.goodsSn,
  ]);
  expect(await calls.soldElsewhere({ goodsSn: first.goodsSn })).toMatchObject({ status: GoodsStatus.OffSale });
  expect((await calls.orderList()).list).toEqual([]);
});

test('an error has code and field; a wrong secret and a foreign address are reported', async () => {
  const { calls } = market();
  const tooFar = calls.goods({ goodsSn: 'SJ9999999' });
  await expect(tooFar).rejects.toMatchObject({ code: codes.GOODS_NOT_FOUND[0], status: 404 });
  const wrong = market({ secret: 'x'.repeat(43) }).calls.self();
  await expect(wrong).rejects.toMatchObject({ code: codes.KEY_INVALID[0], name: 'YoushiError' });
  const far = market({ origin: 'http://localhost:1', retries: 0 }).calls.self();
  await expect(far).rejects.toMatchObject({ status: 0, code: -1 });
});

test('retries idempotent calls, and a write without a key once', async () => {
  let tries = 0;
  const failing = (async () => {
    tries += 1;
    return new Response('{"code":5030,"data":null,"msg":"稍后再试"}', { status: 503, headers: { 'retry-after': '0' } });
  }) as typeof fetch;
  const { calls } = market({ fetch: failing, retries: 2 });
  await expect(calls.self()).rejects.toMatchObject({ status: 503 });
  expect(tries).toBe(3);
  await expect(calls.soldElsewhere({ goodsSn: 'SJ0000001' })).rejects.toMatchObject({ status: 503 });
  expect(tries).toBe(4);
});

test('verifies an event, and rejects a forged and an old one', async () => {
  const { secret, body } = WEBHOOK_EXAMPLE;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = (at: string): Record<string, string> => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`evt_1.${at}.${body}`)
      .digest('base64')}`,
  });
  expect(await client.isGenuineEvent(signed(timestamp), body, secret)).toBe(true);
  expect(await client.isGenuineEvent(signed(timestamp), `${body} `, secret)).toBe(false);
  expect(await client.isGenuineEvent(signed('1764043200'), body, secret)).toBe(false);
  expect(await client.isGenuineEvent({}, body, secret)).toBe(false);
});
