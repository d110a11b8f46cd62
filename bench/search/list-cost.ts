/**
 * What lists that nobody asked before cost, counted so that other work on the machine does not matter much: processor time of the server and
 * of the database, statements, and pages of the database (from memory or read). First fill a market, then count:
 *
 *     DATA_DIR=/tmp/big npm run seed -- --goods 1000000
 *     DATA_DIR=/tmp/big npm run bench -- list-cost
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createApp } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { filledMarket } from '../lib/filled.ts';
import { listQuery, searchQuery } from '../lib/questions.ts';
import { type Goods, keywordOf, pickGoods } from '../lib/samples.ts';
import { recordStatements, type Statement } from '../lib/statements.ts';
import { quantile } from '../lib/stats.ts';

const SAMPLES = Number(process.env.SAMPLES ?? 250);
/** Calls before those that count, of each kind: code is compiled by then, and what is kept in memory has been read. */
const WARM = 200;
const EXPLAINED = 50;
const SORTS = ['default', 'priceAsc', 'priceDesc', 'newest', 'default'] as const;

type Ask = (goods: Goods, i: number) => Record<string, string>;

/** The kinds of `calls` (none twice) and the keyword alone of `list`. */
async function kindsOf(ctx: Context): Promise<Record<string, Ask>> {
  const all = await catalogue(ctx);
  return {
    list: (g, i) => listQuery(all, g, i),
    search: searchQuery,
    'keyword alone': (g, i) => ({ keyWord: keywordOf(g.title, 2 + (i % 3)), sort: SORTS[i % 5] ?? 'default' }),
  };
}

/** The processes of a database, and the milliseconds that they have been on a processor. */
function onProcessor(postmaster: number): number {
  let ms = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
      if (parent === String(postmaster))
        ms += Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // It has ended meanwhile.
    }
  return ms;
}

/** Statements that a search sends around its queries. */
const CONTROLS = { begin: 'begin', set: 'set local enable_seqscan = off', commit: 'commit' };

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

async function pagesOf(client: pg.Client, statements: readonly Statement[]): Promise<number> {
  let pages = 0;
  for (const { text, values } of statements) {
    const [control] = /^(?:begin|set|commit)\b/i.exec(text) ?? [];
    if (control !== undefined) {
      await client.query(CONTROLS[control.toLowerCase() as keyof typeof CONTROLS]);
      continue;
    }
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }
  return pages;
}

const mean = (list: readonly number[], digits = 2): number =>
  Number((list.reduce((sum, n) => sum + n, 0) / list.length).toFixed(digits));

async function main(): Promise<void> {
  const market = await filledMarket();
  const { ctx, client, databasePid } = market;
  const app = await createApp(ctx);
  await app.http.ready();
  const recorder = recordStatements();
  const get = async (query: Record<string, string>): Promise<Statement[]> => {
    recorder.take();
    const url = `/api/goods/getGoodsList?${new URLSearchParams({ pageSize: '20', ...query }).toString()}`;
    const response = await app.http.inject({ method: 'GET', url, headers: { host: 'localhost' } });
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`);
    return recorder.take();
  };
  try {
    const kinds = Object.entries(await kindsOf(ctx));
    const goods = await pickGoods(client, (WARM + SAMPLES) * kinds.length);
    await get({ keyWord: '账号', maxPrice: '900000' });
    // The sample of the market (docs/decisions/457) is read meanwhile.
    do await sleep(2000);
    while (recorder.take().some(({ text }) => text.includes('hashint8')));
    let next = 0;
    for (const [kind, ask] of kinds) {
      const of = (): Record<string, string> => ask(goods[(next * 7919) % goods.length] as Goods, next++);
      for (let i = 0; i < WARM; i++) await get(of());
      const spent = { server: [] as number[], database: [] as number[], statements: [] as number[] };
      const pages: number[] = [];
      for (let i = 0; i < SAMPLES; i++) {
        const query = of();
        const [database, server] = [onProcessor(databasePid), process.cpuUsage()];
        const statements = await get(query);
        const { user, system } = process.cpuUsage(server);
        spent.server.push((user + system) / 1000);
        spent.database.push(onProcessor(databasePid) - database);
        spent.statements.push(statements.length);
        if (i < EXPLAINED) pages.push(await pagesOf(client, statements));
      }
      const { server, database, statements } = spent;
      console.log(
        JSON.stringify({
          kind,
          serverMs: mean(server),
          databaseMs: mean(database),
          databaseP95: Number(quantile(database, 0.95).toFixed(1)),
          statements: mean(statements),
          pages: mean(pages, 0),
          pagesP95: quantile(pages, 0.95),
        }),
      );
    }
  } finally {
    recorder.stop();
    await app.http.close();
    await market.close();
  }
}

await main();
