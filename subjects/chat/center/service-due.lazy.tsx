import { isInProgress } from '#subjects/orders/rules/order-status.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { turnLabel } from '#subjects/orders/rules/order-text.ts';
import { DueHead } from '#subjects/orders/web/parts/handover/handover-turn.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import type { ChatOrder } from './chat-loader.ts';
import { StopCompanion } from '#subjects/services/center/companion/stop-companion.tsx';

/** The due step, with a link to its actions on the order's page. */
function Due({ order }: { order: ChatOrder }) {
  const { title, turn } = order.due;
  const mine = turn === order.viewer;
  return (
    <section className={cx('panel overflow-clip', mine && 'border-attn-line')} aria-label="这一步">
      <DueHead
        title={title}
        turn={turn ? turnLabel(turn, order.viewer, order.tradedTypeId) : undefined}
        mine={mine}
        as="h3"
      >
        <p className="text-13 text-ink-2">提交进度、确认、取消都在订单页的「服务进度」里。</p>
        <ButtonLink
          to={orderPath(order.orderSn)}
          size="sm"
          {...(mine && { kind: 'primary' as const })}
          className="mt-1.5 justify-self-start"
        >
          去服务进度
        </ButtonLink>
      </DueHead>
    </section>
  );
}

/** A running service next to its conversation: the due step, and in companion play the button to stop immediately. */
export default function ServiceDue({ order }: { order: ChatOrder }) {
  if (!isInProgress(order.status)) return null;
  return (
    <>
      <Due order={order} />
      {order.orderTypeId === COMPANION_PLAY && <StopCompanion orderSn={order.orderSn} />}
    </>
  );
}
