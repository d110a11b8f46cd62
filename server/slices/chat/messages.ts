import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { ChatMessage } from '#contract/im.ts';
import { text } from '#contract/wire.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageUrl, ownPictures } from '#server/slices/media/service.ts';
import { tell } from './bus.ts';
import { keepFresh } from './fresh.ts';
import { newUid, systemMessage } from './groups.ts';
import { isImageLink, maskText } from './mask.ts';
import { pumped } from './pump.ts';
import * as q from './queries.ts';
import { imageLinkCard, isStaffMember, LIMITS, type StoredContent, warnCard, warnKey } from './rules.ts';
import { messageOf } from './wire.ts';

/** Who speaks: a user's number, or the im_uid of staff with the number of the staff. */
export interface Speaker {
  member: string;
  staffId: number | null;
}

export interface Draft {
  groupId: number;
  clientMsgId: string;
  messageType: 'text' | 'image';
  content: string;
  imageKey?: string | undefined;
}

export interface Receipt {
  seq: number;
  messageUId: string;
  sentTime: number;
  masked: boolean;
}

const chatText = text(LIMITS.textChars, { label: '消息' });
/** A person is held back for at least so long, so that what was sent behind a refused message is refused with it. */
const LEAST_WAIT_MS = 1000;

async function imageContent(ctx: Context, speaker: Speaker, key: string | undefined): Promise<StoredContent> {
  if (key === undefined || key === '') throw new AppError('CHAT_EMPTY', { text: '请选择要发送的图片' });
  if (speaker.staffId === null) {
    const [picture] = await ownPictures(ctx.db, Number(speaker.member), 'chat', [key]);
    if (!picture) throw new AppError('PICTURE_BROKEN');
    return { imageUri: imageUrl(picture.key), width: picture.width, height: picture.height };
  }
  const { rows } = await sql<{ width: number; height: number }>`
    select width, height from picture where key = ${key} and staff_id = ${speaker.staffId} and purpose = 'chat'`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('PICTURE_BROKEN', { text: '图片不存在，请重新上传' });
  return { imageUri: imageUrl(key), ...rows[0] };
}

function textContent(ctx: Context, given: string): StoredContent {
  const parsed = chatText.safeParse(given);
  if (!parsed.success) throw new AppError('BAD_INPUT', { text: parsed.error.issues[0]?.message ?? '消息格式不正确' });
  if (parsed.data === '') throw new AppError('CHAT_EMPTY');
  const isOwn = (host: string): boolean => ctx.dir.byHost(host) !== undefined;
  const { text: shown, kinds } = maskText(parsed.data, isOwn);
  if (kinds.includes('link') && isImageLink(parsed.data)) return imageLinkCard;
  return kinds.length > 0 ? { content: shown, masked: true } : { content: shown };
}

/** What was stored; undefined when the sender's budget is spent. Throws CHAT_NOT_MEMBER, CHAT_CLOSED. */
function accepted(verdict: q.Verdict): q.Stored | undefined {
  if (verdict.verdict === 'YS301') throw new AppError('CHAT_NOT_MEMBER');
  if (verdict.verdict === 'YS302') throw new AppError('CHAT_CLOSED');
  if (verdict.verdict === 'limited') return undefined;
  return verdict;
}

/**
 * Stores a message and tells the members; the receipt comes after the commit. The same client id again answers the same receipt.
 * Throws CHAT_EMPTY, BAD_INPUT, PICTURE_BROKEN, CHAT_NOT_MEMBER, CHAT_CLOSED, RATE_LIMITED (20 in 10 s).
 */
