import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/guarantees/contract/guarantee.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { rateText } from '#contract/rules/fee.ts';
import { claimReasons } from '../rules/guarantee.ts';
import type { Call } from '#server/access/call.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { storeMeasured } from '#subjects/settings/server/service.ts';
import { catalogue, type MeasuredRate } from '#subjects/games/server/service.ts';
import { claimWhere } from './queries.ts';
import { claimName, measuredRate } from './rules.ts';
import { clockOf } from './view.ts';

type Fund = HandlerResult<typeof c.guaranteeFund>;

/** Months in the public report. */
const MONTHS = 12;
const FUND_TTL_MS = 30_000;
const fundCache = cacheKind('guarantees.fund', () => new TtlCache<Fund>({ ttlMs: FUND_TTL_MS, max: 1 }));

/** Recomputes the figures by month and game from covers and claims; run daily and by the seed. */
export async function refreshMonths(db: Db): Promise<void> {
  await sql`
    insert into guarantee_month (month, game_id, covers, premium_fen, claims, paid, paid_fen, refused, recovered, median_hours, refusals, made_at)
    with moment as (
      select date_trunc('month', c.starts_at at time zone 'Asia/Shanghai')::date as month, o.game_id, 1 as covers, c.premium_fen, 0 as claims, 0 as paid,
        0::bigint as paid_fen, 0 as refused, 0 as recovered, null::numeric as hours, null::text as refusal
      from guarantee_cover c join orders o on o.id = c.order_id where c.starts_at is not null and c.status <> 'void' and o.game_id is not null
      union all
      select date_trunc('month', k.opened_at at time zone 'Asia/Shanghai')::date, o.game_id, 0, 0, 1, (k.status = 'paid')::int, k.paid_fen,
        (k.status = 'refused')::int, (k.status = 'recovered')::int, extract(epoch from k.decided_at - k.opened_at) / 3600,
        case when k.status = 'refused' then split_part(k.refusal, '：', 1) end
      from guarantee_claim k join orders o on o.id = k.order_id where o.game_id is not null)
    select m.month, m.game_id, sum(m.covers), sum(m.premium_fen), sum(m.claims), sum(m.paid), sum(m.paid_fen), sum(m.refused), sum(m.recovered),
      round(percentile_cont(0.5) within group (order by m.hours))::int,
      coalesce((select jsonb_object_agg(r.refusal, r.n) from (select x.refusal, count(*) as n from moment x
        where x.month = m.month and x.game_id = m.game_id and x.refusal is not null group by 1) r), '{}'), now()
    from moment m group by m.month, m.game_id
    on conflict (month, game_id) do update set covers = excluded.covers, premium_fen = excluded.premium_fen, claims = excluded.claims,
      paid = excluded.paid, paid_fen = excluded.paid_fen, refused = excluded.refused, recovered = excluded.recovered,
      median_hours = excluded.median_hours, refusals = excluded.refusals, made_at = excluded.made_at`.execute(db);
}

/** Computes each tier's rate for each game from the last 180 days and puts changed rates in force. */
export async function refreshRates(ctx: Context): Promise<void> {
  const { rows } = await sql<{ gameId: number; tierId: number; covers: number; pricesFen: number; paidFen: number }>`
    select o.game_id as "gameId", c.tier_id as "tierId", count(*)::int as covers, sum(c.price_fen)::bigint as "pricesFen",
      coalesce(sum((select sum(k.paid_fen) from guarantee_claim k where k.cover_id = c.id)), 0)::bigint as "paidFen"
    from guarantee_cover c join orders o on o.id = c.order_id
    where c.starts_at > now() - interval '180 days' and c.status <> 'void' and o.game_id is not null group by 1, 2 order by 1, 2`.execute(
    ctx.db,
  );
  const tiers = new Map(ctx.dir.tiers().map((g) => [g.id, g]));
  const rates: Record<string, Record<string, MeasuredRate>> = {};
  for (const row of rows) {
    const tier = tiers.get(row.tierId);
    const rate = tier && measuredRate(tier.bp, row);
    if (rate) rates[row.gameId] = { ...rates[row.gameId], [row.tierId]: rate };
  }
  await storeMeasured(ctx, 'guarantee_rates', rates);
}

interface Totals {
  balance: number;
  covers: number;
  insured: number;
  premiums: number;
  paidCount: number;
  paidTotal: number;
  refusedCount: number;
  recoveredCount: number;
  medianHours: number | null;
}

