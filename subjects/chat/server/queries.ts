import { ChatGroupStatus } from '#contract/rules/statuses.ts';
import { CompiledQuery, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { emitted } from '#server/jobs/effect-writer.ts';
import { type Card, LIMITS, OPENING_SEQ, type StoredContent } from './rules.ts';

/** A group with its order's state. status: 1 open, 2 closed. */
export interface GroupRow {
  id: number;
  groupType: number;
  orderId: number | null;
  orderSn: string | null;
  distId: number;
  lastSeq: number;
  status: number;
}

export interface MessageRow {
  groupId: number;
  seq: number;
  uid: string;
  sender: string;
  clientMsgId: string;
  type: 'text' | 'image' | 'recall' | 'card';
  content: StoredContent;
  expansion: { type: 'transfer_order' | 'send_goods' | 'confirm_goods'; orderSn: string } | null;
  recalledAt: Date | null;
  createdAt: Date;
}

export interface MemberRow {
  member: string;
  role: 'buyer' | 'seller' | 'staff' | 'owner';
  isCurrent: boolean;
  readSeq: number;
}

const GROUP = sql`g.id, g.group_type as "groupType", g.order_id as "orderId", o.sn as "orderSn", g.dist_id as "distId",
  g.last_seq as "lastSeq", g.status`;
/** The columns of a message `m`, as MessageRow names them. */
export const messageColumns = sql`m.group_id as "groupId", m.seq, m.uid, m.sender, m.client_msg_id as "clientMsgId", m.type, m.content, m.expansion,
  m.recalled_at as "recalledAt", m.created_at as "createdAt"`;

/** A group by id, for internal use. */
export async function groupById(db: Trx, groupId: number): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${GROUP} from chat_group g left join orders o on o.id = g.order_id where g.id = ${groupId}`.execute(db);
  return rows[0];
}

/** A member's state in a group. */
interface Membership {
  readSeq: number;
  isCurrent: boolean;
  muted: boolean;
}

/** A group of which `member` is a member now, with the member's state; undefined for others. */
export async function loadGroup(
  db: Trx,
  groupId: number,
  member: string,
): Promise<(GroupRow & Membership) | undefined> {
  const { rows } = await sql<GroupRow & Membership>`
    select ${GROUP}, c.read_seq as "readSeq", c.is_current as "isCurrent", c.muted from chat_member c
    join chat_group g on g.id = c.group_id left join orders o on o.id = g.order_id
    where c.group_id = ${groupId} and c.member = ${member} and c.left_at is null`.execute(db);
  return rows[0];
}

/** The group of an order; undefined while there is none. */
export async function groupOfOrder(db: Trx, orderId: number): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${GROUP} from chat_group g join orders o on o.id = g.order_id where g.order_id = ${orderId}`.execute(db);
  return rows[0];
}

