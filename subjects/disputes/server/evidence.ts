import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Trx } from '#server/db/client.ts';
import { type PostingCode, postings } from '#subjects/ledger/server/service.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import type { DisputeRow } from './queries.ts';

/** How many of the chat's latest messages are included. */
const CHAT_LINES = 40;

interface Item {
  kind: 'step' | 'handover' | 'reveal' | 'money' | 'chat';
  who: string;
  text: string;
  pictures: { url: string; thumb: string }[];
  time: Date;
}

/** The name of an actor as both parties read it. Names of staff are not disclosed. */
export function actorName(d: Pick<DisputeRow, 'buyerId' | 'sellerId'>, actor: string): string {
  if (actor === `user:${d.buyerId}`) return '买家';
  if (actor === `user:${d.sellerId}`) return '卖家';
  return actor.startsWith('staff:') ? '平台客服' : '系统';
}

const thumbs = (keys: readonly { key: string }[]): Item['pictures'] =>
  keys.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) }));

async function steps(db: Trx, d: DisputeRow): Promise<Item[]> {
  const { rows } = await sql<{ explain: string; actor: string; at: Date }>`
    select explain, actor, created_at as at from order_process where order_id = ${d.orderId} order by id limit 200`.execute(
    db,
  );
  return rows.map((r) => ({
    // oxlint-disable-next-line forms/no-chinese-match -- the order's record contains only text
    kind: r.explain.includes('密封信息') ? 'reveal' : 'step',
    who: actorName(d, r.actor),
    text: r.explain,
    pictures: [],
    time: r.at,
  }));
}

async function handover(db: Trx, d: DisputeRow): Promise<Item[]> {
  const { rows } = await sql<{ title: string; by: string; pictures: { key: string }[]; at: Date }>`
    select title, coalesce(done_by, 'system') as by, pictures, done_at as at from order_handover
    where order_id = ${d.orderId} and done_at is not null and pictures <> '[]' order by step`.execute(db);
  return rows.map((r) => ({
    kind: 'handover',
    who: actorName(d, r.by),
    text: `「${r.title}」的凭证`,
    pictures: thumbs(r.pictures),
    time: r.at,
  }));
}

/** Transfers that both parties may see. Income of the platform and of distributors is excluded. */
async function moneyLines(db: Trx, d: DisputeRow): Promise<Item[]> {
  const visibleCodes: readonly PostingCode[] = [
    'order_pay',
    'order_pay_channel',
    'order_refund',
    'sale_proceeds',
    'hold_part',
    'hold_end',
    'ruling_to_seller',
    'ruling_take_back',
    'ruling_from_balance',
    'ruling_from_deposit',
    'ruling_from_fund',
    'ruling_fee_back',
    'dist_share_back',
    'invite_reward_back',
  ];
  const { rows } = await sql<{ code: PostingCode; fen: number; at: Date }>`
    select code, amount_fen as fen, created_at as at from ledger_transfer where order_id = ${d.orderId} and code = any(${[...visibleCodes]}) order by id`.execute(
    db,
  );
  return rows.map((r) => ({
    kind: 'money',
    who: '系统',
    text: `${postings[r.code].title} ¥${yuanLabel(r.fen)}`,
    pictures: [],
    time: r.at,
  }));
}

interface ChatRow {
  sender: string;
  type: string;
  content: { content?: string; imageUri?: string };
  recalled: boolean;
  at: Date;
}

async function chat(db: Trx, d: DisputeRow): Promise<Item[]> {
  const { rows } = await sql<ChatRow>`
    select m.sender, m.type, m.content, m.recalled_at is not null as recalled, m.created_at as at
    from chat_group g join chat_message m on m.group_id = g.id
    where g.order_id = ${d.orderId} and m.type in ('text', 'image') and m.created_at <= coalesce(${d.closedAt}, now())
    order by m.seq desc limit ${CHAT_LINES}`.execute(db);
  return rows.map((r) => {
    const who = /^\d+$/.test(r.sender) ? actorName(d, `user:${r.sender}`) : r.sender === 'system' ? '系统' : '平台客服';
    const uri = r.type === 'image' && !r.recalled ? r.content.imageUri : undefined;
    const own = uri?.startsWith('/img/') === true;
    return {
      kind: 'chat',
      who,
      text: r.recalled ? '（已撤回的消息）' : r.type === 'image' ? '图片' : (r.content.content ?? ''),
      pictures: own && uri ? [{ url: uri.split('?')[0] ?? uri, thumb: `${uri.split('?')[0] ?? uri}?w=320` }] : [],
      time: r.at,
    };
  });
}

/** Evidence that the platform has on record for an order, oldest first; parties need not submit it (platform rule 4.1). */
export async function loadEvidence(db: Trx, d: DisputeRow): Promise<Item[]> {
  const parts = await Promise.all([steps(db, d), handover(db, d), moneyLines(db, d), chat(db, d)]);
  return parts.flat().toSorted((a, b) => a.time.getTime() - b.time.getTime());
}
