import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DueText } from '../../../rules/order-party.ts';
import { dueStep, type OrderTextInput, turnLabel } from '../../../rules/order-text.ts';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Amount } from '#web/ui/price.tsx';
import { StepLeft } from '../handover/handover-clock.tsx';
import type { HandoverStep } from '../handover/handover-step.ts';

/** The subject of the conversation when the order itself is not next to it: its picture and the held money. */
function Goods({ thumbnail }: { thumbnail: string }) {
  return (
    <Picture
      src={thumbnail}
      alt=""
      width={44}
      height={32}
      eager
      className="w-11 flex-none"
      fallback={<UserRound className="icon" aria-hidden="true" />}
    />
  );
}

/** The due action, below the header of a conversation: the same text and clock as on the order's card. */
export function DueStrip({
  order,
  goods,
  action,
  className,
}: {
  order: Pick<OrderTextInput, 'status' | 'tradedTypeId' | 'disputed' | 'cancelAsked'> & {
    viewer: 'buyer' | 'seller';
    handover: readonly HandoverStep[];
    due: DueText;
  };
  /** The traded goods, with the amount that the platform holds for the viewer; null when it holds nothing. */
  goods?: { thumbnail: string; held: string | null };
  /** A button at its end, when the step itself is not in view. */
  action?: ReactNode;
  className?: string;
}) {
  const { title, turn } = order.due;
  if (turn === null) return null;
  const mine = turn === order.viewer;
  const dueTime = dueStep<HandoverStep>(order)?.dueTime ?? null;
  return (
    <div
      className={cx(
        'flex flex-none items-center gap-2 border-b px-4 py-2 text-13',
        mine ? 'border-attn-line bg-attn-bg text-attn' : 'border-line-soft bg-sunken text-ink-2',
        className,
      )}
    >
      {goods ? <Goods thumbnail={goods.thumbnail} /> : <UserRound className="icon flex-none" aria-hidden="true" />}
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <b className="font-semibold">{title}</b>，{turnLabel(turn, order.viewer, order.tradedTypeId)}
        </p>
        {goods?.held && (
          <p className="text-12">
            {order.viewer === 'seller' && '还可到手 '}
            <Amount yuan={goods.held} />
            {order.viewer === 'seller' ? '，货款托管中' : ' 托管中'}
          </p>
        )}
      </div>
      {dueTime !== null && <StepLeft due={dueTime} />}
      {action}
    </div>
  );
}