/** The present members of a group. */
export async function loadMembers(db: Trx, groupId: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select member, role, is_current as "isCurrent", read_seq as "readSeq" from chat_member
    where group_id = ${groupId} and left_at is null order by role, joined_at`.execute(db);
  return rows;
}

export interface NewMessage {
  groupId: number;
  sender: string;
  clientMsgId: string;
  uid: string;
  type: MessageRow['type'];
  content: StoredContent;
  expansion?: MessageRow['expansion'];
}

export interface Stored {
  seq: number;
  uid: string;
  createdAt: Date;
  /** The client id was stored before; nothing was added. */
  repeated: boolean;
  members: string[];
}

/** The outcome of storing a message: its row, or why it was rejected. */
export type StoreOutcome =
  | ({ outcome: 'stored' | 'repeated' } & Stored)
  | { outcome: 'limited' }
  | { outcome: 'YS301' }
  | { outcome: 'YS302' };

/** Runs a statement with its values: on a dedicated connection or in a transaction. */
export type RunQuery = <T extends object>(text: string, values: readonly unknown[]) => Promise<T[]>;

/** A RunQuery in a transaction. */
export const queryIn =
  (db: Trx): RunQuery =>
  async <T extends object>(text: string, values: readonly unknown[]) =>
    (await db.executeQuery<T>(CompiledQuery.raw(text, [...values]))).rows;

/**
 * Stores messages, each within its sender's rate limit, in one statement; returns the outcomes in the order of `messages`. A rejected
 * message does not affect the others.
 */
export async function storeMessages(runQuery: RunQuery, messages: readonly NewMessage[]): Promise<StoreOutcome[]> {
  const list = messages.map(({ groupId, sender, clientMsgId, uid, type, content }) => {
    return { groupId, sender, clientId: clientMsgId, uid, type, content };
  });
  const rows = await runQuery<{ n: number; outcome: StoreOutcome['outcome'] } & Omit<Stored, 'repeated'>>(
    'select n, verdict as outcome, seq, uid, created_at as "createdAt", members from chat_store($1::jsonb, $2, $3)',
    [JSON.stringify(list), LIMITS.sendsPerWindow, LIMITS.windowSeconds],
  );
  const outcomes = rows.toSorted((a, b) => a.n - b.n);
  if (outcomes.length !== messages.length)
    throw new Error(`chat_store returned ${outcomes.length} rows, expected ${messages.length}`);
  return outcomes.map(({ outcome, seq, uid, createdAt, members }) =>
    outcome === 'stored' || outcome === 'repeated'
      ? { outcome, seq, uid, createdAt, members, repeated: outcome === 'repeated' }
      : { outcome },
  );
}

/** Milliseconds until a member may send again. */
export async function sendBudgetWaitMs(db: Trx, sender: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select greatest(0, extract(epoch from reset_at - now()) * 1000)::int as ms from limit_counter where key = ${`chat:${sender}`}`.execute(
    db,
  );
  return rows[0]?.ms ?? 0;
}

/** A system message; `key` is its client id. */
export interface SystemMessage {
  groupId: number;
  key: string;
  uid: string;
  card: Card;
  expansion?: MessageRow['expansion'];
}

/**
 * Stores system messages in one statement, those of a group in the given order; idempotent by client id. Groups are
 * locked by number, as for users' messages. Returns the results in the order of `messages`.
 */
export async function storeSystemMessages(
  db: Trx,
  messages: readonly SystemMessage[],
): Promise<(Stored & { groupId: number })[]> {
  const byGroup = messages.map((m, n) => ({ ...m, n })).toSorted((a, b) => a.groupId - b.groupId || a.n - b.n);
  const { rows } = await sql<Stored & { groupId: number }>`
    select m."groupId", s.seq, s.uid, s.created_at as "createdAt", s.repeated,
      array(select c.member from chat_member c where c.group_id = m."groupId" and c.left_at is null) as members
    from jsonb_to_recordset(${JSON.stringify(byGroup)}::jsonb)
        as m(n int, "groupId" bigint, key text, uid text, card jsonb, expansion jsonb)
      cross join lateral chat_send(m."groupId", 'system', m.key, m.uid, 'card', m.card, m.expansion) s
    order by m.n`.execute(db);
  if (rows.length !== messages.length)
    throw new Error(`chat_send returned ${rows.length} rows, expected ${messages.length}`);
  return rows;
}

/** Stores a system message; idempotent by client id. */
export async function storeSystem(db: Trx, message: SystemMessage): Promise<Stored> {
  const [stored] = await storeSystemMessages(db, [message]);
  if (!stored) throw new Error('chat_send returned no row');
  return stored;
}

