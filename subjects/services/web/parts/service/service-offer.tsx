import type { ReactNode } from 'react';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { grouped } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import type { ServiceOrder } from './service-order.ts';

function OfferLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3">
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

/**
 * The terms that a provider accepts: the work, the time, the price and the share, and for a booster the deposits and
 * their purposes.
 */
export function ServiceOffer({
  service: { typeId, mode, modeName, area, note, offer, safetyDeposit, efficiencyDeposit },
  what,
}: {
  service: Pick<
    ServiceOrder,
    'typeId' | 'mode' | 'modeName' | 'area' | 'note' | 'offer' | 'safetyDeposit' | 'efficiencyDeposit'
  >;
  what: string;
}) {
  const isPlay = typeId === COMPANION_PLAY;
  return (
    <dl className="grid gap-1 rounded-control bg-panel px-3 py-2.5 text-13" aria-label="接单前请核对">
      <OfferLine label="内容">{[what, modeName, area].filter(Boolean).join('，')}</OfferLine>
      {isPlay ? (
        <OfferLine label="时间">
          {offer.startTime ? `${fullAt(offer.startTime)} 开始，` : '接单后马上开始，'}共 {spanText(offer.minutes * 60)}
        </OfferLine>
      ) : (
        <OfferLine label="时限">
          {spanText(offer.minutes * 60)}内完成，从{mode === 'account' ? '买家提交账号' : '双方到场'}算起
        </OfferLine>
      )}
      <OfferLine label="报酬">
        <Amount yuan={offer.price} />
        {offer.net !== null && (
          <>
            ，到手 <b className="font-semibold">{grouped(offer.net)} 元</b>（已扣平台佣金）
          </>
        )}
      </OfferLine>
      {note && <OfferLine label="买家要求">{note}</OfferLine>}
      {!isPlay && Number(safetyDeposit) + Number(efficiencyDeposit) > 0 && (
        <OfferLine label="保证金">
          接单冻结安全保证金 {grouped(safetyDeposit)} 元、效率保证金 {grouped(efficiencyDeposit)}{' '}
          元，结束后退回；放弃订单或因超时取消，效率保证金归买家
        </OfferLine>
      )}
    </dl>
  );
}
