import { sql } from 'kysely';
import { staffHolds } from '#server/access/permissions.ts';
import type { Trx } from '#server/db/client.ts';

/** A member of customer service who can take a group. */
export interface FreeStaff {
  id: number;
  imUid: string;
  name: string;
}

interface Rule {
  staffIds: number[];
  keepSame: boolean;
}

/** The first rule that matches an order by game, type and amount; undefined when none does, and then all staff may take it. */
async function ruleFor(trx: Trx, distId: number, orderId: number): Promise<Rule | undefined> {
  const { rows } = await sql<Rule>`
    select r.staff_ids as "staffIds", r.keep_same as "keepSame" from orders o join assignment_rule r
      on r.status = 1 and r.duty = 'trade' and (r.dist_id is null or r.dist_id = ${distId}) and (r.game_id is null or r.game_id = o.game_id)
      and (r.order_types is null or o.type_id = any(r.order_types)) and o.total_fen >= r.min_fen and (r.max_fen is null or o.total_fen < r.max_fen)
    where o.id = ${orderId} order by r.sort, r.id limit 1`.execute(trx);
  return rows[0];
}

/**
 * The member of customer service for a group: `preferredStaffId` if active; else, of the staff that the order's rule names who are on duty,
 * within their shift if the day has one, and below their maximum, the one who served this buyer in the last 30 days (where the rule says
 * so), then the least loaded. `ignoreRule` is for a group that has waited long.
 */
export async function leastLoaded(
  trx: Trx,
  request: { distId: number; orderId: number | null; preferredStaffId: number | null; ignoreRule?: boolean },
): Promise<FreeStaff | undefined> {
  const rule =
    request.orderId === null || request.ignoreRule === true
      ? undefined
      : await ruleFor(trx, request.distId, request.orderId);
  const named = rule && rule.staffIds.length > 0 ? sql`s.id = any(${rule.staffIds}::bigint[])` : sql`true`;
  const knows =
    request.orderId === null || rule?.keepSame === false
      ? sql``
      : sql`exists (select from chat_assignment a join chat_group g on g.id = a.group_id join orders p on p.id = g.order_id
          where a.staff_id = s.id and a.from_at > now() - interval '30 days'
            and p.buyer_id = (select buyer_id from orders where id = ${request.orderId})) desc,`;
  const { rows } = await sql<FreeStaff>`
    select s.id, s.im_uid as "imUid", s.name from staff s
    cross join lateral (select count(*) as n from chat_member m where m.member = s.im_uid and m.is_current and m.left_at is null) l
    where s.status = 1 and (s.dist_id is null or s.dist_id = ${request.distId})
      and (s.id = ${request.preferredStaffId} or (s.on_duty and ${staffHolds(sql`s`, 'chat.serve')} and not ${staffHolds(sql`s`, 'chat.supervise')} and l.n < s.max_chats and ${named} and ${IN_SHIFT}))
    order by (s.id = ${request.preferredStaffId}) desc nulls last, ${knows} l.n, random() limit 1`.execute(trx);
  return rows[0];
}

/** Staff with a shift today (China time) work within it; staff without one work whenever they are on duty. */
const IN_SHIFT = sql`(exists (select from staff_shift h where h.staff_id = s.id and now() between h.starts_at and h.ends_at)
  or not exists (select from staff_shift h where h.staff_id = s.id
    and h.starts_at < (date_trunc('day', now() at time zone 'Asia/Shanghai') + interval '1 day') at time zone 'Asia/Shanghai'
    and h.ends_at > date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'))`;
