import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Who of customer service takes a group. */
export interface FreeStaff {
  id: number;
  imUid: string;
  name: string;
}

interface Rule {
  staffIds: number[];
  keepSame: boolean;
}

/** The first rule that fits an order, by game, kind and amount; undefined when none does, and everybody may take it. */
async function ruleFor(trx: Trx, distId: number, orderId: number): Promise<Rule | undefined> {
  const { rows } = await sql<Rule>`
    select r.staff_ids as "staffIds", r.keep_same as "keepSame" from orders o join assignment_rule r
      on r.status = 1 and r.duty = 'trade' and (r.dist_id is null or r.dist_id = ${distId}) and (r.game_id is null or r.game_id = o.game_id)
      and (r.order_types is null or o.type_id = any(r.order_types)) and o.total_fen >= r.min_fen and (r.max_fen is null or o.total_fen < r.max_fen)
    where o.id = ${orderId} order by r.sort, r.id limit 1`.execute(trx);
  return rows[0];
}

/**
 * The member of customer service who takes a group: `wished` before all others while they still work here; else of those whom the
 * order's rule names, on duty, within their shift where the day has one for them, and with room, the one who had this buyer in the
 * last 30 days (when the rule says so), then the least loaded. `anybody` sets the rule aside, for a group that has waited long.
 */
export async function leastLoaded(
  trx: Trx,
  ask: { distId: number; orderId: number | null; wished: number | null; anybody?: boolean },
): Promise<FreeStaff | undefined> {
  const rule = ask.orderId === null || ask.anybody === true ? undefined : await ruleFor(trx, ask.distId, ask.orderId);
  const named = rule && rule.staffIds.length > 0 ? sql`s.id = any(${rule.staffIds}::bigint[])` : sql`true`;
  const knows =
    ask.orderId === null || rule?.keepSame === false
      ? sql``
      : sql`exists (select from chat_assignment a join chat_group g on g.id = a.group_id join orders p on p.id = g.order_id
          where a.staff_id = s.id and a.from_at > now() - interval '30 days'
            and p.buyer_id = (select buyer_id from orders where id = ${ask.orderId})) desc,`;
  const { rows } = await sql<FreeStaff>`
    select s.id, s.im_uid as "imUid", s.name from staff s
    cross join lateral (select count(*) as n from chat_member m where m.member = s.im_uid and m.is_current and m.left_at is null) l
    where s.status = 1 and (s.dist_id is null or s.dist_id = ${ask.distId})
      and (s.id = ${ask.wished} or (s.on_duty and s.role = 'service' and l.n < s.max_chats and ${named} and ${IN_SHIFT}))
    order by (s.id = ${ask.wished}) desc nulls last, ${knows} l.n, random() limit 1`.execute(trx);
  return rows[0];
}

/** Who has a shift on this day of China's calendar works within it; who has none works whenever on duty. */
const IN_SHIFT = sql`(exists (select from staff_shift h where h.staff_id = s.id and now() between h.starts_at and h.ends_at)
  or not exists (select from staff_shift h where h.staff_id = s.id
    and h.starts_at < (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day') at time zone 'Asia/Shanghai'
    and h.ends_at > date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'))`;
