/** The documentation's examples are run as a reader pastes them: against a listening server, with a key of the centre. */
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveOwner } from '#tests/support/market/proofs.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { coinOffer, offerFixture } from '#tests/support/goods/offers.ts';
import { newKey, type TestKey } from '#tests/support/market/open-api.ts';
import { SIGNING } from '#subjects/open-api/web/open-api/examples.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;

let t: TestApp;
let key: TestKey;
let goodsSn: string;
let host: string;

beforeAll(async () => {
  t = await testApp();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  host = `http://localhost:${(t.app.http.server.address() as AddressInfo).port}`;
  const offers = await offerFixture(t);
  const seller = await offers.sellerWith(5);
  await proveOwner(t.ctx.db, seller.id);
  key = await newKey(seller);
  goodsSn = await offers.onSale(seller, coinOffer({ price: '130.00' }));
});
afterAll(async () => await t.close());

/** The example as pasted, with the reader's own key, secret, address and goods. */
const pasted = (text: string): string =>
  text
    .replaceAll('HOST', host)
    .replaceAll('SJ0000001', goodsSn)
    .replace('yk_您的密钥编号', key.publicId)
    .replace('您的签名密码', key.secret);

const env = () => ({ ...process.env, YOUSHI_KEY: key.publicId, YOUSHI_SECRET: key.secret });
const has = async (program: string): Promise<boolean> =>
  await run('which', [program]).then(
    () => true,
    () => false,
  );

async function goods(): Promise<{ price: string; stock: number }> {
  const { rows } = await sql<{ price: string; stock: number }>`
    select to_char(price_fen / 100.0, 'FM999990.00') as price, stock from goods where sn = ${goodsSn}`.execute(
    t.ctx.db,
  );
  return rows[0] ?? { price: '', stock: 0 };
}

/** Prices as before the example changed them. */
async function reset(): Promise<void> {
  await sql`update goods set price_fen = 13000, stock = 9 where sn = ${goodsSn}`.execute(t.ctx.db);
}

test(
  'the shell example lists goods and changes a price and a stock',
  async (context) => {
    if (!(await has('curl')) || !(await has('openssl'))) return context.skip();
    await reset();
    const { stdout } = await run('bash', ['-c', pasted(SIGNING.curl)], { env: env() });
    const [listed, updated] = stdout.split('}{').length === 2 ? stdout.split(/(?<=\})(?=\{)/) : stdout.split('\n');
    expect(listed).toContain(goodsSn);
    expect(listed).toContain('"code":0');
    expect(updated).toContain('"code":0');
    expect(await goods()).toEqual({ price: '128.00', stock: 5 });
  },
  LIMIT_MS,
);

test(
  'the Node example does the same',
  async () => {
    await reset();
    await run(process.execPath, ['--input-type=module', '-e', pasted(SIGNING.node)], { env: env() });
    expect(await goods()).toEqual({ price: '128.00', stock: 5 });
  },
  LIMIT_MS,
);

test(
  'the Python example lists goods and takes one off that was sold elsewhere',
  async (context) => {
    if (!(await has('python3'))) return context.skip();
    await run('python3', ['-c', pasted(SIGNING.python)], { env: env() });
    const { rows } = await sql<{ on_sale: boolean }>`
      select status = 2 as on_sale from goods where sn = ${goodsSn}`.execute(t.ctx.db);
    expect(rows).toEqual([{ on_sale: false }]);
  },
  LIMIT_MS,
);
