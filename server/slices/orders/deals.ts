import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { decodeMoment, encodeCursor } from '#server/kernel/cursor.ts';

interface DealRow {
  id: number;
  game_id: number;
  game_name: string;
  type_id: number;
  title: string;
  area: string;
  unit_price_fen: number;
  buyer: string;
  completed_at: Date;
}

/** First and last character of a nickname; a short one shows its first only. */
const maskName = (name: string): string =>
  name.length > 2 ? `${name.charAt(0)}**${name.charAt(name.length - 1)}` : `${name.charAt(0)}**`;

/** To ten minutes: a deal cannot be matched with a person by its second (reliability.md b.46). */
const rounded = (at: Date): Date => new Date(Math.floor(at.getTime() / 600_000) * 600_000);

/** Completed deals of the games that a site shows, newest first; masked and rounded, no order numbers. */
export async function deals(
  db: Db,
  q: { games: readonly number[] | null; gameId?: number | undefined; limit: number; cursor?: string | undefined },
) {
  const from = decodeMoment(q.cursor);
  const { rows } = await sql<DealRow>`
    select o.id, o.game_id, o.snapshot->>'gameName' as game_name, o.type_id, o.snapshot->>'title' as title,
      concat_ws(' ', nullif(o.snapshot->>'areaName', ''), nullif(o.snapshot->>'serverName', '')) as area, o.unit_price_fen, b.nick_name as buyer, o.completed_at
    from orders o join app_user b on b.id = o.buyer_id
    where o.status = 3 ${q.games ? sql`and o.game_id = any(${[...q.games]})` : sql``} ${q.gameId === undefined ? sql`` : sql`and o.game_id = ${q.gameId}`}
      ${from ? sql`and (o.completed_at, o.id) < (${new Date(from[0])}, ${from[1]})` : sql``}
    order by o.completed_at desc, o.id desc limit ${q.limit + 1}`.execute(db);
  const shown = rows.slice(0, q.limit);
  const last = shown.at(-1);
  return {
    list: shown.map((r) => ({
      gameId: r.game_id,
      gameName: r.game_name,
      orderTypeId: r.type_id,
      title: r.title,
      areaName: r.area,
      price: r.unit_price_fen,
      buyer: maskName(r.buyer),
      dealTime: rounded(r.completed_at),
    })),
    next: rows.length > q.limit && last ? encodeCursor([last.completed_at.toISOString(), last.id]) : null,
  };
}

export interface SiteCounts {
  escrowTotal: number;
  disputeRate30: number;
  averageShipMinutes: number | null;
  claimsPaid: number;
  dealsToday: number;
}

const KEPT_MS = 30_000;
let kept: { at: number; counts: SiteCounts } | undefined;

/** Figures of the whole market's trade for the home page, kept for half a minute. Amounts in fen. */
export async function siteCounts(db: Db): Promise<SiteCounts> {
  if (kept && performance.now() - kept.at < KEPT_MS) return kept.counts;
  const { rows } = await sql<SiteCounts>`
    select (select coalesce(sum(total_fen), 0)::bigint from orders where status in (1, 2)) as "escrowTotal",
      (select coalesce(round(100.0 * count(*) filter (where disputed) / nullif(count(*), 0), 2), 0)::float8 from orders
        where created_at > now() - interval '30 days' and paid_at is not null) as "disputeRate30",
      (select round(extract(epoch from avg(shipped_at - paid_at)) / 60)::int from orders where shipped_at > now() - interval '30 days' and paid_at is not null) as "averageShipMinutes",
      (select count(*) from ledger_transfer where code = 'claim_paid') as "claimsPaid",
      (select count(*) from orders where status = 3 and completed_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai') as "dealsToday"`.execute(
    db,
  );
  const counts = rows[0];
  if (!counts) throw new Error('no counts');
  kept = { at: performance.now(), counts };
  return counts;
}
