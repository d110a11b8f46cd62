/**
 * Lists of 20 over HTTP against their own statements from a bare script, on a big market, one after another on one connection each;
 * and no statement of a list reads a table from end to end. First fill a market, then measure it:
 *
 *     DATA_DIR=/tmp/big npm run seed -- --goods 1000000
 *     DATA_DIR=/tmp/big npm run bench -- list
 */
import http from 'node:http';
import type pg from 'pg';
import type { Field } from '#subjects/games/contract/games.ts';
import { createApp } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { encodeCursor } from '#server/kernel/cursor.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { filledMarket } from '../lib/filled.ts';
import { filterOf, type Goods, pickGoods, keywordOf, yuan } from '../lib/samples.ts';
import { recordStatements, type Statement } from '../lib/statements.ts';
import { median, quantile } from '../lib/stats.ts';

const SAMPLES = Number(process.env.SAMPLES ?? 200);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PORT = 31_951;
/** Tables that grow with the market. */
const BIG = new Set(['goods', 'goods_search', 'goods_stat', 'app_user', 'orders']);
const SORTS = ['default', 'priceAsc', 'priceDesc', 'newest', 'default'] as const;

type Query = Record<string, string>;
interface Sample {
  kind: string;
  path: string;
  statements: Statement[];
}

/** Requests of each kind, built from existing goods. */
const KINDS: Readonly<Record<string, (g: Goods, fields: readonly Field[], i: number) => Query>> = {
  'game and type': (g) => ({ gameId: String(g.gameId), goodsTypeId: String(g.typeId) }),
  'game, price band, filter': (g, fields, i) => ({
    gameId: String(g.gameId),
    goodsTypeId: String(g.typeId),
    minPrice: yuan(g.priceFen * 0.6),
    maxPrice: yuan(g.priceFen * 1.5),
    details: JSON.stringify(filterOf(fields, g, i) ?? {}),
  }),
  'game, keyword, two filters, price': (g, fields, i) => ({
    gameId: String(g.gameId),
    keyWord: keywordOf(g.title, 2 + (i % 2)),
    details: JSON.stringify({ ...filterOf(fields, g, i), ...filterOf(fields, g, i + 1) }),
    sort: 'priceAsc',
  }),
  'game and keyword': (g, _, i) => ({ gameId: String(g.gameId), keyWord: keywordOf(g.title, 1 + (i % 4)) }),
  'keyword alone': (g, _, i) => ({ keyWord: keywordOf(g.title, 2 + (i % 3)) }),
};

async function pathsOf(ctx: Context, client: pg.Client): Promise<{ kind: string; path: string }[]> {
  const all = await catalogue(ctx);
  const goods = await pickGoods(client, SAMPLES);
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    goods.map((g, i) => {
      const query = {
        sort: SORTS[i % SORTS.length] ?? 'default',
        pageSize: '20',
        ...make(g, all.fieldsOf(g.gameId, g.typeId), i),
      };
      return { kind, path: `/api/goods/getGoodsList?${new URLSearchParams(query).toString()}` };
    }),
  );
}

/** Runs each list in a server in this process and records its statements. */
async function record(ctx: Context, requests: readonly { kind: string; path: string }[]): Promise<Sample[]> {
  const app = await createApp(ctx);
  await app.http.ready();
  const recorder = recordStatements();
  try {
    const samples: Sample[] = [];
    // Twice: the first time also loads what is cached in memory afterwards.
    for (const warm of [false, true])
      for (const { kind, path } of requests) {
        recorder.take();
        const response = await app.http.inject({ method: 'GET', url: path, headers: { host: 'localhost' } });
        if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
        if (warm) samples.push({ kind, path, statements: recorder.take() });
      }
    return samples;
  } finally {
    recorder.stop();
    await app.http.close();
  }
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const scans = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && BIG.has(plan['Relation Name'] ?? '') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scans),
];

/** Statements that would read a big table from end to end, each once. */
async function endToEnd(client: pg.Client, samples: readonly Sample[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const { statements } of samples)
    for (const { text, values } of statements) {
      // A search sets what it is planned with; the plan is asked for in the same place.
      if (/^(begin|set|commit)\b/i.test(text)) {
        await client.query(text);
        continue;
      }
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, values);
      const table = rows[0] && scans(rows[0]['QUERY PLAN'][0].Plan)[0];
      if (table !== undefined) found.set(text, `${table}: ${text.slice(0, 200)}`);
    }
  return [...found.values()];
}

/** Row that page 5,000 of 20 begins behind. */
const DEEP_ROW = 100_000;

/**
 * The first page of an order and its page 5,000, by the cursor that its page 4,999 ends with; and what is suggested while people type,
 * beside one look through an index.
 */
