/**
 * List, search and goods calls under load, as `facts` measured peers: 32 connections, each kind of call by itself. First with the
 * mixes that peers were asked (400 lists, 200 keywords, 1,000 goods, each as likely), then as people ask (Zipf over many), then with
 * no question ever asked twice, so that no answer can be a kept one.
 *
 *     DATA_DIR=/tmp/big npm run seed -- --goods 1000000
 *     DATA_DIR=/tmp/big npm run bench -- calls
 *
 * With SEARCH_URL (a Groonga or an OpenSearch) the engine's index is filled first, and then the engine is asked for lists and searches.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { catalogue } from '#subjects/games/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { filledMarket } from '../lib/filled.ts';
import { load } from '../lib/load.ts';
import { type Kind, questions } from '../lib/questions.ts';
import { pickGoods } from '../lib/samples.ts';

const PORT = 31_952;
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 32);
const SECONDS = Number(process.env.SECONDS ?? 10);
const WARM_SECONDS = 4;
/** In the first seconds a server reads its sample of the market (docs/decisions/457). */
const FIRST_SECONDS = Number(process.env.FIRST_SECONDS ?? 60);
/** Goods from which requests are built. */
const SAMPLES = 20_000;
const ONLY = process.env.ONLY;

/** Number of different requests that peers were measured with. */
const OF_PEERS: Readonly<Record<Kind, number>> = { list: 400, search: 200, goods: 1000 };

/** Numbers below `count`, the first ones most often, as people's interest is spread. */
function zipf(count: number): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let i = 1; i <= count; i++) sums.push((sum += 1 / i));
  return () => {
    const wanted = Math.random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

async function warmUp(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await fetch(`http://localhost:${PORT}${path}`).then(async (response) => await response.arrayBuffer());
}

/** Waits until the search engine has an index of all listings that is asked. */
async function engineIsLive(client: pg.Client): Promise<void> {
  const since = Date.now();
  for (;;) {
    const { rows } = await client.query('select from search_feed where engine is not null and live is not null');
    if (rows.length > 0) break;
    await sleep(1000);
  }
  console.log(JSON.stringify({ engine: 'filled', seconds: Math.round((Date.now() - since) / 1000) }));
}

async function main(): Promise<void> {
  const market = await filledMarket();
  const server = serverProcess(PORT, market.env);
  try {
    const ask = questions(await catalogue(market.ctx), await pickGoods(market.client, SAMPLES));
    await server.start();
    if (process.env.SEARCH_URL) await engineIsLive(market.client);
    const run = (path: () => string, seconds: number) =>
      load({
        port: PORT,
        connections: CONNECTIONS,
        ms: seconds * 1000,
        path,
        server: server.pid,
        database: market.databasePid,
      });
    let last = SAMPLES;
    console.log(JSON.stringify({ first: await run(() => ask.list(--last), FIRST_SECONDS) }));
    for (const kind of ['list', 'search', 'goods'] as const) {
      const peers = OF_PEERS[kind];
      const byInterest = zipf(SAMPLES);
      let next = 0;
      const mixes: Record<string, () => number> = {
        'as peers': () => Math.floor(Math.random() * peers),
        zipf: byInterest,
        'none twice': () => next++,
      };
      for (const [mix, number] of Object.entries(mixes)) {
        if (ONLY !== undefined && !`${kind} ${mix}`.startsWith(ONLY)) continue;
        const path = (): string => ask[kind](number());
        // The few requests of the peers' mix are all sent before, as with peers that cache responses.
        if (mix === 'as peers') await warmUp(Array.from({ length: peers }, (_, i) => ask[kind](i)));
        await run(path, WARM_SECONDS);
        console.log(JSON.stringify({ kind, mix, ...(await run(path, SECONDS)) }));
      }
    }
  } finally {
    await server.kill();
    await market.close();
  }
}

await main();