/** Stores the first messages of groups that the same transaction created. */
export async function storeOpenings(
  db: Trx,
  openings: readonly Omit<SystemMessage, 'expansion'>[],
): Promise<(Stored & { groupId: number })[]> {
  const { rows } = await sql<Stored & { groupId: number }>`
    insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content)
    select m."groupId", ${OPENING_SEQ}::bigint, m.uid, 'system', m.key, 'card', m.card
    from jsonb_to_recordset(${JSON.stringify(openings)}::jsonb) as m("groupId" bigint, key text, uid text, card jsonb)
    returning group_id as "groupId", seq, uid, created_at as "createdAt", false as repeated,
      array(select c.member from chat_member c where c.group_id = chat_message.group_id and c.left_at is null) as members`.execute(
    db,
  );
  if (rows.length !== openings.length)
    throw new Error(`insert into chat_message returned ${rows.length} rows, expected ${openings.length}`);
  return rows;
}

/** Up to `limit` messages after a number, oldest first. */
export async function messagesAfter(db: Trx, groupId: number, after: number, limit: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from chat_message m where m.group_id = ${groupId} and m.seq > ${after} order by m.seq limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Up to `limit` messages before a number (the newest without one), oldest first. Costs the same in a group of any length. */
export async function messagesBefore(
  db: Trx,
  groupId: number,
  before: number | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from chat_message m where m.group_id = ${groupId} and m.seq < ${before ?? Number.MAX_SAFE_INTEGER}
    order by m.seq desc limit ${limit}`.execute(db);
  return rows.reverse();
}

/** How far back contact details split over several messages are searched. */
const CONTINUED = { messages: 30, minutes: 5, texts: 8 } as const;

/** The newest texts of a sender in a group that are shown as typed, oldest first, before a number or without the message of a client id. */
export async function textsBefore(
  db: Trx,
  { groupId, sender, clientMsgId, seq }: { groupId: number; sender: string; clientMsgId: string; seq?: number },
): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    select m.content ->> 'content' as content from (
      select * from chat_message where group_id = ${groupId} and seq < coalesce(${seq ?? null}::bigint, 9223372036854775807)
      order by seq desc limit ${CONTINUED.messages}) m
    where m.sender = ${sender} and m.type = 'text' and m.client_msg_id <> ${clientMsgId} and m.recalled_at is null
      and m.content ->> 'content' is not null and m.content -> 'masked' is null
      and m.created_at > now() - ${CONTINUED.minutes} * interval '1 minute'
    order by m.seq desc limit ${CONTINUED.texts}`.execute(db);
  return rows.map(({ content }) => content).reverse();
}

/** Replaces the text of a just stored message by its masked form. */
export async function maskStored(db: Trx, groupId: number, seq: number, content: StoredContent): Promise<void> {
  await sql`update chat_message set content = ${JSON.stringify(content)}::jsonb where group_id = ${groupId} and seq = ${seq}`.execute(
    db,
  );
}

/** Messages by group and number, in that order. */
export async function messagesAt(db: Trx, at: readonly { groupId: number; seq: number }[]): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from unnest(${at.map((a) => a.groupId)}::bigint[], ${at.map((a) => a.seq)}::bigint[]) as w(g, s)
    join chat_message m on m.group_id = w.g and m.seq = w.s order by m.group_id, m.seq`.execute(db);
  return rows;
}

/** The newest message of each of these groups of which `member` is a member. */
export async function loadNewest(db: Trx, member: string, groupIds: readonly number[]): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from chat_member c join chat_group g on g.id = c.group_id
    join chat_message m on m.group_id = g.id and m.seq = g.last_seq
    where c.member = ${member} and c.left_at is null and c.group_id = any(${[...groupIds]}::bigint[])`.execute(db);
  return rows;
}

