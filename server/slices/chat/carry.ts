import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ImMessage, ImProviderNotice } from '#server/ports/im.ts';
import type { ChatEvent } from './bus.ts';
import { groupById, type MessageRow, membersOf, messagesAt } from './queries.ts';

/** Waiting work beyond this is dropped: the clients' next look brings what was lost. */
const MAX_WAITING = 5000;

/** What concerns a group. */
type Work = Exclude<ChatEvent, { kind: 'notice' }>;

/** What is on its way, by group: one thing after the other within a group, groups beside each other. */
interface Lines {
  readonly last: Map<number, Promise<void>>;
  waiting: number;
}

const byCarrier = new WeakMap<object, Lines>();

/** Whether a distributor's people use the carrier. */
export function isCarried(ctx: Pick<Context, 'imProvider' | 'dir'>, distId: number): boolean {
  const { imProvider: carrier } = ctx;
  if (!carrier) return false;
  return carrier.dists.includes('*') || carrier.dists.includes(ctx.dir.byId(distId)?.code ?? '');
}

/**
 * Hands news to the carrier, after the transaction and outside of it, in order within a group. What fails is logged and given up: our history
 * is the truth, and clients ask for what they miss.
 */
export function carry(ctx: Context, news: ChatEvent): void {
  if (!ctx.imProvider || news.kind === 'notice') return;
  const lines = byCarrier.get(ctx.imProvider) ?? { last: new Map<number, Promise<void>>(), waiting: 0 };
  byCarrier.set(ctx.imProvider, lines);
  if (lines.waiting >= MAX_WAITING) return;
  lines.waiting++;
  const { groupId } = news;
  const done = (lines.last.get(groupId) ?? Promise.resolve())
    .then(() => bring(ctx, news))
    .catch((error: unknown) => {
      ctx.log.warn({ error: String(error), groupId }, 'not carried; clients will ask for it');
    })
    .finally(() => {
      lines.waiting--;
      if (lines.last.get(groupId) === done) lines.last.delete(groupId);
    });
  lines.last.set(groupId, done);
}

async function bring(ctx: Context, work: Work): Promise<void> {
  const group = await groupById(ctx.db, work.groupId);
  if (!ctx.imProvider || !group || !isCarried(ctx, group.distId)) return;
  if (work.kind === 'group') return await bringMembers(ctx, group, work.to);
  if (work.kind !== 'msg')
    return await ctx.imProvider.hint({ groupId: String(work.groupId), sender: work.from, kind: work.kind });
  const [row] = await messagesAt(ctx.db, [{ groupId: work.groupId, seq: work.seq }]);
  if (row) await ctx.imProvider.publish(carriedOf(row));
}

/** Who is in the group now is in it there too, and who has left is out of it. */
async function bringMembers(
  ctx: Context,
  group: { id: number; orderSn: string | null },
  told: readonly string[],
): Promise<void> {
  const members = (await membersOf(ctx.db, group.id)).map(({ member }) => member);
  const gone = told.filter((member) => !members.includes(member));
  await ctx.imProvider?.putGroup(String(group.id), group.orderSn ?? String(group.id), members);
  if (gone.length > 0) await ctx.imProvider?.quitGroup(String(group.id), gone);
}

function carriedOf(row: MessageRow): ImMessage {
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

/** Who speaks in a carrier's notice: a user, or a member of staff with their number; undefined for nobody of ours. */
export async function speakerOf(
  ctx: Context,
  notice: ImProviderNotice,
): Promise<{ member: string; staffId: number | null } | undefined> {
  if (/^\d+$/.test(notice.sender)) return { member: notice.sender, staffId: null };
  const { rows } = await sql<{
    id: number;
  }>`select id from staff where im_uid = ${notice.sender} and status = 1`.execute(ctx.db);
  const id = rows[0]?.id;
  return id === undefined ? undefined : { member: notice.sender, staffId: id };
}

/** A carrier's token for a person. Throws NOT_FOUND where the distributor has no carrier, BUSY when it does not answer. */
export async function imProviderToken(
  ctx: Context,
  distId: number,
  person: { imUid: string; name: string; portrait: string },
): Promise<string> {
  if (!ctx.imProvider || !isCarried(ctx, distId)) throw new AppError('NOT_FOUND');
  try {
    return await ctx.imProvider.token(person);
  } catch (error) {
    ctx.log.warn({ error: String(error) }, 'no token from the carrier');
    throw new AppError('BUSY');
  }
}
