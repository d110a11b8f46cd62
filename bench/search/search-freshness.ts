/**
 * How soon search knows: goods that a reviewer lets through, and prices that a seller changes, seen by a visitor who asks the same
 * question again and again, so that the answer that was kept before must be dropped. The reviewer works in another process than the
 * server that is asked. `npm run bench -- search-freshness` (`SAMPLES`, 60); asked for is a second.
 */
import { sql } from 'kysely';
import { getGoodsList, onlySetupGoodsPrice, releaseGoods } from '#subjects/goods/contract/goods.ts';
import { approveGoods, reviewItem } from '#subjects/goods/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket, type BenchMarket, type Buyer } from '../lib/market.ts';
import { quantile } from '../lib/stats.ts';

const SAMPLES = Number(process.env.SAMPLES ?? 60);
const PORT = 31_966;
/** Below the number of goods that a user may publish in a minute; used for each seller of this measurement. */
const PER_SELLER = 20;
const LIMIT_MS = 30_000;

const url = (path: string): string => `http://localhost:${PORT}${path}`;

async function send<T>(seller: Buyer, path: string, form: Record<string, string>): Promise<T> {
  const headers = { ...seller.headers, 'x-timestamp': String(Date.now()) };
  const response = await fetch(url(path), { method: 'POST', headers, body: new URLSearchParams(form).toString() });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: T };
  if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
  return data;
}

/** Requests the list until its text contains `words`; returns the ms since `since`. */
async function seenAfter(path: string, words: string, since: number): Promise<number> {
  while (performance.now() - since < LIMIT_MS) {
    const text = await (await fetch(url(path))).text();
    if (text.includes(words)) return performance.now() - since;
  }
  throw new Error(`${path} never held ${words}`);
}

async function sample(market: BenchMarket, i: number): Promise<{ approved: number; price: number }> {
  const seller = market.buyers[Math.floor(i / PER_SELLER)];
  if (!seller) throw new Error('no seller');
  const keyword = `新货${String(i).padStart(4, '0')}号`;
  const { goodsSn } = await send<{ goodsSn: string }>(seller, releaseGoods.path, {
    gameId: '1',
    goodsTypeId: '27',
    bigTitle: keyword,
    price: '100.00',
    stock: '5',
  });
  const path = `${getGoodsList.path}?${new URLSearchParams({ gameId: '1', goodsTypeId: '27', keyWord: keyword })}`;
  await fetch(url(path)).then(async (response) => await response.text());
  const { version } = await reviewItem(market.ctx, goodsSn, null);
  await approveGoods(market.ctx, { goodsSn, version, distId: null, staffId: 1 });
  const approved = await seenAfter(path, goodsSn, performance.now());
  await send(seller, onlySetupGoodsPrice.path, { goodsSn, price: '90.00' });
  const price = await seenAfter(path, '"price":"90.00"', performance.now());
  return { approved, price };
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: Math.ceil(SAMPLES / PER_SELLER) });
  const { ctx, env } = market;
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(ctx.db);
  await sql`update app_user set sold_count = 5`.execute(ctx.db);
  const server = serverProcess(PORT, env, 'tests/support/servers/api-main.ts');
  await server.start();
  try {
    const samples: { approved: number; price: number }[] = [];
    for (let i = 0; i < SAMPLES; i++) samples.push(await sample(market, i));
    for (const what of ['approved', 'price'] as const) {
      const times = samples.map((one) => one[what]);
      const ms = (share: number): number => Math.round(quantile(times, share));
      console.log(JSON.stringify({ what, samples: SAMPLES, p50: ms(0.5), p95: ms(0.95), max: ms(1), asked: 1000 }));
    }
  } finally {
    await server.kill();
    await market.close();
  }
}

await main();
process.exit(0);
