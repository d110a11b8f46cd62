import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { post } from './post.ts';
import { account } from './rules.ts';

/** An order's shares that mature at the end of its protection, in fen. */
export interface Maturing {
  distFen: number;
  inviteFen: number;
}

/** The shares of an order that have not matured yet. Stable until the transaction ends when the order is locked. */
export async function loadMaturing(trx: Trx, orderId: number): Promise<Maturing> {
  const { rows } = await sql<Maturing>`
    select coalesce(sum(case when credit like 'dist:%:maturing' then amount_fen when debit like 'dist:%:maturing' then -amount_fen end), 0)::bigint as "distFen",
      coalesce(sum(case when credit like 'user:%:maturing' then amount_fen when debit like 'user:%:maturing' then -amount_fen end), 0)::bigint as "inviteFen"
    from ledger_transfer where order_id = ${orderId}`.execute(trx);
  return rows[0] ?? { distFen: 0, inviteFen: 0 };
}

/** Makes an order's remaining shares available for settlement at the end of its protection. The caller holds the order's lock. */
export async function matureShares(
  trx: Trx,
  order: { id: number; distId: number; inviterId: number | null },
): Promise<void> {
  const { distFen, inviteFen } = await loadMaturing(trx, order.id);
  const same = { ref: `order:${order.id}`, dist: order.distId, order: order.id };
  const lines = [
    {
      ...same,
      code: 'dist_share_mature' as const,
      debit: account.distMaturing(order.distId),
      credit: account.commission(order.distId),
      fen: distFen,
    },
    ...(order.inviterId === null
      ? []
      : [
          {
            ...same,
            code: 'invite_reward_mature' as const,
            debit: account.maturing(order.inviterId),
            credit: account.available(order.inviterId),
            fen: inviteFen,
          },
        ]),
  ].filter((t) => t.fen > 0);
  if (lines.length > 0) await post(trx, lines);
}

const MAX_ROWS = 50;

/** Maturing shares of a distributor or an inviter by order, with the end of the protection (null while it is stopped), soonest first. */
export async function maturingByOrder(
  db: Trx,
  of: { distId: number } | { inviterId: number },
): Promise<{ orderSn: string; fen: number; releaseAt: Date | null }[]> {
  const isDist = 'distId' in of;
  const key = isDist ? account.distMaturing(of.distId) : account.maturing(of.inviterId);
  const isOwner = isDist ? sql`o.dist_id = ${of.distId}` : sql`o.inviter_id = ${of.inviterId}`;
  const { rows } = await sql<{ orderSn: string; fen: number; releaseAt: Date | null }>`
    select o.sn as "orderSn", t.fen, h.release_at as "releaseAt" from hold h join orders o on o.id = h.ref::bigint
    cross join lateral (select sum(case when credit = ${key} then amount_fen when debit = ${key} then -amount_fen end)::bigint as fen
      from ledger_transfer where order_id = o.id) t
    where h.code = 'sale_protection' and h.released_at is null and ${isOwner} and t.fen > 0
    order by h.release_at nulls last, o.id limit ${MAX_ROWS}`.execute(db);
  return rows;
}
