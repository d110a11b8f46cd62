import { SERVICE_GROUP } from '#subjects/chat/rules/group-type.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { serviceState } from '#subjects/chat/contract/im-service.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { ChatGroupStatus, GoodsStatus, StaffStatus } from '#contract/rules/statuses.ts';
import type { Context } from '#server/context.ts';
import type { UserCall } from '#server/access/call.ts';
import { staffHolds } from '#server/access/permissions.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { reschedule, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { pageUrlOf } from '#subjects/goods/server/service.ts';
import { leastLoaded } from './assign.ts';
import { groupById, type MessageRow, storeOpenings } from '../queries.ts';
import { NOTHING_READ, previewText, serviceEndedCard, serviceOpenedCard, serviceTopicCard } from '../rules.ts';
import { assignGroup, closeGroup, enqueue, newUid, publishGroupChange, systemMessage } from './groups.ts';

/** A conversation without a message for this long ends automatically. */
const IDLE_SECONDS = 3 * 86_400;
const LISTED = 30;

interface Topic {
  id: number;
  sn: string;
  title: string;
}

/** The listing that a user asks about. Throws GOODS_NOT_FOUND for one that this distributor does not show. */
async function loadTopic({ ctx, dist }: UserCall, goodsSn: string): Promise<Topic> {
  const { rows } = await sql<Topic & { gameId: number }>`
    select id, sn, title, game_id as "gameId" from goods
    where sn = ${goodsSn} and status not in (${GoodsStatus.Draft}, ${GoodsStatus.Reviewing}, ${GoodsStatus.Removed})`.execute(
    ctx.db,
  );
  const row = rows[0];
  if (!row || !showsGame(dist, row.gameId) || !(await catalogue(ctx)).game(row.gameId))
    throw new AppError('GOODS_NOT_FOUND');
  return { id: row.id, sn: row.sn, title: row.title };
}

async function loadOpenGroup(db: Trx, userId: number, distId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from chat_group where user_id = ${userId} and dist_id = ${distId} and group_type = ${sql.lit(SERVICE_GROUP)} and status = ${ChatGroupStatus.Open}`.execute(
    db,
  );
  return rows[0]?.id;
}

/**
 * The user's open conversation with customer service, created when there is none, with the first card and a member of staff or a place in
 * the queue. Of concurrent calls one creates it. A given listing is posted as a card, once, and displayed next to the
 * conversation. Throws GOODS_NOT_FOUND.
 */
export async function openServiceGroup(call: UserCall, goodsSn: string | undefined): Promise<number> {
  const { ctx, user, dist } = call;
  const topic = goodsSn === undefined ? undefined : await loadTopic(call, goodsSn);
  const groupId = (await loadOpenGroup(ctx.db, user.id, dist.id)) ?? (await create(ctx, user.id, dist.id));
  if (topic) {
    await sql`update chat_group set goods_id = ${topic.id} where id = ${groupId}`.execute(ctx.db);
    await systemMessage(ctx, groupId, { key: `topic-${topic.id}`, card: serviceTopicCard(topic.title, topic.sn) });
  }
  return groupId;
}

async function create(ctx: Context, userId: number, distId: number): Promise<number> {
  const made = await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      with opened as (insert into chat_group (group_type, user_id, dist_id) values (${sql.lit(SERVICE_GROUP)}, ${userId}, ${distId})
        on conflict (user_id, dist_id) where group_type = ${sql.lit(SERVICE_GROUP)} and status = ${sql.lit(ChatGroupStatus.Open)} do nothing returning id),
      members as (insert into chat_member (group_id, member, role, read_seq, reminded_seq)
        select id, ${String(userId)}, 'owner', ${NOTHING_READ}::int, ${NOTHING_READ}::int from opened)
      select id from opened`.execute(trx);
    const id = rows[0]?.id;
    // A concurrent call was first: the insert waited for its commit.
    if (id === undefined) return { id: await loadOpenGroup(trx, userId, distId), stored: undefined };
    const staff = await leastLoaded(trx, { distId, orderId: null, preferredStaffId: null });
    if (staff) await assignGroup(trx, { id, orderId: null }, staff, { reason: 'auto', by: null });
    else await enqueue(trx, [{ id, distId }]);
    await schedule(trx, 'chat.close', id, { seconds: IDLE_SECONDS });
    const card = serviceOpenedCard(staff?.name ?? null);
    const [stored] = await storeOpenings(trx, [{ groupId: id, key: 'service.opened', uid: newUid(), card }]);
    return { id, stored };
  });
  // It was closed between the two reads of a call that lost the race.
  if (made.id === undefined) throw new AppError('BUSY', { text: '请再试一次', retryAfterSeconds: 1 });
  if (made.stored) publishGroupChange(ctx, made.id, made.stored, []);
  return made.id;
}

