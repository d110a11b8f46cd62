import * as c from '#subjects/promotions/contract/coupon.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import type { Binding } from '#server/binding.ts';
import { type CouponRow, couponCounts, loadCoupons, drawsToday, lastWinners, openCampaigns } from './queries.ts';
import { couponKindNames, liveOdds, lotteryRules, maskNick, nothingOdds } from './rules.ts';
import { drawLottery, lotteryPrizes, receiveCoupon } from './service.ts';
import { notifyExpiring } from './expiring.ts';
import { bindCommission } from './staff/routes.ts';

const STATUS_NAMES = ['', '可使用', '已使用', '已过期'] as const;

const couponView = (coupon: CouponRow) => ({
  couponId: coupon.id,
  code: coupon.code,
  name: coupon.name,
  kind: coupon.kind,
  kindName: couponKindNames[coupon.kind],
  amount: coupon.amountFen,
  minimum: coupon.minimumFen,
  status: coupon.status,
  statusName: STATUS_NAMES[coupon.status as 1] ?? '',
  orderSn: coupon.orderSn,
  createTime: coupon.createdAt,
  expireTime: coupon.expiresAt,
});

function bindLottery({ ctx, server }: Binding): void {
  server.serve(c.lotteryInfo, async ({ dist, caller }) => {
    const setting = ctx.dir.setting('lottery');
    const user = caller.user;
    const [prizes, winners, drawn] = await Promise.all([
      lotteryPrizes(ctx.db, dist.id, user?.id ?? null),
      lastWinners(ctx.db),
      user ? drawsToday(ctx.db, user.id) : null,
    ]);
    const open = setting.open && prizes.length > 0;
    const ends = prizes.map(({ endsAt }) => endsAt.getTime());
    return {
      open,
      startTime: null,
      endTime: open ? new Date(Math.max(...ends)) : null,
      drawsPerDay: setting.drawsPerDay,
      drawsLeft: drawn === null ? null : Math.max(0, setting.drawsPerDay - drawn),
      prizes: [
        ...prizes.map((p, prizeIndex) => ({
          prizeIndex,
          name: p.name,
          kindName: couponKindNames[p.kind],
          amount: p.amountFen,
          oddsPercent: liveOdds(p) / 100,
          left: p.left,
        })),
        {
          prizeIndex: prizes.length,
          name: '未中奖',
          kindName: '谢谢参与',
          amount: null,
          oddsPercent: nothingOdds(prizes) / 100,
          left: null,
        },
      ],
      winners: winners.map((w) => ({ nickName: maskNick(w.nickName), name: w.name, time: w.at })),
      rules: lotteryRules(setting.drawsPerDay),
    };
  });
}

/** Calls for coupons and the lottery, and the daily notice about expiring coupons. */
export function bindPromotions(binding: Binding): void {
  const { ctx, server } = binding;
  bindCommission(binding);
  bindLottery(binding);
  binding.effects.every('coupon.expiring', notifyExpiring);
  server.serve(c.couponCampaignList, async ({ dist, caller }) => {
    const open = await openCampaigns(ctx.db, { distId: dist.id, userId: caller.user?.id ?? null, lottery: false });
    return {
      list: open.map((k) => ({
        code: k.code,
        name: k.name,
        kind: k.kind,
        kindName: couponKindNames[k.kind],
        amount: k.amountFen,
        minimum: k.minimumFen,
        left: k.left,
        validDays: k.validDays,
        endTime: k.endsAt,
        received: k.received,
      })),
    };
  });
  server.serve(c.userCouponList, async ({ user }, input) => {
    const limit = input.pageSize ?? 20;
    const [rows, counts] = await Promise.all([
      loadCoupons(ctx.db, {
        userId: user.id,
        status: input.status,
        beforeId: decodeId(input.cursor),
        limit: limit + 1,
        offset: ((input.pages ?? 1) - 1) * limit,
      }),
      couponCounts(ctx.db, user.id),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const total = input.status === undefined ? counts['1'] + counts['2'] + counts['3'] : counts[`${input.status as 1}`];
    return {
      list: page.map(couponView),
      counts,
      total: Math.min(total, 1000),
      totalCapped: total > 1000,
      next: rows.length > limit && last ? encodeCursor([last.id]) : null,
    };
  });
  server.serve(c.distributeUserCoupon, async (call, { act: action, code }) => {
    if (action === 'draw') {
      const { coupon, prizeIndex, drawsLeft } = await drawLottery(call);
      return { won: coupon !== null, coupon: coupon && couponView(coupon), prizeIndex, drawsLeft };
    }
    const coupon = await receiveCoupon(call, code ?? '');
    return { won: true, coupon: couponView(coupon), prizeIndex: null, drawsLeft: null };
  });
}