async function depthAndSuggestions(client: pg.Client, goods: readonly Goods[]): Promise<void> {
  const spans = {
    first: [] as number[],
    deep: [] as number[],
    suggest: [] as number[],
    overHttp: [] as number[],
    indexed: [] as number[],
  };
  for (const [sort, column, direction] of [
    ['priceAsc', 'price_fen', ''],
    ['default', 'score', 'desc'],
  ] as const) {
    const { rows } = await client.query<{ key: number; id: number }>(
      `select ${column} as key, goods_id as id from goods_search order by ${column} ${direction}, goods_id ${direction} offset ${DEEP_ROW} limit 1`,
    );
    const row = rows[0];
    if (!row) continue;
    const path = `/api/goods/getGoodsList?pageSize=20&sort=${sort}`;
    const cursor = encodeCursor([sort, Number(row.key), Number(row.id)]);
    for (let i = 0; i < SAMPLES; i++) {
      spans.first.push(await timed(() => fetchList(path)));
      spans.deep.push(await timed(() => fetchList(`${path}&cursor=${cursor}`)));
    }
  }
  const suggest = (g: Goods, letters: number) =>
    timed(() => fetchList(`/api/goods/suggest?keyWord=${encodeURIComponent(keywordOf(g.title, letters))}`));
  const select = (sn: string) =>
    client.query('select sn, title, game_id, type_id from goods where sn = $1 and status = 2', [sn]);
  // The same select behind a minimal server, so that the cost of HTTP is part of both figures.
  const least = http.createServer((request, response) => {
    void select(request.url?.slice(1) ?? '').then(({ rows }) => response.end(JSON.stringify(rows)));
  });
  await new Promise<void>((resolve) => {
    least.listen(PORT + 1, '127.0.0.1', resolve);
  });
  const lookup = (g: Goods) => timed(() => fetchList(`/${g.sn}`, PORT + 1));
  // The first request after a start also waits until the terms are spelt out; these figures do not include that.
  for (const g of goods) {
    await suggest(g, 3);
    await lookup(g);
  }
  for (const g of goods) {
    for (const letters of [1, 2]) {
      spans.suggest.push(await suggest(g, letters));
      spans.overHttp.push(await lookup(g));
      spans.indexed.push(await timed(() => select(g.sn)));
    }
  }
  least.close();
  const of = (list: number[]) => ({ p50: quantile(list, 0.5).toFixed(2), p95: quantile(list, 0.95).toFixed(2) });
  for (const [what, list] of Object.entries(spans)) console.log(JSON.stringify({ what, ...of(list) }));
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function fetchList(path: string, port = PORT): Promise<void> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, agent, headers: { host: 'localhost' } }, (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
        );
      })
      .on('error', reject);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of each sample's rounds, over HTTP and bare, taken in turn so that a noisy neighbour disturbs both. */
async function measure(client: pg.Client, samples: readonly Sample[]) {
  const runs = samples.map(() => ({ web: [] as number[], bare: [] as number[] }));
  for (let round = -1; round < ROUNDS; round++)
    for (const [i, { path, statements }] of samples.entries()) {
      const bare = await timed(async () => {
        for (const s of statements) await client.query(s);
      });
      const web = await timed(() => fetchList(path));
      if (round < 0) continue;
      runs[i]?.web.push(web);
      runs[i]?.bare.push(bare);
    }
  return runs.map(({ web, bare }, i) => ({ kind: samples[i]?.kind ?? '', web: median(web), bare: median(bare) }));
}

async function main(): Promise<void> {
  // Each response is computed, not cached.
  const market = await filledMarket({ PUBLIC_CACHE_TTL_MS: '0' });
  const { ctx, client } = market;
  const server = serverProcess(PORT, market.env);
  try {
    const { rows } = await client.query<{ n: number }>('select count(*) as n from goods_search');
    const samples = await record(ctx, await pathsOf(ctx, client));
    const bad = await endToEnd(client, samples);
    await server.start();
    const all = await measure(client, samples);
    const printRow = (kind: string, some: typeof all) => {
      const [web, bare] = [some.map((s) => s.web), some.map((s) => s.bare)];
      const of = (list: number[], share: number): number => Number(quantile(list, share).toFixed(1));
      const figures = {
        lists: some.length,
        p50: of(web, 0.5),
        p95: of(web, 0.95),
        bareP50: of(bare, 0.5),
        bareP95: of(bare, 0.95),
      };
      console.log(JSON.stringify({ kind, ...figures, p95Ratio: Number((figures.p95 / figures.bareP95).toFixed(2)) }));
    };
    console.log(`${Number(rows[0]?.n)} goods on sale`);
    for (const kind of Object.keys(KINDS))
      printRow(
        kind,
        all.filter((s) => s.kind === kind),
      );
    printRow('all', all);
    await depthAndSuggestions(client, await pickGoods(client, SAMPLES));
    console.log(bad.length === 0 ? 'no table is read from end to end' : `read from end to end:\n${bad.join('\n')}`);
    if (bad.length > 0) process.exitCode = 1;
  } finally {
    agent.destroy();
    await server.kill();
    await market.close();
  }
}

await main();
