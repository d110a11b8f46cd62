import { turnLabel } from '#contract/rules/order-text.ts';
import { DueHead } from '#web/parts/order/handover-turn.tsx';
import { orderPath } from '#web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import type { ChatOrder } from './chat-loader.ts';

/** What is due in a service, whose acts are on the order's page. */
export default function ServiceDue({ order }: { order: ChatOrder }) {
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
