import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { noticeList, noticeSettings, saveNoticeSettings } from '#subjects/notices/contract/inbox.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { scheduleFrom } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ringBells } from '#subjects/chat/server/service.ts';
import * as q from './queries.ts';
import { channelsOf, dueAt, type Channel, type Outlet, type Values, renderTemplate, SENDERS } from './rules.ts';

export { sendTrial } from './outlets.ts';
export { noticeKinds, noticeTextVersions, readText, restoreText, saveKind, saveText } from './texts.ts';

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

/**
 * Schedules the senders of these users, each for its earliest delivery unless it is scheduled earlier. Every notice of a market writes the
 * row of its sender's job and locks it until its commit, so a single sender would serialise all notices.
 */
async function wakeSenders(db: Trx, deliveries: readonly { userId: number; dueAt: Date }[]): Promise<void> {
  if (deliveries.length === 0) return;
  const first = new Map<number, number>();
  for (const { userId, dueAt } of deliveries) {
    const sender = userId % SENDERS;
    first.set(sender, Math.min(dueAt.getTime(), first.get(sender) ?? Infinity));
  }
  const [senders, times] = [[...first.keys()].map(String), [...first.values()].map((at) => new Date(at))];
  // In a fixed order, to avoid deadlocks between transactions.
  const from = sql`from unnest(${senders}::text[], ${times}::timestamptz[]) as w(sender, at) order by sender`;
  await scheduleFrom(db, 'notice.send', { key: sql`sender`, at: sql`at`, from }, 'earlier');
}

/** Like notifyMany, for one request. */
export async function notify(ctx: Context, request: NoticeRequest, now = new Date()): Promise<void> {
  await notifyMany(ctx, [request], now);
}

/**
 * Notifies users: adds each notice to their lists, in the given order, and a delivery for each chosen outlet, once. All of it in one
 * transaction, for events only: their commits do not wait for the disk. Throws RangeError for a kind without a text, which is a programming error.
 */
export async function notifyMany(ctx: Context, requests: readonly NoticeRequest[], now = new Date()): Promise<void> {
  if (requests.every(({ userIds }) => userIds.length === 0)) return;
  const notified = await inTransaction(ctx.relaxed, async (trx) => {
    const kinds = await q.kindsWithText(trx, [...new Set(requests.map(({ kind }) => kind))]);
    const added = await q.addNotices(
      trx,
      requests.flatMap((request) => noticesOf(kinds, request)),
    );
    if (added.length === 0) return [];
    const valuesOf = valuesByNotice(requests);
    const reachOf = Map.groupBy(await q.loadReach(trx, added), ({ userId, kind }) => `${userId} ${kind}`);
    const deliveries = added.flatMap(({ id, userId, kind, ref }): q.NewDelivery[] => {
      const [reach] = reachOf.get(`${userId} ${kind}`) ?? [];
      const spec = kinds.get(kind);
      if (!reach || !spec) return [];
      const dueAtTime = dueAt(now, { frequency: reach.frequency, urgent: spec.urgent, quiet: reach.quiet });
      const wanted = channelsOf(spec, reach.channels);
      const values = valuesOf.get(keyOf(userId, kind, ref)) ?? {};
      return reach.outlets
        .filter((outlet) => wanted.includes(outlet))
        .map((channel) => ({
          noticeId: id,
          userId,
          channel,
          dueAt: dueAtTime,
          digest: reach.frequency === 'daily',
          text: textFor(spec, channel, values),
        }));
    });
    await q.addDeliveries(trx, deliveries);
    await wakeSenders(trx, deliveries);
    return [...new Set(added.map((n) => n.userId))];
  });
  ringBells(ctx, notified);
}

const keyOf = (userId: number, kind: string, ref: string): string => `${userId} ${kind} ${ref}`;

/** The values of each user's notice. Of two requests for the same notice only the first is stored, so its values are used. */
function valuesByNotice(requests: readonly NoticeRequest[]): Map<string, Values> {
  const found = new Map<string, Values>();
  for (const { userIds, kind, ref, values } of requests.toReversed())
    for (const userId of userIds) found.set(keyOf(userId, kind, ref), values);
  return found;
}

/** The text of a notice in a channel; undefined when the text of the in-site list is used. */
function textFor(spec: q.KindText, channel: Outlet, values: Values): { title: string; body: string } | undefined {
  const own = spec.ofChannel[channel];
  if (!own) return undefined;
  const { title, body } = renderTemplate({ ...own, link: null }, values);
  return { title, body };
}

function noticesOf(
  kinds: Awaited<ReturnType<typeof q.kindsWithText>>,
  { kind, userIds, ref, values, link, distId, toClosed }: NoticeRequest,
): q.NewNotice[] {
  const spec = kinds.get(kind);
  if (!spec) throw new RangeError(`no notice kind ${kind}`);
  const rendered = renderTemplate({ ...spec, link: link ?? spec.link }, values);
  return [...new Set(userIds)]
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .map((userId) => ({ userId, kind, ref, ...rendered, distId: distId ?? null, toClosed: toClosed === true }));
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
    q.loadNotices(ctx.db, user.id, { ...filter, before: decodeId(query.cursor), limit: limit + 1 }),
    q.countNotices(ctx.db, user.id, filter),
    q.unreadByGroup(ctx.db, user.id),
  ]);
  const list = rows.slice(0, limit);
  const last = list.at(-1);
  return {
    list,
    unread,
    total: Math.min(n, COUNTED),
    totalCapped: n > COUNTED,
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

/** The enabled channels of this site. */
function offeredBy(ctx: Context): Channel[] {
  const off: Partial<Record<Channel, boolean>> = {
    wechat: !ctx.officialAccount,
    sms: !ctx.sms,
    email: !ctx.mail,
  };
  return (['site', 'wechat', 'sms', 'email', 'push'] as const).filter((channel) => off[channel] !== true);
}

/** Every kind with the caller's channels, the quiet hours, and the available outlets. */
export async function loadSettings({ ctx, user }: UserCall): Promise<HandlerResult<typeof noticeSettings>> {
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
  const offered = offeredBy(ctx);
  return {
    kinds: kinds.map((k) => ({
      kind: k.code,
      name: k.name,
      group: k.group,
      channels: channelsOf(k, chosen.get(k.code)?.channels ?? null),
      offered,
      fixed: k.optional ? ['site' as const] : channelsOf(k, null),
      frequency: chosen.get(k.code)?.frequency ?? 'now',
      optional: k.optional,
    })),
    quiet: reach.quiet,
    reach: reach.outlets.filter((outlet) => offered.includes(outlet)),
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