async function totals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select coalesce((select sum(balance) from ledger_account where key like 'platform:guarantee_fund:%'), 0)::bigint as balance,
      (select count(*)::int from guarantee_cover where status in ('active', 'claimed')) as covers,
      (select coalesce(sum(payout_max_fen), 0)::bigint from guarantee_cover where status in ('active', 'claimed')) as insured,
      (select coalesce(sum(premium_fen), 0)::bigint from guarantee_cover where starts_at is not null and status <> 'void') as premiums,
      count(*) filter (where status = 'paid')::int as "paidCount", coalesce(sum(paid_fen), 0)::bigint as "paidTotal",
      count(*) filter (where status = 'refused')::int as "refusedCount", count(*) filter (where status = 'recovered')::int as "recoveredCount",
      round(percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at) / 3600)
        filter (where status in ('paid', 'refused', 'recovered')))::int as "medianHours"
    from guarantee_claim`.execute(db);
  return (
    rows[0] ?? {
      balance: 0,
      covers: 0,
      insured: 0,
      premiums: 0,
      paidCount: 0,
      paidTotal: 0,
      refusedCount: 0,
      recoveredCount: 0,
      medianHours: null,
    }
  );
}

async function months(db: Db): Promise<Fund['months']> {
  const { rows } = await sql<Fund['months'][number]>`
    select to_char(month, 'YYYY-MM') as month, sum(covers)::int as covers, sum(premium_fen)::bigint as premium, sum(claims)::int as claims,
      sum(paid)::int as paid, sum(paid_fen)::bigint as "paidTotal", sum(refused)::int as refused,
      round(avg(median_hours))::int as "medianHours"
    from guarantee_month group by month order by month desc limit ${MONTHS}`.execute(db);
  return rows;
}

async function loadRates(ctx: Context): Promise<Fund['rates']> {
  const rates = ctx.dir.setting('guarantee_rates');
  const all = await catalogue(ctx);
  const tiers = ctx.dir.tiers();
  return Object.entries(rates).flatMap(([gameId, ofGame]) =>
    tiers.flatMap((g) => {
      const rate = ofGame[String(g.id)];
      const gameName = all.game(Number(gameId))?.name;
      return rate && gameName
        ? [{ gameName, tierName: g.name, rateText: rateText(rate.bp), reasons: rate.reasons }]
        : [];
    }),
  );
}

/** The public report of the fund, cached for 30 seconds. */
export async function loadFund({ ctx }: Call): Promise<Fund> {
  return await cacheOf(ctx, fundCache).get('', async () => await readFund(ctx));
}

async function readFund(ctx: Context): Promise<Fund> {
  const now = new Date();
  const [sums, byMonth, running, closed, rates] = await Promise.all([
    totals(ctx.db),
    months(ctx.db),
    claimWhere(ctx.db, sql`c.status in ('checking', 'chasing', 'escalated')`, sql`order by c.opened_at limit 20`),
    claimWhere(ctx.db, sql`c.status in ('paid', 'refused', 'recovered')`, sql`order by c.decided_at desc limit 20`),
    loadRates(ctx),
  ]);
  return {
    ...sums,
    months: byMonth,
    running: running.map((k) => ({
      claimSn: `${k.sn.slice(0, 3)}****${k.sn.slice(-4)}`,
      gameName: k.snapshot.gameName,
      tierName: k.terms.name,
      reasonName: claimReasons[k.reason].name,
      asked: k.askedFen,
      statusName: claimName(k.status),
      // The claimant's own text is private: the public sees only the kind of entry.
      clock: { ...clockOf(k, now), lastAction: publicAction(k.lastText) },
    })),
    closed: closed.map((k) => ({
      gameName: k.snapshot.gameName,
      tierName: k.terms.name,
      reasonName: claimReasons[k.reason].name,
      result: k.status === 'refused' ? (k.refusal ?? '').split('：')[0] || claimName(k.status) : claimName(k.status),
      paid: k.paidFen > 0 ? k.paidFen : null,
      hours: Math.max(1, Math.round(((k.decidedAt ?? now).getTime() - k.openedAt.getTime()) / 3_600_000)),
      day: chinaDay(k.decidedAt ?? now),
    })),
    rates,
  };
}

const publicAction = (text: string): string => text.split('：')[0] ?? '';
