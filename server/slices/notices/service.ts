import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { noticeList, noticeSettings, saveNoticeSettings } from '#contract/comm-more.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { schedule } from '#server/jobs/door.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ringBells } from '#server/slices/chat/service.ts';
import * as q from './queries.ts';
import { channelsOf, dueAt, type Channel, type Values, renderTemplate } from './rules.ts';

/** A notice for one or more users. */
export interface NoticeRequest {
  /** A row of notice_kind with a text in notice_template. */
  kind: string;
  userIds: readonly number[];
  /** The subject. A repeated notice with the same user, kind and ref is ignored, so events may repeat. */
  ref: string;
  /** Values of the text's placeholders. */
  values: Values;
  /** Replaces the link of the text; a path inside the site. */
  link?: string | undefined;
  /** The site on which it happened; default the site where the user registered. */
  distId?: number | undefined;
  /** Also notifies closed accounts that are not erased yet. */
  toClosed?: boolean | undefined;
}

/** Schedules the sender for a time, unless it is scheduled earlier. */
export async function wakeSender(db: Trx, at: Date): Promise<void> {
  await schedule(db, 'notice.send', '', at, 'earlier');
}

/**
 * Notifies users: adds the notice to each list and a delivery for each chosen outlet, once. Throws RangeError for a kind without a text,
 * which is a programming error.
 */
export async function notify(ctx: Context, t: NoticeRequest, now = new Date()): Promise<void> {
  const userIds = [...new Set(t.userIds)].filter((id) => Number.isSafeInteger(id) && id > 0);
  if (userIds.length === 0) return;
  const notified = await inTransaction(ctx.db, async (trx) => {
    const kind = await q.kindWithText(trx, t.kind);
    if (!kind) throw new RangeError(`no notice kind ${t.kind}`);
    const rendered = renderTemplate({ ...kind, link: t.link ?? kind.link }, t.values);
    const added = await q.addNotices(trx, userIds, {
      ...rendered,
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
      return r.outlets
        .filter((outlet) => wanted.includes(outlet))
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
  ringBells(ctx, notified);
}

const PAGE_SIZE = 20;
const COUNTED = 1000;

/** The caller's notices, newest first, with the number of unread ones by group. */
export async function listNotices(
  { ctx, user }: UserCall,
  query: Parsed<typeof noticeList>,
): Promise<HandlerResult<typeof noticeList>> {
  const limit = query.pageSize ?? PAGE_SIZE;
  const filter = { group: query.group, unread: query.unread === true };
  const [rows, n, unread] = await Promise.all([
    q.noticesOf(ctx.db, user.id, { ...filter, before: decodeId(query.cursor), limit: limit + 1 }),
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

/** The number of unread notices for the bell, capped at one above the badge's limit ('99+'). */
export async function unreadNotices({ ctx, user }: UserCall): Promise<{ total: number; latestId: number | null }> {
  return await q.unreadTotal(ctx.db, user.id, UNREAD_MAX + 1);
}

/** Marks the caller's notices read, all without ids. Idempotent. */
export async function readNotices(
  { ctx, user }: UserCall,
  ids: readonly number[] | undefined,
): Promise<{ unread: number }> {
  await q.markRead(ctx.db, user.id, ids);
  const { total } = await q.unreadTotal(ctx.db, user.id, UNREAD_MAX + 1);
  return { unread: total };
}

const OFFERED: Channel[] = ['site', 'wechat', 'sms', 'email', 'push'];

/** Every kind with the caller's channels, the quiet hours, and the available outlets. */
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
    reach: reach.outlets,
  };
}

/**
 * Saves choices for kinds, and quiet hours: two minutes set them, none removes them. Kinds that are not optional (money, security) keep
 * their own channels. Throws BAD_INPUT for an unknown kind or incomplete quiet hours.
 */
export async function saveSettings(
  { ctx, user }: UserCall,
  settings: Parsed<typeof saveNoticeSettings>,
): Promise<void> {
  const { quietFrom, quietTo } = settings;
  if ((quietFrom === undefined) !== (quietTo === undefined))
    throw new AppError('BAD_INPUT', { text: '请同时设置免打扰的开始和结束时间' });
  if (quietFrom !== undefined && quietFrom === quietTo)
    throw new AppError('BAD_INPUT', { text: '免打扰的开始和结束时间不能相同' });
  await inTransaction(ctx.db, async (trx) => {
    const kinds = new Map((await q.allKinds(trx)).map((k) => [k.code, k]));
    for (const { kind, channels, frequency } of settings.kinds) {
      const row = kinds.get(kind);
      if (!row) throw new AppError('BAD_INPUT', { text: '消息类型不正确' });
      await sql`insert into notice_preference (user_id, kind, channels, frequency)
        values (${user.id}, ${kind}, ${channelsOf(row, channels)}, ${frequency})
        on conflict (user_id, kind) do update set channels = excluded.channels, frequency = excluded.frequency, updated_at = now()`.execute(
        trx,
      );
    }
    if (quietFrom === undefined && settings.keepQuiet !== true)
      await sql`delete from notice_quiet where user_id = ${user.id}`.execute(trx);
    else if (quietFrom !== undefined && quietTo !== undefined)
      await sql`insert into notice_quiet (user_id, from_minute, to_minute) values (${user.id}, ${quietFrom}, ${quietTo})
        on conflict (user_id) do update set from_minute = excluded.from_minute, to_minute = excluded.to_minute`.execute(
        trx,
      );
  });
}
