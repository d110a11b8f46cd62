import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { OrderStatus } from '../../rules/order-status.ts';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { inviteList, inviteStats } from '#subjects/orders/contract/invite.ts';
import { rateText } from '#contract/rules/fee.ts';
import type { UserCall } from '#server/access/call.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { account, maturingByOrder } from '#subjects/ledger/server/service.ts';

const DAYS = 30;

/** The terms of inviting, as shown on its page. */
const rulesOf = (share: string): string[] => [
  `好友通过您的链接或邀请码注册后，他买到商品并交易成功，您得平台手续费收入（卖家佣金与买家服务费）的 ${share}。`,
  '奖励由平台从手续费中支付，好友和卖家都不多付一分钱；成交时先记为待结算，该订单保护期结束后进入您的可用余额，可付款，也可提现。',
  '向自己邀请的人出售不计奖励；保护期内退款、裁决或理赔的订单，奖励按同样比例收回。邀请关系在注册时确定，之后不能更改。',
];

interface Sums {
  code: string;
  invited: number;
  active: number;
  total: number;
}

/** Invite code, link, QR, and rewards by day. The link uses the requested site. */
export async function loadStats({ ctx, user, origin }: UserCall): Promise<HandlerResult<typeof inviteStats>> {
  const of = account.maturing(user.id);
  const today = chinaDay(new Date());
  const from = dayAfter(today, 1 - DAYS);
  const [sums, byDay, maturing] = await Promise.all([
    sql<Sums>`
      select u.invite_code as code, (select count(*) from app_user i where i.inviter_id = u.id) as invited,
        (select count(*) from app_user i where i.inviter_id = u.id and i.paid_total_fen > 0) as active,
        (select coalesce(sum(e.delta), 0)::bigint from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
          where e.account = ${of} and t.code <> 'invite_reward_mature') as total
      from app_user u where u.id = ${user.id}`.execute(ctx.db),
    sql<{ day: string; fen: number; orders: number }>`
      select (created_at at time zone 'Asia/Shanghai')::date::text as day, count(*) filter (where code = 'invite_reward') as orders,
        sum(case when code = 'invite_reward' then amount_fen else -amount_fen end)::bigint as fen
      from ledger_transfer where (credit = ${of} or debit = ${of}) and code <> 'invite_reward_mature'
        and created_at >= ${from}::date::timestamp at time zone 'Asia/Shanghai' group by 1`.execute(ctx.db),
    maturingByOrder(ctx.db, { inviterId: user.id }),
  ]);
  const row = sums.rows[0];
  const byDate = new Map(byDay.rows.map((d) => [d.day, d]));
  const shareUrl = `${origin}/register?inviteCode=${row?.code ?? ''}`;
  const share = rateText(ctx.dir.setting('fees').inviteBp);
  return {
    inviteCode: row?.code ?? '',
    shareUrl,
    qrSvg: await QRCode.toString(shareUrl, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' }),
    rateText: share,
    invited: row?.invited ?? 0,
    active: row?.active ?? 0,
    rewardTotal: row?.total ?? 0,
    rewardMaturing: maturing.reduce((sum, m) => sum + m.fen, 0),
    maturing: maturing.map((m) => ({ orderSn: m.orderSn.slice(-6), reward: m.fen, releaseTime: m.releaseAt })),
    reward30: byDay.rows.reduce((sum, d) => sum + d.fen, 0),
    days: Array.from({ length: DAYS }, (_, i) => {
      const day = dayAfter(from, i);
      const entry = byDate.get(day);
      return { day, reward: entry?.fen ?? 0, orders: entry?.orders ?? 0 };
    }),
    rules: rulesOf(share),
  };
}

/** A name as shown to the inviter: first and last character. */
function maskedName(nickName: string): string {
  const signs = [...nickName];
  return signs.length < 3 ? `${signs[0] ?? '玩'}**` : `${signs[0]}**${signs.at(-1)}`;
}

/** The users that a user has invited, newest first, with the reward for each. */
export async function listInvited(
  { ctx, user }: UserCall,
  input: Parsed<typeof inviteList>,
): Promise<HandlerResult<typeof inviteList>> {
  const limit = input.pageSize ?? 20;
  const from = decodeId(input.cursor);
  const offset = from === undefined ? ((input.pages ?? 1) - 1) * limit : 0;
  const { rows } = await sql<{
    id: number;
    nick: string;
    verified: boolean;
    at: Date;
    orders: number;
    fen: number;
  }>`
    select u.id, u.nick_name as nick, u.auth_status = ${sql.lit(AuthStatus.Verified)} as verified, u.created_at as at, o.n as orders, o.fen
    from app_user u cross join lateral (
      select count(*) as n, coalesce(sum(invite_reward_fen) filter (where inviter_id = ${user.id}), 0)::bigint as fen
      from orders where buyer_id = u.id and status = ${sql.lit(OrderStatus.Completed)}) o
    where u.inviter_id = ${user.id} ${from === undefined ? sql`` : sql`and u.id < ${from}`}
    order by u.id desc limit ${limit + 1} offset ${offset}`.execute(ctx.db);
  const count = await sql<{ n: number }>`
    select count(*) as n from (select from app_user where inviter_id = ${user.id} limit 1001) c`.execute(ctx.db);
  const total = count.rows[0]?.n ?? 0;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    list: page.map((r) => ({
      id: r.id,
      nickName: maskedName(r.nick),
      verified: r.verified,
      orders: r.orders,
      reward: r.fen,
      time: r.at,
    })),
    total: Math.min(total, 1000),
    totalCapped: total > 1000,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}
