import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { noticeList, noticeSettings, saveNoticeSettings } from '#contract/comm-more.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ringBells } from '#server/slices/chat/service.ts';
import * as q from './queries.ts';
import { channelsOf, dueAt, type Channel, type Values, wordsOf } from './rules.ts';

/** Something to tell people. */
export interface Telling {
  /** A row of notice_kind with a text in notice_template. */
  kind: string;
  userIds: readonly number[];
  /** What it is about. Telling somebody of the same kind and ref again does nothing, so events may repeat. */
  ref: string;
  /** What fills the marks of the text. */
  values: Values;
  /** Takes the place of the text's own link; inside the site. */
  link?: string | undefined;
  /** The site on which it happened; without it the one where the person registered. */
  distId?: number | undefined;
  /** Of the closing itself: reaches the owner of a closed account as long as it is not erased. */
  toClosed?: boolean | undefined;
}

/** Wakes the sender at a moment, or earlier if it is to wake earlier anyway. */
export async function wakeSender(db: Trx, at: Date): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values ('notice.send', '', ${at})
    on conflict (kind, ref) do update set due_at = least(timer.due_at, excluded.due_at), attempts = 0`.execute(db);
}

/**
 * Tells people something: one row in the list of each, and what leaves the site by the channels that they chose, each once. Throws
 * RangeError for a kind without a text: a fault of the writer, not of a user.
 */
export async function tell(ctx: Context, t: Telling, now = new Date()): Promise<void> {
  const userIds = [...new Set(t.userIds)].filter((id) => Number.isSafeInteger(id) && id > 0);
  if (userIds.length === 0) return;
  const told = await inTransaction(ctx.db, async (trx) => {
    const kind = await q.kindWithText(trx, t.kind);
    if (!kind) throw new RangeError(`no notice kind ${t.kind}`);
    const words = wordsOf({ ...kind, link: t.link ?? kind.link }, t.values);
    const added = await q.addNotices(trx, userIds, {
      ...words,
      kind: t.kind,
      ref: t.ref,
      distId: t.distId ?? null,
      toClosed: t.toClosed === true,
    });
    if (added.length === 0) return [];
    const noticeOf = new Map(added.map((n) => [n.userId, n.id]));
    const deliveries = (await q.reachOf(trx, [...noticeOf.keys()], t.kind)).flatMap((r): q.NewDelivery[] => {
      const at = dueAt(now, { frequency: r.frequency, urgent: kind.urgent, quiet: r.quiet });
      const wanted = channelsOf(kind, r.channels);
      return r.ways
        .filter((way) => wanted.includes(way))
        .map((channel) => ({
          noticeId: noticeOf.get(r.userId) ?? 0,
          userId: r.userId,
          channel,
          dueAt: at,
          digest: r.frequency === 'daily',
        }));
    });
    await q.addDeliveries(trx, deliveries);
    const first = Math.min(...deliveries.map((d) => d.dueAt.getTime()));
    if (deliveries.length > 0) await wakeSender(trx, new Date(first));
    return added.map((n) => n.userId);
  });
  ringBells(ctx, told);
}

const PAGE_SIZE = 20;
const COUNTED = 1000;

/** One's own notices, newest first, with the unread ones counted by group. */
export async function listNotices(
  { ctx, user }: UserCall,
  asked: Parsed<typeof noticeList>,
): Promise<HandlerResult<typeof noticeList>> {
  const limit = asked.pageSize ?? PAGE_SIZE;
  const filter = { group: asked.group, unread: asked.unread === true };
  const [rows, n, unread] = await Promise.all([
    q.noticesOf(ctx.db, user.id, { ...filter, before: decodeId(asked.cursor), limit: limit + 1 }),
    q.countNotices(ctx.db, user.id, filter),
    q.unreadByGroup(ctx.db, user.id),
  ]);
  const list = rows.slice(0, limit);
  const last = list.at(-1);
  return {
    list,
    unread,
    total: Math.min(n, COUNTED),
    more: n > COUNTED,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}

/** Unread notices for the bell; one above the badge's limit still reads '99+'. */
export async function unreadNotices({ ctx, user }: UserCall): Promise<{ total: number; latestId: number | null }> {
  return await q.unreadTotal(ctx.db, user.id, UNREAD_MAX + 1);
}

/** Marks one's own notices read, all without ids. Doing it again changes nothing. */
export async function readNotices(
  { ctx, user }: UserCall,
  ids: readonly number[] | undefined,
): Promise<{ unread: number }> {
  await q.markRead(ctx.db, user.id, ids);
  const { total } = await q.unreadTotal(ctx.db, user.id, UNREAD_MAX + 1);
  return { unread: total };
}

const OFFERED: Channel[] = ['site', 'wechat', 'sms', 'email', 'push'];

/** Every kind with the channels that the person has it on, their quiet hours, and which ways lead to them. */
export async function settingsOf({ ctx, user }: UserCall): Promise<HandlerResult<typeof noticeSettings>> {
  const [kinds, { rows }, reach] = await Promise.all([
    q.allKinds(ctx.db),
    sql<{
      kind: string;
      channels: Channel[];
      frequency: 'now' | 'daily';
    }>`select kind, channels, frequency from notice_preference where user_id = ${user.id}`.execute(ctx.db),
    q.ownReach(ctx.db, user.id),
  ]);
  const chosen = new Map(rows.map((r) => [r.kind, r]));
  return {
    kinds: kinds.map((k) => ({
      kind: k.code,
      name: k.name,
      group: k.group,
      channels: channelsOf(k, chosen.get(k.code)?.channels ?? null),
      offered: OFFERED,
      fixed: k.optional ? ['site' as const] : channelsOf(k, null),
      frequency: chosen.get(k.code)?.frequency ?? 'now',
      optional: k.optional,
    })),
    quiet: reach.quiet,
    reach: reach.ways,
  };
}

/**
 * Keeps choices for kinds, and quiet hours: both minutes set them, two empty ones end them. Kinds of money and security keep the
 * channels that they come with. Throws BAD_INPUT for an unknown kind or half of the quiet hours.
 */
export async function saveSettings({ ctx, user }: UserCall, wish: Parsed<typeof saveNoticeSettings>): Promise<void> {
  const { quietFrom, quietTo } = wish;
  if ((quietFrom === undefined) !== (quietTo === undefined))
    throw new AppError('BAD_INPUT', { text: '请同时设置免打扰的开始和结束时间' });
  if (quietFrom !== undefined && quietFrom === quietTo)
    throw new AppError('BAD_INPUT', { text: '免打扰的开始和结束时间不能相同' });
  await inTransaction(ctx.db, async (trx) => {
    const kinds = new Map((await q.allKinds(trx)).map((k) => [k.code, k]));
    for (const { kind, channels, frequency } of wish.kinds) {
      const known = kinds.get(kind);
      if (!known) throw new AppError('BAD_INPUT', { text: '消息类型不正确' });
      await sql`insert into notice_preference (user_id, kind, channels, frequency)
        values (${user.id}, ${kind}, ${channelsOf(known, channels)}, ${frequency})
        on conflict (user_id, kind) do update set channels = excluded.channels, frequency = excluded.frequency, updated_at = now()`.execute(
        trx,
      );
    }
    if (quietFrom === undefined && wish.keepQuiet !== true)
      await sql`delete from notice_quiet where user_id = ${user.id}`.execute(trx);
    else if (quietFrom !== undefined && quietTo !== undefined)
      await sql`insert into notice_quiet (user_id, from_minute, to_minute) values (${user.id}, ${quietFrom}, ${quietTo})
        on conflict (user_id) do update set from_minute = excluded.from_minute, to_minute = excluded.to_minute`.execute(
        trx,
      );
  });
}