/** Ends a conversation without an order; does nothing for one with an order or one that has ended. */
export async function endService(ctx: Context, groupId: number): Promise<void> {
  const group = await groupById(ctx.db, groupId);
  if (group?.orderId !== null || group.status !== ChatGroupStatus.Open) return;
  await closeGroup(ctx, groupId, { key: 'closed', card: serviceEndedCard });
}

/** Ends a conversation without a message for three days; checks again three days after the last one. */
export async function closeIdleService(ctx: Context, groupId: number): Promise<void> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(created_at) + make_interval(secs => ${IDLE_SECONDS}) - now()))::int as seconds
    from chat_message where group_id = ${groupId}`.execute(ctx.db);
  const seconds = rows[0]?.seconds ?? 0;
  if (seconds > 0) await reschedule(ctx.db, 'chat.close', groupId, { seconds });
  else await endService(ctx, groupId);
}

interface OpenRow {
  id: number;
  staffName: string | null;
  ahead: number | null;
  goodsSn: string | null;
  typeId: number;
  title: string;
  priceFen: number;
  goodsStatus: number;
}

async function openRow(db: Trx, userId: number, distId: number): Promise<OpenRow | undefined> {
  const { rows } = await sql<OpenRow>`
    select g.id, f.name as "staffName", t.sn as "goodsSn", coalesce(t.type_id, 0) as "typeId", coalesce(t.title, '') as title,
      coalesce(t.price_fen, 0) as "priceFen", coalesce(t.status, 0) as "goodsStatus",
      case when q.group_id is not null then (select count(*) from service_queue b where b.dist_id = q.dist_id and b.since < q.since)::int end as ahead
    from chat_group g left join goods t on t.id = g.goods_id
    left join chat_member n on n.group_id = g.id and n.is_current and n.left_at is null left join staff f on f.im_uid = n.member
    left join service_queue q on q.group_id = g.id
    where g.user_id = ${userId} and g.dist_id = ${distId} and g.group_type = ${sql.lit(SERVICE_GROUP)} and g.status = ${ChatGroupStatus.Open}`.execute(
    db,
  );
  return rows[0];
}

async function loadShifts(db: Trx, distId: number): Promise<{ onDuty: number; next: Date | null }> {
  const { rows } = await sql<{ onDuty: number; next: Date | null }>`
    select count(*) filter (where s.on_duty)::int as "onDuty",
      min((select min(h.starts_at) from staff_shift h where h.staff_id = s.id and h.starts_at > now())) as next
    from staff s where s.status = ${sql.lit(StaffStatus.Active)} and (s.dist_id is null or s.dist_id = ${distId})
      and ${staffHolds(sql`s`, 'chat.serve')} and not ${staffHolds(sql`s`, 'chat.supervise')}`.execute(db);
  const row = rows[0] ?? { onDuty: 0, next: null };
  return { onDuty: row.onDuty, next: row.onDuty > 0 ? null : row.next };
}

interface ListRow {
  id: number;
  closed: boolean;
  title: string | null;
  type: MessageRow['type'] | null;
  content: MessageRow['content'] | null;
  recalled: boolean;
  at: Date;
  unread: number;
}

async function loadList(db: Trx, userId: number, distId: number): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select g.id, g.status <> ${ChatGroupStatus.Open} as closed, t.title, m.type, m.content, m.recalled_at is not null as recalled,
      coalesce(m.created_at, g.created_at) as at, greatest(g.last_seq - c.read_seq, 0)::int as unread
    from chat_group g join chat_member c on c.group_id = g.id and c.member = ${String(userId)} and c.left_at is null
    left join goods t on t.id = g.goods_id left join chat_message m on m.group_id = g.id and m.seq = g.last_seq
    where g.user_id = ${userId} and g.dist_id = ${distId} and g.group_type = ${sql.lit(SERVICE_GROUP)} order by g.id desc limit ${LISTED}`.execute(
    db,
  );
  return rows;
}

/** The caller's conversations with customer service at this distributor, newest first, and the state of the open one. */
export async function loadServiceState({ ctx, user, dist }: UserCall): Promise<HandlerResult<typeof serviceState>> {
  const [open, shifts, list] = await Promise.all([
    openRow(ctx.db, user.id, dist.id),
    loadShifts(ctx.db, dist.id),
    loadList(ctx.db, user.id, dist.id),
  ]);
  return {
    open: open
      ? {
          groupId: String(open.id),
          staffName: open.staffName,
          ahead: open.ahead,
          goods:
            open.goodsSn === null
              ? null
              : {
                  goodsSn: open.goodsSn,
                  title: open.title,
                  pageUrl: pageUrlOf({ sn: open.goodsSn, typeId: open.typeId }),
                  price: open.priceFen,
                  statusName: offerStatusName(open.goodsStatus),
                },
        }
      : null,
    onDuty: shifts.onDuty,
    nextShift: shifts.next,
    list: list.map((row) => ({
      groupId: String(row.id),
      closed: row.closed,
      title: row.title === null ? '咨询客服' : `咨询：${row.title}`,
      lastText: previewText(row),
      lastTime: row.at,
      unread: row.unread,
    })),
  };
}
