import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { completedCard, type Card, closesAt, OPENING_SEQ, paidCard, shippedCard } from '#subjects/chat/server/rules.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { PricedTrade } from '../trades/priced-trade.ts';
import { serviceOf } from '../trades/trades-store.ts';
import type { Market } from '../market.ts';

interface ChatLine {
  by: 'buyer' | 'seller' | 'staff' | 'system';
  text: string;
  /** Minutes before now. */
  ago: number;
  expansion?: 'send_goods' | 'confirm_goods';
  /** Of a line of the system's: the key under which the server would write it, so that it never writes it twice. */
  key?: string;
  card?: Card;
}

const GROUP_COLUMNS = columns(
  'id bigint, group_type smallint, order_id bigint, dist_id int, last_seq bigint, status smallint, created_at timestamptz',
);
const MEMBER_COLUMNS = columns(
  'group_id bigint, member text, role text, is_current boolean, read_seq bigint, joined_at timestamptz',
);
const MESSAGE_COLUMNS = columns(
  'group_id bigint, seq bigint, uid text, sender text, client_msg_id text, type text, content jsonb, expansion jsonb, created_at timestamptz',
);

const paidStates: readonly string[] = ['paid', 'shipped', 'completed'];

/** Time between the parties' last message and the reply of customer service. */
const ANSWER_MINUTES = 1;
/** Among this many conversations, one has been unanswered for a long time and one since the buyer's message just before the demo started; the others are answered. */
const WAITS_EVERY = 6;
const ASKED_MINUTES = 2;

type LastWord = 'waiting' | 'asked' | 'answered';
function lastWordOf(i: number): LastWord {
  if (i % WAITS_EVERY === 0) return 'waiting';
  return i % WAITS_EVERY === 1 ? 'asked' : 'answered';
}

/**
 * Chat messages in an order's group, depending on how far the order is. `lastWord`: whether customer service has answered in an order in
 * progress, so that no answer is due.
 */
function linesOf(
  { trade, terms, sn }: PricedTrade,
  staffName: string,
  at: (minutes: number) => Date,
  lastWord: LastWord,
): ChatLine[] {
  const { paidAgo, shippedAgo, endedAgo } = trade;
  const coin = terms.typeId === OrderType.Coin || terms.typeId === OrderType.Ingots;
  const order = { sn, status: terms.status, goodsFen: terms.goodsFen, autoConfirmAt: null, typeId: terms.typeId };
  const system = (key: string, card: Card, ago: number, expansion?: ChatLine['expansion']): ChatLine => ({
    by: 'system',
    text: '',
    ago,
    key,
    card,
    ...(expansion && { expansion }),
  });
  const lines: ChatLine[] = [
    system('order.paid', paidCard(order, staffName), paidAgo),
    {
      by: 'staff',
      text: '您好，我是本单客服，有问题随时在群里说。账号密码请填在密封信息里，不要直接发在聊天中。',
      ago: paidAgo - 0.4,
    },
  ];
  if (trade.end !== 'paid' || trade.stepsDone > 0) {
    lines.push(
      { by: 'buyer', text: coin ? '在线，角色已经在拍卖行旁边等了' : '好的，什么时候可以开始换绑？', ago: paidAgo - 2 },
      {
        by: 'seller',
        text: coin ? '收到，五分钟内给你送过去' : '现在就可以，我先把手机解绑验证码发到密封信息',
        ago: paidAgo - 4,
      },
    );
  }
  if (trade.end === 'shipped' || trade.end === 'completed') {
    lines.push(system('order.shipped', shippedCard(order), shippedAgo, 'send_goods'));
    lines.push({
      by: 'seller',
      text: coin ? '已经邮寄过去了，注意查收邮件' : '全部换绑完了，你上去看看',
      ago: shippedAgo - 1,
    });
  }
  const last = lines.at(-1);
  if (lastWord !== 'waiting' && last && last.by !== 'staff' && trade.end !== 'completed' && last.ago > ANSWER_MINUTES)
    lines.push({
      by: 'staff',
      text:
        trade.end === 'shipped'
          ? '请买家核对无误后在订单页确认收货，有问题先在群里说，我来处理。'
          : '好的，我在群里跟着，双方按交付卡片一步一步来就行。',
      ago: last.ago - ANSWER_MINUTES,
    });
  if (lastWord === 'asked' && trade.end !== 'completed')
    lines.push({ by: 'buyer', text: '还差哪一步？麻烦客服看一下', ago: ASKED_MINUTES });
  if (trade.end === 'completed') {
    lines.push({ by: 'buyer', text: '看过了，没问题，谢谢', ago: endedAgo + 2 });
    const card = completedCard(closesAt(at(endedAgo), null), terms.typeId);
    lines.push(system('order.completed', card, endedAgo, 'confirm_goods'));
  }
  return lines;
}

/** Groups of the orders that were paid, with their members and what they wrote. The demo logins have not read the last message. */
export async function storeChats(market: Market, trades: readonly PricedTrade[]): Promise<void> {
  const withGroup = trades.filter((p) => paidStates.includes(p.trade.end));
  const ids = await reserveIds(market.client, 'chat_group', withGroup.length);
  const groups: unknown[][] = [];
  const members: unknown[][] = [];
  const messages: unknown[][] = [];
  for (const [i, p] of withGroup.entries()) {
    const id = ids[i] ?? 0;
    const staff = serviceOf(market, p.orderId);
    const names = {
      buyer: String(p.terms.buyerId),
      seller: String(p.terms.sellerId),
      staff: `s${staff.id}`,
      system: 'system',
    };
    const lines = linesOf(p, staff.name, (minutes) => market.ago(minutes), lastWordOf(i));
    const last = OPENING_SEQ + lines.length - 1;
    const opened = market.ago(p.trade.paidAgo);
    groups.push([id, 1, p.orderId, p.terms.distId, last, 1, opened]);
    const roles = ['buyer', 'seller', 'staff'] as const;
    // The author of the last message has read it.
    const readTo = (role: ChatLine['by']) => (lines.at(-1)?.by === role ? last : last - 1);
    members.push(...roles.map((role) => [id, names[role], role, role === 'staff', readTo(role), opened]));
    for (const [n, line] of lines.entries()) {
      const uid = `D${mixSeed(id, n, 97).toString(36)}${id.toString(36)}${n}`;
      const content = line.card ?? { content: line.text };
      const expansion = line.expansion ? { type: line.expansion, orderSn: p.sn } : null;
      messages.push([
        id,
        OPENING_SEQ + n,
        uid,
        names[line.by],
        line.key ?? `demo-${n}`,
        line.card ? 'card' : 'text',
        content,
        expansion,
        market.ago(line.ago),
      ]);
    }
  }
  await insertRows(market.client, 'chat_group', GROUP_COLUMNS, groups);
  await insertRows(market.client, 'chat_member', MEMBER_COLUMNS, members);
  await insertRows(market.client, 'chat_message', MESSAGE_COLUMNS, messages);
}

/** Gives the groups the clocks of their last messages, as the functions that store a message do; the orders' clocks are set by triggers. */
export async function storeChatClocks({ client }: Market): Promise<void> {
  await client.query(`update chat_group g set last_at = m.created_at, reply_by = chat_reply_by(m.sender, m.type, m.created_at)
    from chat_message m where m.group_id = g.id and m.seq = g.last_seq`);
}
