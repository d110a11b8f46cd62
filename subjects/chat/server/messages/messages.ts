import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { continuedContact, mayContinueContact } from '#contract/rules/contacts/contacts.ts';
import { text } from '#contract/wire.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageUrl, ownPictures } from '#subjects/media/server/service.ts';
import { publish } from '../transport/bus.ts';
import { addRecent } from '../transport/recent-messages.ts';
import { newUid, systemMessage } from '../groups/groups.ts';
import { isImageLink, MASK, maskText } from './mask.ts';
import { storeBatched } from './batcher.ts';
import * as q from '../queries.ts';
import { imageLinkCard, isStaffMember, LIMITS, type StoredContent, warnCard, warnKey } from '../rules.ts';
import { messageOf } from '../transport/wire.ts';

/** The sender: a user's id, or the im_uid of staff with the id of the staff. */
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
/** The shortest retry delay, so that messages sent after a rate-limited one are rejected with it. */
const MIN_RETRY_MS = 1000;

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

async function textContent(ctx: Context, speaker: Speaker, draft: Draft): Promise<StoredContent> {
  const parsed = chatText.safeParse(draft.content);
  if (!parsed.success) throw new AppError('BAD_INPUT', { text: parsed.error.issues[0]?.message ?? '消息格式不正确' });
  if (parsed.data === '') throw new AppError('CHAT_EMPTY');
  const isOwn = (host: string): boolean => ctx.dir.byHost(host) !== undefined;
  const { text: clean } = ctx.blockedWords.clean(parsed.data, { label: '消息' });
  const { text: maskedText, kinds } = maskText(clean, isOwn);
  if (kinds.includes('link') && isImageLink(parsed.data)) return imageLinkCard;
  if (kinds.length > 0) return { content: maskedText, masked: true };
  return (await withoutRest(ctx, { ...draft, sender: speaker.member }, maskedText)) ?? { content: maskedText };
}

/**
 * The masked form of a text that completes contact details begun in the sender's earlier texts; undefined when it does
 * not.
 */
async function withoutRest(
  ctx: Context,
  at: { groupId: number; sender: string; clientMsgId: string; seq?: number },
  typed: string,
): Promise<StoredContent | undefined> {
  if (!mayContinueContact(typed)) return undefined;
  const rest = continuedContact(await q.textsBefore(ctx.db, at), typed);
  return rest && { content: typed.slice(0, rest.from) + MASK + typed.slice(rest.to), masked: true };
}

/**
 * Checks a stored text again with the texts numbered before it: texts sent at the same time, also through another node,
 * were not stored yet at the first check. Nothing of it has been published yet. Returns the stored text.
 */
async function checkedAgain(ctx: Context, message: q.NewMessage, seq: number): Promise<StoredContent> {
  const typed = message.content.content;
  if (message.type !== 'text' || typed === undefined || message.content.masked === true) return message.content;
  const masked = await withoutRest(ctx, { ...message, seq }, typed);
  if (!masked) return message.content;
  await q.maskStored(ctx.db, message.groupId, seq, masked);
  return masked;
}

/** The stored message; undefined when the sender is over the rate limit. Throws CHAT_NOT_MEMBER, CHAT_CLOSED. */
function storedOrThrow(outcome: q.StoreOutcome): q.Stored | undefined {
  if (outcome.outcome === 'YS301') throw new AppError('CHAT_NOT_MEMBER');
  if (outcome.outcome === 'YS302') throw new AppError('CHAT_CLOSED');
  if (outcome.outcome === 'limited') return undefined;
  return outcome;
}

/**
 * Stores a message and notifies the members; returns the receipt after the commit. Idempotent by client id.
 * Throws CHAT_EMPTY, BAD_INPUT, PICTURE_BROKEN, CHAT_NOT_MEMBER, CHAT_CLOSED, RATE_LIMITED (20 in 10 s).
 */
