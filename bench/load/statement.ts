/**
 * The statement of an account with many postings: its first page, and a page by time and by order, against one indexed select of the
 * same twenty entries on the same connection, in turn. `npm run bench -- statement`; POSTINGS=1000000 by default.
 */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { account, movements, statement } from '#subjects/ledger/server/service.ts';
import { benchMarket } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';

const POSTINGS = Number(process.env.POSTINGS ?? 1_000_000);
const SAMPLES = Number(process.env.SAMPLES ?? 300);
/** One transaction: a balance that moves more often within one is slow to move. */
const BATCH = 500;
const PAGE = 20;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: 1 });
  const { ctx, env } = market;
  const client = new pg.Client({ connectionString: env.DATABASE_URL, options: '-c jit=off' });
  try {
    const of = account.available(market.buyers[0]?.id ?? 0);
    for (let from = 0; from < POSTINGS; from += BATCH) {
      const count = Math.min(BATCH, POSTINGS - from);
      await sql`select ledger_post((select jsonb_agg(jsonb_build_object('code', 'topup', 'ref', 'statement:' || i, 'debit', 'clearing:sandbox:' || i % 16,
        'credit', ${of}::text, 'fen', 1, 'dist', 1)) from generate_series(${from + 1}::int, ${from + count}::int) i))`.execute(
        ctx.db,
      );
    }
    await client.connect();
    await client.query('analyze ledger_entry, ledger_transfer, ledger_account');
    const bare = () =>
      client.query({
        name: 'bare',
        text: 'select version, delta, balance_after, created_at from ledger_entry where account = $1 order by version desc limit 20',
        values: [of],
      });
    const today = chinaDay(new Date());
    const kinds: Record<string, () => Promise<unknown>> = {
      'first page': () => statement(ctx.db, { account: of, limit: PAGE, offset: 0 }),
      'deep page': () =>
        statement(ctx.db, {
          account: of,
          limit: PAGE,
          offset: 0,
          cursor: Buffer.from(JSON.stringify([Math.floor(POSTINGS / 2)])).toString('base64url'),
        }),
      'by day': () => statement(ctx.db, { account: of, fromDay: today, toDay: today, limit: PAGE, offset: 0 }),
    };
    for (let i = 0; i < 20; i++) for (const work of [bare, ...Object.values(kinds)]) await work();
    for (const [name, work] of Object.entries(kinds)) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let i = 0; i < SAMPLES; i++) {
        theirs.push(await timed(bare));
        ours.push(await timed(work));
      }
      const ratio = median(ours) / median(theirs);
      console.log(
        `${name}: median ${median(ours).toFixed(2)} ms (p95 ${quantile(ours, 0.95).toFixed(2)}), one select ${median(theirs).toFixed(2)} ms, ${ratio.toFixed(2)} times`,
      );
    }
    const sums = await timed(() => movements(ctx.db, of, { fromDay: today, toDay: today }));
    console.log(`sums of ${POSTINGS} entries of one day: ${sums.toFixed(0)} ms`);
  } finally {
    await client.end();
    await market.close();
  }
}

await main();
