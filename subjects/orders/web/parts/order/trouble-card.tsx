import type { ReactNode } from 'react';
import { OrderStatus, isInProgress } from '../../../rules/order-status.ts';
import { BOOSTING, isAccountOrder, isService, sellerNoun } from '../../../rules/order-types.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { servicePath } from './order-links.ts';
import { OrderActions } from '../actions/order-actions.tsx';
import type { ActionOrder, OrderAction } from '../actions/action-kinds.ts';

export interface TroubleOrder extends ActionOrder {
  status: number;
  viewer: 'buyer' | 'seller';
  acts: readonly OrderAction[];
  cancelAsked: boolean;
  disputed: boolean;
  ensureId: number;
  fixEnsureId: number;
}

/** The actions for an order with a problem, by the server's names; all others are due or harmless. */
const WAYS_OUT: ReadonlySet<string> = new Set(['cancel', 'sellerCancel', 'askCancel', 'dispute']);

/** Whether the order's page has the card: from the payment on, while something can still be stopped. */
const hasTrouble = ({ status, acts: actions }: Pick<TroubleOrder, 'status' | 'acts'>): boolean =>
  isInProgress(status) || (status === OrderStatus.Completed && actions.some(({ act: action }) => action === 'dispute'));

/** The actions of the due-action card: all except those of this card. */
export const dueActions = (order: Pick<TroubleOrder, 'status' | 'acts'>): readonly OrderAction[] =>
  hasTrouble(order) ? order.acts.filter(({ act: action }) => !WAYS_OUT.has(action)) : order.acts;

/** Whether and how the order can be cancelled. */
export function cancelText(
  { acts: actions, viewer, cancelAsked, disputed, tradedTypeId, status }: TroubleOrder,
  isAccepted: boolean,
): string {
  const open = (name: string) => actions.some(({ act: action, enabled }) => action === name && enabled);
  if (disputed) return '申诉处理中，现在不能取消，由裁决决定。';
  if (cancelAsked)
    return viewer === 'buyer' ? '已向卖家申请取消，等卖家答复；卖家不同意可以申诉。' : '买家已申请取消，请在上方答复。';
  if (open('sellerCancel')) return '无法交付时可以取消，货款全额退回买家；会计入您的卖家记录。';
  if (open('cancel')) return '现在可以直接取消，货款全额退还给您。';
  if (open('askCancel')) return '卖家或客服已开始处理，取消需要卖家同意；卖家不同意可以申诉，由平台裁决。';
  if (isService(tradedTypeId) && status === OrderStatus.Paid && !isAccepted)
    return viewer === 'seller'
      ? '不能接单请在「服务进度」里拒绝，货款全额退回买家。'
      : '还没有接单，在「服务进度」里取消，货款全额退还给您。';
  if (isService(tradedTypeId) && status === OrderStatus.Paid)
    return tradedTypeId === BOOSTING
      ? '进行中的代练在「服务进度」里协商取消，双方同意后按进度结算；谈不拢可以申诉。'
      : '陪玩在「服务进度」里取消或提前结束，按实际分钟结算；有问题可以申诉。';
  return viewer === 'buyer' ? '现在不能直接取消；有问题请申诉，由平台裁决。' : '现在不能取消；有问题请申诉或联系客服。';
}

function disputeText({ tradedTypeId, viewer, disputed, status }: TroubleOrder): string {
  if (disputed) return '申诉处理中，全部计时已停，尚未放出的货款由平台冻结。';
  const end = '15 分钟内首次处理，期间计时停止。';
  if (status === OrderStatus.Completed) return `保护期内仍可申诉，货款不会放出。${end}`;
  if (viewer === 'seller') return `买家不配合，或描述与事实不符，可以申诉。${end}`;
  return `${isAccountOrder(tradedTypeId) ? '账号与描述不符' : isService(tradedTypeId) ? '结果或时长不符' : '数量或内容不符'}、${sellerNoun(tradedTypeId)}不配合，都可以申诉。${end}`;
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="border-line-soft px-4 py-3.5 max-md:flex max-md:items-center max-md:gap-4 max-md:border-t max-md:first:border-t-0 md:grid md:content-start md:gap-1.5 md:border-l md:first:border-l-0">
      <div className="grid min-w-0 flex-1 gap-1.5">
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="text-12 text-ink-3">{text}</p>
      </div>
      <div className="flex max-md:flex-none md:mt-1">{children}</div>
    </div>
  );
}

/**
 * Help with problems: cancelling, a dispute, and the guarantee or customer service, each with its consequence.
 * `isAccepted`: whether the provider of a service has accepted the order.
 */
export function TroubleCard({
  order,
  isAccepted,
  onDone,
}: {
  order: TroubleOrder;
  isAccepted: boolean;
  onDone: (action: string) => void;
}) {
  if (!hasTrouble(order)) return null;
  const some = (names: readonly string[]) => order.acts.filter(({ act: action }) => names.includes(action));
  const dispute = some(['dispute']);
  const covered = order.ensureId > 0 || order.fixEnsureId > 0;
  const cancels = isInProgress(order.status);
  return (
    <section className="panel" aria-label="出现问题时">
      <div className="panel-head">
        <h2>出现问题时</h2>
      </div>
      <div className={cancels ? 'md:grid md:grid-cols-3' : 'md:grid md:grid-cols-2'}>
        {cancels && (
          <Way title="取消订单" text={cancelText(order, isAccepted)}>
            <OrderActions
              order={order}
              actions={some(['cancel', 'sellerCancel', 'askCancel'])}
              size="sm"
              isStart
              onDone={onDone}
            />
          </Way>
        )}
        <Way title="申诉" text={disputeText(order)}>
          <OrderActions order={order} actions={dispute} size="sm" isStart onDone={onDone} />
        </Way>
        {covered && order.viewer === 'buyer' ? (
          <Way
            title="包赔"
            text="交易成功后开始生效。账号被找回等情形先追索，追不回由平台赔付，证书和进度在「我的包赔」。"
          >
            <ButtonLink size="sm" to="/center/buyGuarantee">
              查看包赔
            </ButtonLink>
          </Way>
        ) : (
          <Way title="平台客服" text="拿不准的先问平台客服；账号密码不要发给任何人，只填在密封信息里。">
            <ButtonLink size="sm" to={servicePath(order)}>
              联系客服
            </ButtonLink>
          </Way>
        )}
      </div>
    </section>
  );
}
