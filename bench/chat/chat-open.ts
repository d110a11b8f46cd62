/**
 * Cost of opening a conversation in a group of 100 messages and in one of 100,000, alternating in one run: the newest page and the
 * members, as the page requests both, then a page from the middle and the messages after it. The result is the ratio of the two. `npm
 * run bench -- chat-open`.
 */
import { sql } from 'kysely';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { type BenchMarket, type Buyer, benchMarket } from '../lib/market.ts';
import { median, quantile } from '../lib/stats.ts';

const PORT = 31_964;
const MEMBERS = 40;
/** Per size and kind; a user may make 300 chat requests a minute. */
const TIMES = Number(process.env.TIMES ?? 400);
const SIZES = { small: 100, large: Number(process.env.MESSAGES ?? 100_000) } as const;
type Size = keyof typeof SIZES;
const KINDS = ['open', 'older', 'missed'] as const;
type Kind = (typeof KINDS)[number];

async function groupOf({ ctx, buyers }: BenchMarket, messages: number): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    insert into chat_group (group_type, dist_id, last_seq) values (2, 1, ${messages}) returning id`.execute(ctx.db);
  const id = rows[0]?.id ?? 0;
  const members = buyers.map((one) => String(one.id));
  await sql`insert into chat_member (group_id, member, role) select ${id}, unnest(${members}::text[]), 'owner'`.execute(
    ctx.db,
  );
  await sql`insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
    select ${id}, n, ${id} || '-' || n, (${members}::text[])[1 + n % ${members.length}], 'b-' || n, 'text',
      jsonb_build_object('content', '这是一条普通长度的聊天消息，没有别的内容，第 ' || n)
    from generate_series(0, ${messages}::int) n`.execute(ctx.db);
  return String(id);
}

async function get({ headers }: Buyer, path: string): Promise<void> {
  const response = await fetch(`http://localhost:${PORT}/api/im/${path}`, { headers });
  const { code, msg } = (await response.json()) as { code: number; msg: string };
  if (code !== 0) throw new Error(`${path}: ${msg}`);
}

/** Runs one request for a group and returns its duration in ms. */
async function took(kind: Kind, who: Buyer, groupId: string, messages: number): Promise<number> {
  const half = Math.floor(messages / 2);
  const started = performance.now();
  if (kind === 'open')
    await Promise.all([get(who, `history?groupId=${groupId}`), get(who, `groupInfo?groupId=${groupId}`)]);
  else await get(who, `history?groupId=${groupId}&${kind === 'older' ? 'before' : 'after'}=${half}`);
  return performance.now() - started;
}

async function main(): Promise<void> {
  const market = await benchMarket({ buyers: MEMBERS });
  await sql`insert into dist_host (dist_id, host) values (1, 'localhost') on conflict do nothing`.execute(
    market.ctx.db,
  );
  const groups: Record<Size, string> = {
    small: await groupOf(market, SIZES.small),
    large: await groupOf(market, SIZES.large),
  };
  await sql`analyze chat_message, chat_member, chat_group`.execute(market.ctx.db);
  const server = serverProcess(PORT, market.env, 'tests/support/servers/api-main.ts');
  await server.start();
  const times: Record<Kind, Record<Size, number[]>> = {
    open: { small: [], large: [] },
    older: { small: [], large: [] },
    missed: { small: [], large: [] },
  };
  const warm = Math.ceil(TIMES / 8);
  for (let i = -warm; i < TIMES; i++) {
    const who = market.buyers[(i + warm) % MEMBERS];
    if (!who) continue;
    // One after the other, and each first as often as the other, so that noise falls on both.
    const order: Size[] = i % 2 === 0 ? ['small', 'large'] : ['large', 'small'];
    for (const kind of KINDS)
      for (const size of order) {
        const ms = await took(kind, who, groups[size], SIZES[size]);
        if (i >= 0) times[kind][size].push(ms);
      }
  }
  const figures = KINDS.map((kind) => {
    const { small, large } = times[kind];
    const round = (value: number): number => Number(value.toFixed(2));
    const p99 = { small: round(quantile(small, 0.99)), large: round(quantile(large, 0.99)) };
    const p50 = { small: round(median(small)), large: round(median(large)) };
    return [kind, { p50Ms: p50, p99Ms: p99, ratio: round(median(large) / median(small)) }];
  });
  console.log(JSON.stringify({ messages: SIZES, times: TIMES, ...Object.fromEntries(figures) }));
  await server.kill();
  await market.close();
}

await main();
process.exit(0);
