import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/**
 * Paid orders whose event is gone, so that nothing will deliver it again, and how many of them lack an effect of it: the hand-over, the
 * conversation, or the one notice to the seller. Effects do not wait for the disk (docs/decisions/450); none may be missing after a fall.
 */
export async function deliveredEffects(db: Db): Promise<{ n: number; missing: number }> {
  const { rows } = await sql<{ n: number; missing: number }>`
    with gone as (select o.* from orders o where o.status = 1
      and not exists (select from outbox x where x.topic = 'order.paid' and (x.payload->>'orderId')::bigint = o.id)
      and not exists (select from timer j where j.kind = 'event' and j.payload->>'topic' = 'order.paid'
        and (j.payload->'payload'->>'orderId')::bigint = o.id))
    select count(*)::int as n,
      count(*) filter (where g.handover_version is null
        or not exists (select from chat_group c where c.order_id = g.id)
        or (select count(*) from notice n where n.user_id = g.seller_id and n.ref = 'order:' || g.id || ':paid') <> 1)::int as missing
    from gone g`.execute(db);
  return rows[0] ?? { n: 0, missing: 0 };
}