/** Marks a member's own recent message as recalled; its uid, or undefined when there is none. */
export async function markRecalled(db: Trx, groupId: number, seq: number, sender: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    update chat_message set recalled_at = now()
    where group_id = ${groupId} and seq = ${seq} and sender = ${sender} and type in ('text', 'image') and recalled_at is null
      and created_at > now() - make_interval(secs => ${LIMITS.recallSeconds}) returning uid`.execute(db);
  return rows[0]?.uid;
}

/** Moves a member's read position forward, never beyond the last message. Returns the position and the unread count; undefined for an outsider. */
export async function markRead(
  db: Trx,
  groupId: number,
  member: string,
  seq: number,
): Promise<{ readSeq: number; unread: number; members: string[] } | undefined> {
  const { rows } = await sql<{ readSeq: number; unread: number; members: string[] }>`
    update chat_member c set read_seq = greatest(c.read_seq, least(${seq}::bigint, g.last_seq)) from chat_group g
    where g.id = c.group_id and c.group_id = ${groupId} and c.member = ${member} and c.left_at is null
    returning c.read_seq as "readSeq", g.last_seq - c.read_seq as unread,
      array(select o.member from chat_member o where o.group_id = c.group_id and o.left_at is null) as members`.execute(
    db,
  );
  return rows[0];
}

/** Unread messages of a member's newest groups, or of the given ones. */
export async function loadUnread(
  db: Trx,
  member: string,
  groupIds: readonly number[] | undefined,
): Promise<{ groupId: number; unread: number; muted: boolean; lastAt: Date | null }[]> {
  const named = groupIds === undefined ? sql`true` : sql`c.group_id = any(${[...groupIds]})`;
  const { rows } = await sql<{ groupId: number; unread: number; muted: boolean; lastAt: Date | null }>`
    select c.group_id as "groupId", greatest(g.last_seq - c.read_seq, 0)::int as unread, c.muted, m.created_at as "lastAt"
    from chat_member c join chat_group g on g.id = c.group_id
    left join chat_message m on m.group_id = g.id and m.seq = g.last_seq
    where c.member = ${member} and c.left_at is null and ${named} order by c.group_id desc limit ${LIMITS.groupsCounted}`.execute(
    db,
  );
  return rows;
}

/** Which of these members are connected to a gateway with a recent heartbeat. */
export async function onlineAmong(db: Trx, members: readonly string[]): Promise<Set<string>> {
  if (members.length === 0) return new Set();
  const { rows } = await sql<{ member: string }>`
    select distinct p.member from chat_presence p join chat_gateway n on n.node = p.node
    where p.member = any(${[...members]}) and n.seen_at > now() - make_interval(secs => ${LIMITS.gatewaySilenceSeconds})`.execute(
    db,
  );
  return new Set(rows.map((r) => r.member));
}

/**
 * Marks the absent buyer or seller as reminded of `sender`'s messages, and publishes the event. Not again until they
 * have read past the last reminder.
 */
export async function remindAbsent(db: Trx, groupId: number, sender: string): Promise<number> {
  const fields = { groupId, orderId: sql`r.order_id`, userId: sql`r.member::bigint`, seq: sql`r.last_seq` };
  const offline = emitted('chat.offline', fields, sql`from reminded r`);
  const { rows } = await sql<{ n: number }>`
    with reminded as (
      update chat_member c set reminded_seq = g.last_seq from chat_group g
      where g.id = c.group_id and g.id = ${groupId} and g.status = ${sql.lit(ChatGroupStatus.Open)} and c.member <> ${sender} and c.role in ('buyer', 'seller', 'owner')
        and c.left_at is null and not c.muted and c.read_seq < g.last_seq and c.reminded_seq <= c.read_seq
        and exists (select from chat_message m where m.group_id = g.id and m.seq > c.read_seq and m.sender = ${sender})
        and not exists (select from chat_presence p join chat_gateway n on n.node = p.node
          where p.member = c.member and n.seen_at > now() - make_interval(secs => ${LIMITS.gatewaySilenceSeconds}))
      returning c.member, g.last_seq, g.order_id),
    told as (${offline} returning id)
    select count(*)::int as n from told`.execute(db);
  return rows[0]?.n ?? 0;
}