export async function sendMessage(ctx: Context, speaker: Speaker, draft: Draft): Promise<Receipt> {
  const { groupId, clientMsgId, messageType: type } = draft;
  const content =
    type === 'image' ? await imageContent(ctx, speaker, draft.imageKey) : await textContent(ctx, speaker, draft);
  const message = { groupId, sender: speaker.member, clientMsgId, uid: newUid(), type, content };
  const stored = storedOrThrow(await storeBatched(ctx, message));
  if (!stored) {
    const waitMs = Math.max(MIN_RETRY_MS, await q.sendBudgetWaitMs(ctx.db, speaker.member));
    throw new AppError('RATE_LIMITED', {
      text: '发送过于频繁，请稍后再试',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
  const shown = stored.repeated ? content : await checkedAgain(ctx, message, stored.seq);
  const masked = shown.masked === true;
  if (!stored.repeated) {
    const { seq, createdAt } = stored;
    addRecent(ctx, { ...message, content: shown, seq, createdAt, expansion: null, recalledAt: null });
    publish(ctx, { kind: 'msg', groupId, seq, to: stored.members });
    if (masked) await systemMessage(ctx, groupId, { key: warnKey(stored.createdAt), card: warnCard });
    if (speaker.staffId !== null) {
      await sql`update chat_assignment set first_reply_at = now() where group_id = ${groupId} and to_at is null
        and staff_id = ${speaker.staffId} and first_reply_at is null`.execute(ctx.db);
    }
  }
  return { seq: stored.seq, messageUId: stored.uid, sentTime: stored.createdAt.getTime(), masked };
}

/**
 * Recalls the caller's own message within two minutes. The recall is a message itself, so that it reaches all members in order.
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
    const [outcome] = await q.storeMessages(q.queryIn(trx), [message]);
    const done = outcome && storedOrThrow(outcome);
    if (!done) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
    return done;
  });
  publish(ctx, { kind: 'msg', groupId, seq: stored.seq, to: stored.members });
  return { seq: stored.seq };
}

/** A page of a group's messages for a member, oldest first. Throws CHAT_NOT_MEMBER. */
export async function loadHistory(
  ctx: Context,
  member: string,
  page: { groupId: number; before?: number | undefined; after?: number | undefined; pageSize?: number | undefined },
): Promise<{ list: ChatMessage[]; more: boolean }> {
  if (!(await q.loadGroup(ctx.db, page.groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  return await loadPage(ctx, member, page);
}

/** The same without a membership check, for staff with the permission. */
export async function loadPage(
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
  const visible = more ? (forward ? rows.slice(0, size) : rows.slice(1)) : rows;
  return { list: visible.map((row) => messageOf(row, viewer)), more };
}

/** Messages after a number, cut to the size of one frame. Throws CHAT_NOT_MEMBER. */
export async function loadMessagesAfter(
  ctx: Context,
  member: string,
  groupId: number,
  after: number,
): Promise<{ list: ChatMessage[]; more: boolean; lastSeq: number }> {
  const group = await q.loadGroup(ctx.db, groupId, member);
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

/** Moves a member's read position and notifies the others. Throws CHAT_NOT_MEMBER. */
export async function readUpTo(
  ctx: Context,
  member: string,
  groupId: number,
  seq: number,
): Promise<{ unread: number }> {
  const marked = await q.markRead(ctx.db, groupId, member, seq);
  if (!marked) throw new AppError('CHAT_NOT_MEMBER');
  publish(ctx, { kind: 'read', groupId, from: member, seq: marked.readSeq, to: marked.members });
  return { unread: Math.max(0, marked.unread) };
}

/** Notifies the others that a member is typing. Throws CHAT_NOT_MEMBER. */
export async function publishTyping(ctx: Context, member: string, groupId: number): Promise<void> {
  const to = (await q.loadMembers(ctx.db, groupId)).map((m) => m.member);
  if (!to.includes(member)) throw new AppError('CHAT_NOT_MEMBER');
  publish(ctx, { kind: 'typing', groupId, from: member, to });
}

/**
 * Reminds an absent member of the caller's messages, once until they read, and returns the hint for the caller (product.md 3, offline tips).
 * Throws CHAT_NOT_MEMBER.
 */
export async function remindOffline(
  ctx: Context,
  member: string,
  groupId: number,
): Promise<{ sendOfflineRemind: boolean; msg: string }> {
  if (!(await q.loadGroup(ctx.db, groupId, member))) throw new AppError('CHAT_NOT_MEMBER');
  const reminded = await q.remindAbsent(ctx.db, groupId, member);
  if (reminded > 0) return { sendOfflineRemind: true, msg: '对方当前不在线，已发送提醒，看到后会尽快回复' };
  const others = (await q.loadMembers(ctx.db, groupId)).filter((m) => m.member !== member && !isStaffMember(m.member));
  const online = await q.onlineAmong(
    ctx.db,
    others.map((m) => m.member),
  );
  const away = others.some((m) => !online.has(m.member));
  return { sendOfflineRemind: false, msg: away ? '对方当前不在线，上线后可以看到消息' : '' };
}

/** The newest message of each of these groups; groups of which the caller is not a member are absent. */
export async function newestFor(
  ctx: Context,
  member: string,
  groups: readonly string[],
): Promise<{ list: ChatMessage[] }> {
  const rows = groups.length === 0 ? [] : await q.loadNewest(ctx.db, member, groups.map(Number));
  return { list: rows.map((row) => messageOf(row, member)) };
}
