/**
 * Finding on a big market, over HTTP: lists, searches and goods a second beside what Vendure and Medusa reach with a tenth of the goods;
 * suggestions beside one indexed select; the 5,000th page beside the first. First fill a market, then measure it:
 *
 *     DATA_DIR=/tmp/big npm run seed -- --goods 1000000
 *     DATA_DIR=/tmp/big npm run bench -- find
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import pg from 'pg';
import { loadConfig } from '#server/config.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { serverProcess } from '#tests/support/server-process.ts';
import { median, quantile } from './lib/stats.ts';

const PORT = 31_952;
const SECRET = 'a secret of measurements, long enough to be taken';
const SECONDS = Number(process.env.SECONDS ?? 10);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SAMPLES = Number(process.env.SAMPLES ?? 300);
/** Rows before the deep page: page 5,000 of twenty. */
const DEEP_ROWS = Number(process.env.DEEP ?? 100_000);
const CONNECTIONS = 32;
const PAGE = 20;
/** One tick of /proc. */
const TICK_MS = 10;
const BIG_PAGE = 50;

/** Requests a second of the peers' calls with 100,000 products on the same kind of machine (performance facts, 2026). */
const PEERS = {
  list: { vendure: 16, medusa: 21, medusaSearch: 227 },
  search: { vendure: 0.25, medusa: 1.9, medusaSearch: 218 },
  goods: { vendure: 84, medusa: 50, medusaSearch: null },
} as const;

interface Goods {
  sn: string;
  gameId: number;
  typeId: number;
  title: string;
}
interface Page {
  data: { list: { goodsSn: string }[]; next: string | null };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** The body of an answer; anything but 200 ends the run. */
function get(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port: PORT, path, agent, headers: { host: 'localhost' } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const body = Buffer.concat(parts).toString();
          if (response.statusCode === 200) resolve(body);
          else reject(new Error(`${path}: ${response.statusCode} ${body}`));
        });
      })
      .on('error', reject);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Processor milliseconds that a process has used so far; what a request costs stays a figure where others work as well. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

interface Figures {
  perSecond: number;
  p50: number;
  p95: number;
  /** Of the server's process. */
  cpuMsEach: number;
}

/** Asks over and over on all connections; requests a second, the time of one, and what it cost the server. */
async function throughput(pid: number, paths: readonly string[]): Promise<Figures> {
  const times: number[] = [];
  const before = cpuMs(pid);
  const start = performance.now();
  const until = start + SECONDS * 1000;
  let next = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) times.push(await timed(() => get(paths[next++ % paths.length] ?? '/')));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const seconds = (performance.now() - start) / 1000;
  const figure = (share: number): number => Number(quantile(times, share).toFixed(1));
  const cpuMsEach = Number(((cpuMs(pid) - before) / times.length).toFixed(2));
  return { perSecond: Math.round(times.length / seconds), p50: figure(0.5), p95: figure(0.95), cpuMsEach };
}

const wordOf = (title: string, length: number): string =>
  (title.match(/\p{Script=Han}+/gu) ?? ['账号']).toSorted((a, b) => b.length - a.length)[0]?.slice(0, length) ?? '账号';

const listPath = (query: Record<string, string>): string =>
  `/api/goods/getGoodsList?${new URLSearchParams({ pageSize: String(PAGE), ...query }).toString()}`;

function pathsOf(goods: readonly Goods[]): Record<keyof typeof PEERS, string[]> {
  return {
    list: goods.map((g) =>
      listPath({ gameId: String(g.gameId), goodsTypeId: String(g.typeId), inspected: '1', sort: 'priceAsc' }),
    ),
    search: goods.map((g, i) => listPath({ gameId: String(g.gameId), keyWord: wordOf(g.title, 2 + (i % 3)) })),
    goods: goods.map((g) => `/api/goods/goodsInfo?goodsSn=${g.sn}`),
  };
}

async function compareWithPeers(pid: number, goods: readonly Goods[]): Promise<void> {
  for (const [kind, paths] of Object.entries(pathsOf(goods))) {
    await throughput(pid, paths.slice(0, CONNECTIONS));
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await throughput(pid, paths));
    const perSecond = median(rounds.map((r) => r.perSecond));
    const peers = PEERS[kind as keyof typeof PEERS];
    const times = Object.entries(peers).map(([peer, theirs]) => [
      peer,
      theirs === null ? null : Number((perSecond / theirs).toFixed(1)),
    ]);
    console.log(JSON.stringify({ kind, perSecond, rounds, times: Object.fromEntries(times) }));
  }
}