export async function sendMessage(ctx: Context, speaker: Speaker, draft: Draft): Promise<Receipt> {
  const { groupId, clientMsgId, messageType: type } = draft;
  const content = type === 'image' ? await imageContent(ctx, speaker, draft.imageKey) : textContent(ctx, draft.content);
  const message = { groupId, sender: speaker.member, clientMsgId, uid: newUid(), type, content };
  const stored = accepted(await pumped(ctx, message));
  if (!stored) {
    const waitMs = Math.max(LEAST_WAIT_MS, await q.sendBudgetWaitMs(ctx.db, speaker.member));
    throw new AppError('RATE_LIMITED', {
      text: '发送过于频繁，请稍后再试',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  const masked = content.masked === true;
  if (!stored.repeated) {
    const { seq, createdAt } = stored;
    keepFresh(ctx, { ...message, seq, createdAt, expansion: null, recalledAt: null });
    tell(ctx, { kind: 'msg', groupId, seq, to: stored.members });
    if (masked) await systemMessage(ctx, groupId, { key: warnKey(stored.createdAt), card: warnCard });
    if (speaker.staffId !== null) {
      await sql`update chat_assignment set first_reply_at = now() where group_id = ${groupId} and to_at is null
        and staff_id = ${speaker.staffId} and first_reply_at is null`.execute(ctx.db);
    }
  }
  return { seq: stored.seq, messageUId: stored.uid, sentTime: stored.createdAt.getTime(), masked };
}

/**
 * Takes back an own message within two minutes. The taking back is a message itself, so that it reaches everybody in order.
 * Throws CHAT_NOT_MEMBER, CHAT_CLOSED, CHAT_RECALL.
 */
export async function recallMessage(
  ctx: Context,
  speaker: Speaker,
  groupId: number,
  seq: number,
): Promise<{ seq: number }> {
  const stored = await inTransaction(ctx.db, async (trx) => {
    const uid = await q.markRecalled(trx, groupId, seq, speaker.member);
    if (uid === undefined) throw new AppError('CHAT_RECALL');
    const message = {
      groupId,
      sender: speaker.member,
      clientMsgId: `recall-${seq}`,
      uid: newUid(),
      type: 'recall' as const,
      content: { recallUId: uid, recallSeq: seq },
    };
    const [verdict] = await q.storeMessages(q.askIn(trx), [message]);
    const done = verdict && accepted(verdict);
    if (!done) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
    return done;
  });
  tell(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  return { seq: stored.seq };
}

/** A page of a group's messages for a member, oldest first. Throws CHAT_NOT_MEMBER. */
export async function historyOf(
  ctx: Context,
  member: string,
  page: { groupId: number; before?: number | undefined; after?: number | undefined; pageSize?: number | undefined },
): Promise<{ list: ChatMessage[]; more: boolean }> {
  if (!(await q.groupOf(ctx.db, page.groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  return await pageOf(ctx, member, page);
}

/** The same without asking who reads; for staff who have the right by their role. */
export async function pageOf(
  ctx: Context,
  viewer: string,
  page: { groupId: number; before?: number | undefined; after?: number | undefined; pageSize?: number | undefined },
): Promise<{ list: ChatMessage[]; more: boolean }> {
  const forward = page.after !== undefined;
  const size = page.pageSize ?? (forward ? LIMITS.afterPage : LIMITS.historyPage);
  const rows = forward
    ? await q.messagesAfter(ctx.db, page.groupId, page.after ?? 0, size + 1)
    : await q.messagesBefore(ctx.db, page.groupId, page.before, size + 1);
  const more = rows.length > size;
  const shown = more ? (forward ? rows.slice(0, size) : rows.slice(1)) : rows;
  return { list: shown.map((row) => messageOf(row, viewer)), more };
}

/** What a member has missed since a number, cut to what one frame may carry. Throws CHAT_NOT_MEMBER. */
export async function syncOf(
  ctx: Context,
  member: string,
  groupId: number,
  after: number,
): Promise<{ list: ChatMessage[]; more: boolean; lastSeq: number }> {
  const group = await q.groupOf(ctx.db, groupId, member);
  if (!group) throw new AppError('CHAT_NOT_MEMBER');
  const rows = await q.messagesAfter(ctx.db, groupId, after, LIMITS.syncMessages + 1);
  const list: ChatMessage[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, LIMITS.syncMessages)) {
    const message = messageOf(row, member);
    bytes += Buffer.byteLength(JSON.stringify(message));
    if (list.length > 0 && bytes > LIMITS.syncBytes) break;
    list.push(message);
  }
  return { list, more: list.length < rows.length, lastSeq: Math.max(group.lastSeq, list.at(-1)?.seq ?? 0) };
}

/** Moves a member's reading mark and tells the others. Throws CHAT_NOT_MEMBER. */
export async function readUpTo(
  ctx: Context,
  member: string,
  groupId: number,
  seq: number,
): Promise<{ unread: number }> {
  const marked = await q.markRead(ctx.db, groupId, member, seq);
  if (!marked) throw new AppError('CHAT_NOT_MEMBER');
  tell(ctx, { kind: 'read', groupId, from: member, seq: marked.readSeq, to: marked.members });
  return { unread: Math.max(0, marked.unread) };
}

/** Tells the others that a member types. Throws CHAT_NOT_MEMBER. */
export async function tellTyping(ctx: Context, member: string, groupId: number): Promise<void> {
  const to = (await q.membersOf(ctx.db, groupId)).map((m) => m.member);
  if (!to.includes(member)) throw new AppError('CHAT_NOT_MEMBER');
  tell(ctx, { kind: 'typing', groupId, from: member, to });
}

/**
 * Reminds whoever is away of what the asker has said, once per silence, and says what to tell the asker (product.md 3, offline tips).
 * Throws CHAT_NOT_MEMBER.
 */
export async function remindOffline(
  ctx: Context,
  member: string,
  groupId: number,
): Promise<{ sendOfflineRemind: boolean; msg: string }> {
  if (!(await q.groupOf(ctx.db, groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  const reminded = await q.remindAbsent(ctx.db, groupId, member);
  if (reminded > 0) return { sendOfflineRemind: true, msg: '对方当前不在线，已发送提醒，看到后会尽快回复' };
  const others = (await q.membersOf(ctx.db, groupId)).filter((m) => m.member !== member && !isStaffMember(m.member));
  const online = await q.onlineAmong(
    ctx.db,
    others.map((m) => m.member),
  );
  const away = others.some((m) => !online.has(m.member));
  return { sendOfflineRemind: false, msg: away ? '对方当前不在线，上线后可以看到消息' : '' };
}

/** The newest message of each of these groups that somebody is in; a group of somebody else is absent. */
export async function newestFor(
  ctx: Context,
  member: string,
  groups: readonly string[],
): Promise<{ list: ChatMessage[] }> {
  const rows = groups.length === 0 ? [] : await q.newestOf(ctx.db, member, groups.map(Number));
  return { list: rows.map((row) => messageOf(row, member)) };
}
