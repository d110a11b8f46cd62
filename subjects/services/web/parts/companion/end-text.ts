import { grouped } from '#web/lib/format/format.ts';
import type { ServiceOrder } from '../service/service-order.ts';

type Play = Pick<
  NonNullable<ServiceOrder['play']>,
  'playedMinutes' | 'orderedMinutes' | 'trialMinutes' | 'back' | 'seller' | 'prolongedSn'
>;

/** What ending a running play now leads to, for the party who is about to do it: minutes, amounts and an order that prolongs it. */
export function endConsequences(viewer: ServiceOrder['viewer'], play: Play): string[] {
  const { playedMinutes: played, orderedMinutes, trialMinutes, back, seller } = play;
  const isTrial = played !== null && played <= trialMinutes;
  const money =
    viewer === 'buyer'
      ? isTrial
        ? `还在 ${trialMinutes} 分钟免费时间内，全额退回您 ${grouped(back)} 元。`
        : `没有玩的时间退回您 ${grouped(back)} 元，已玩的付给陪玩。`
      : isTrial
        ? `还在 ${trialMinutes} 分钟免费时间内，全额退回买家，您没有收入。`
        : `退回买家 ${grouped(back)} 元${seller === null ? '' : `，您到手 ${grouped(seller)} 元`}。`;
  return [
    `已玩 ${played ?? 0} 分钟，共 ${orderedMinutes} 分钟；按您确认结束的那一刻计算。`,
    money,
    ...(play.prolongedSn === null ? [] : ['加钟的订单不再继续，全额退款。']),
    '结束后不能恢复；对方确认，或到时没有申诉，按此结算。',
  ];
}