/** Beginnings of words as they are typed: characters, pinyin, initials, codes. */
function typedWords(goods: readonly Goods[]): string[] {
  const latin = ['w', 'wz', 'wzry', 'wang', 'dnf', 'ys', 'yuan', 'libai', 'lb', 'diao', 'hp', 'sjz'];
  return goods.flatMap((g, i) => [wordOf(g.title, 1 + (i % 3)), latin[i % latin.length] ?? 'w', g.sn]);
}

async function measureSuggestions(client: pg.Client, goods: readonly Goods[]): Promise<void> {
  const words = typedWords(goods);
  const [web, bare]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++)
    for (const [i, word] of words.entries()) {
      const sn = goods[i % goods.length]?.sn;
      const select = await timed(() =>
        client.query({ name: 'one', text: 'select sn, title from goods where sn = $1', values: [sn] }),
      );
      const asked = await timed(() => get(`/api/goods/suggest?keyWord=${encodeURIComponent(word)}`));
      if (round < 0) continue;
      bare.push(select);
      web.push(asked);
    }
  const figure = (list: number[], share: number): number => Number(quantile(list, share).toFixed(2));
  const figures = { p50: figure(web, 0.5), p95: figure(web, 0.95), selectP95: figure(bare, 0.95) };
  console.log(
    JSON.stringify({
      kind: 'suggestions over HTTP beside one indexed select',
      ...figures,
      p95Ratio: Number((figures.p95 / figures.selectP95).toFixed(2)),
    }),
  );
}

/** Walks by cursor to the deep page and times pages of both ends in turn. */
async function measureDepth(): Promise<void> {
  for (const sort of ['default', 'priceAsc', 'newest'] as const) {
    let cursor = '';
    let rows = 0;
    while (rows < DEEP_ROWS) {
      const { data } = JSON.parse(await get(listPath({ sort, pageSize: String(BIG_PAGE), cursor }))) as Page;
      if (data.next === null) break;
      rows += data.list.length;
      cursor = data.next;
    }
    const [first, deep]: [number[], number[]] = [[], []];
    for (let i = 0; i < SAMPLES; i++) {
      first.push(await timed(() => get(listPath({ sort }))));
      deep.push(await timed(() => get(listPath({ sort, cursor }))));
    }
    const figures = { firstP50: median(first), deepP50: median(deep) };
    console.log(
      JSON.stringify({
        kind: `page ${Math.round(rows / PAGE) + 1} beside page 1, ${sort}`,
        firstP50: Number(figures.firstP50.toFixed(2)),
        deepP50: Number(figures.deepP50.toFixed(2)),
        ratio: Number((figures.deepP50 / figures.firstP50).toFixed(2)),
      }),
    );
  }
}

async function main(): Promise<void> {
  const given = loadConfig(process.env);
  const quiet = { info: () => undefined, warn: console.warn, error: console.error };
  const embedded =
    given.databaseUrl === undefined ? await startEmbedded({ dataDir: given.dataDir, log: quiet }) : undefined;
  const url = given.databaseUrl ?? embedded?.url ?? '';
  const client = new pg.Client({ connectionString: url, options: '-c jit=off' });
  await client.connect();
  const server = serverProcess(PORT, {
    DATABASE_URL: url,
    DATA_DIR: given.dataDir,
    DEMO: '0',
    SECRET,
    LOG_LEVEL: 'error',
    IP_LIMIT_FACTOR: '10000',
    NODE_ENV: 'production',
  });
  try {
    const { rows: counted } = await client.query<{ n: string }>('select count(*) as n from goods_search');
    console.log(`${Number(counted[0]?.n)} goods on sale, ${CONNECTIONS} connections, ${SECONDS} s a round`);
    const { rows: goods } = await client.query<Goods>(
      `select sn, game_id as "gameId", type_id as "typeId", title from (select max(id) as top, min(id) as low from goods) r, generate_series(1, $1::int) n
       cross join lateral (select * from goods g where g.id >= r.low + (r.top - r.low) * n / ($1 + 1) and g.status = 2 order by g.id limit 1) g`,
      [SAMPLES],
    );
    await server.start();
    await measureSuggestions(client, goods);
    await measureDepth();
    await compareWithPeers(server.pid ?? 0, goods);
  } finally {
    agent.destroy();
    await server.kill();
    await client.end();
    await embedded?.stop();
  }
}

await main();
