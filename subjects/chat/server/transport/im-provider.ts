import { StaffStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ImMessage, ImProviderNotice } from '#server/ports/im.ts';
import type { ChatEvent } from './events.ts';
import { groupById, type MessageRow, loadMembers, messagesAt } from '../queries.ts';

/** Events beyond this many pending ones are dropped; the clients' next sync recovers them. */
const MAX_PENDING = 5000;

/** An event of a group. */
type GroupEvent = Exclude<ChatEvent, { kind: 'notice' }>;

/** Running deliveries: sequential within a group, concurrent between groups. */
interface Queues {
  readonly last: Map<number, Promise<void>>;
  pending: number;
}

const providerQueues = cacheKind('chat.provider', (): Queues => ({ last: new Map(), pending: 0 }));

/** Whether users of a distributor use the IM provider. */
export function usesImProvider(ctx: Pick<Context, 'imProvider' | 'dir'>, distId: number): boolean {
  const { imProvider } = ctx;
  if (!imProvider) return false;
  return imProvider.dists.includes('*') || imProvider.dists.includes(ctx.dir.byId(distId)?.code ?? '');
}

/**
 * Delivers an event to the IM provider, after the transaction and in order within a group. A failure is logged and not retried: our history
 * is authoritative, and clients sync what they miss.
 */
export function deliverToProvider(ctx: Context, event: ChatEvent): void {
  if (!ctx.imProvider || event.kind === 'notice') return;
  const queues = cacheOf(ctx, providerQueues);
  if (queues.pending >= MAX_PENDING) return;
  queues.pending++;
  const { groupId } = event;
  const done = (queues.last.get(groupId) ?? Promise.resolve())
    .then(() => deliver(ctx, event))
    .catch((error: unknown) => {
      ctx.log.warn({ error: String(error), groupId }, 'not delivered to the IM provider; clients will sync');
    })
    .finally(() => {
      queues.pending--;
      if (queues.last.get(groupId) === done) queues.last.delete(groupId);
    });
  queues.last.set(groupId, done);
}

async function deliver(ctx: Context, event: GroupEvent): Promise<void> {
  const group = await groupById(ctx.db, event.groupId);
  if (!ctx.imProvider || !group || !usesImProvider(ctx, group.distId)) return;
  if (event.kind === 'group') return await syncMembers(ctx, group, event.to);
  if (event.kind !== 'msg')
    return await ctx.imProvider.hint({ groupId: String(event.groupId), sender: event.from, kind: event.kind });
  const [row] = await messagesAt(ctx.db, [{ groupId: event.groupId, seq: event.seq }]);
  if (row) await ctx.imProvider.publish(imMessageOf(row));
}

/** Updates the members of a group at the provider: adds the present ones, removes those who left. */
async function syncMembers(
  ctx: Context,
  group: { id: number; orderSn: string | null },
  notified: readonly string[],
): Promise<void> {
  const members = (await loadMembers(ctx.db, group.id)).map(({ member }) => member);
  const left = notified.filter((member) => !members.includes(member));
  await ctx.imProvider?.putGroup(String(group.id), group.orderSn ?? String(group.id), members);
  if (left.length > 0) await ctx.imProvider?.quitGroup(String(group.id), left);
}

function imMessageOf(row: MessageRow): ImMessage {
  const { content } = row;
  return {
    groupId: String(row.groupId),
    seq: row.seq,
    sender: row.sender,
    kind: row.type,
    text: row.type === 'card' ? [content.title, content.content].filter(Boolean).join('，') : (content.content ?? ''),
    imageUri: content.imageUri,
    expansion: row.expansion,
  };
}

/** The sender of a provider's notice: a user, or a member of staff with their id; undefined for an unknown one. */
export async function loadSpeaker(
  ctx: Context,
  notice: ImProviderNotice,
): Promise<{ member: string; staffId: number | null } | undefined> {
  if (/^\d+$/.test(notice.sender)) return { member: notice.sender, staffId: null };
  const { rows } = await sql<{
    id: number;
  }>`select id from staff where im_uid = ${notice.sender} and status = ${sql.lit(StaffStatus.Active)}`.execute(ctx.db);
  const id = rows[0]?.id;
  return id === undefined ? undefined : { member: notice.sender, staffId: id };
}

/**
 * A provider token for a user. Throws NOT_FOUND when the distributor has no provider, BUSY when it does not respond,
 * QUARANTINE.
 */
export async function imProviderToken(
  ctx: Context,
  distId: number,
  person: { imUid: string; name: string; portrait: string },
): Promise<string> {
  if (!ctx.imProvider || !usesImProvider(ctx, distId)) throw new AppError('NOT_FOUND');
  try {
    return await ctx.imProvider.token(person);
  } catch (error) {
    if (error instanceof AppError) throw error;
    ctx.log.warn({ error: String(error) }, 'no token from the IM provider');
    throw new AppError('BUSY');
  }
}
