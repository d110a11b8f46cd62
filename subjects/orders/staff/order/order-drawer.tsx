import { Check } from 'lucide-react';
import { useState } from 'react';
import { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import type { StaffOrder } from '#subjects/orders/contract/list-orders.ts';
import { isInProgress, OrderStatus } from '../../rules/order-status.ts';
import { handoverName, isService, sellerNoun } from '../../rules/order-types.ts';
import { staffLabel, turnLabel } from '../../rules/order-text.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { minutesText, shortAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import { Drawer, DrawerPart, DrawerPerson, DrawerWait, useRecord } from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import { useMayOpen } from '#subjects/back-office/staff/parts/page-link.tsx';
import { chatLink, remindOne } from './bulk-actions.tsx';

type Order = Data<typeof staffOrderDetail>;

const DrawerMoney = lazyWithRetry(
  () => import('./drawer-money.lazy.tsx'),
  <DrawerWait message={null} onRetry={() => undefined} />,
);
const Talk = lazyWithRetry(() => import('./drawer-talk.lazy.tsx'));

function Steps({ order }: { order: Order }) {
  if (order.handover.length === 0)
    return <p className="text-13 text-ink-3">{order.payTime ? '这类商品没有分步交付。' : '付款之后才有交付步骤。'}</p>;
  return (
    <ol className="list-steps">
      {order.handover.map(({ step, title, actorName, state, doneTime, minutes }) => (
        <li key={step} aria-current={state === 'current' ? 'step' : undefined}>
          <i className={cx(state === 'done' && 'list-step-done', state === 'current' && 'list-step-now')}>
            {state === 'done' ? <Check className="icon size-3" aria-label="已完成" /> : step}
          </i>
          <b>{title}</b>
          <span>{actorName}</span>
          <span className="text-ink-3">{doneTime ? shortAt(doneTime) : minutes > 0 && minutesText(minutes)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Why the seller cannot be reminded now. */
function whyNot({ canAct, status, tradedTypeId }: Order): string {
  if (!canAct) return '您没有处理订单的权限';
  if (status === OrderStatus.Unpaid) return '买家还没有付款';
  return isInProgress(status) ? `现在没有轮到${sellerNoun(tradedTypeId)}，不用催` : '订单已经结束';
}

/** The headline with its clock, and the actions; an unavailable one stays visible with the reason next to it. */
function Head({ row, order, onDone }: { row: StaffOrder; order: Order; onDone: () => void }) {
  const reader = order.isAssigned ? 'staff' : 'onlooker';
  const { due } = order;
  const remind = useMutation(remindOne, {
    done: ({ refused }) => {
      if (refused[0]) remind.setErrors({ send: refused[0].text });
      else toast('已在交易群里提醒', 'ok');
      onDone();
    },
  });
  const mayOpen = useMayOpen();
  const chat = mayOpen('/backstage/chat') ? chatLink(row) : null;
  const mayRemind = order.canAct && isInProgress(order.status) && due.turn === 'seller';
  const why = whyNot(order);
  // The deadline of the headline's action; the list is sorted by the order's own deadline.
  const end = order.disputed
    ? null
    : (order.handover.find(({ state }) => state === 'current')?.dueTime ?? row.deadline);
  return (
    <div className="list-drawer-part">
      <div className="flex items-start gap-2">
        <h1 className="text-16 font-semibold">{due.title}</h1>
        {due.turn && (
          <Tag {...(due.turn === 'staff' && { tone: 'attn' as const })}>
            {turnLabel(due.turn, reader, order.tradedTypeId)}
          </Tag>
        )}
        <span className="ml-auto">
          {end ? <ListClock end={end} from={row.clockFrom} /> : order.disputed && <Tag tone="danger">计时已停</Tag>}
        </span>
      </div>
      <p className="text-12 text-ink-2">
        {order.statusName}
        {order.deadline && `，${shortAt(order.deadline)} ${order.deadlineText}`}
        {order.staffName ? `，${staffLabel(order.staffName)}负责` : '，还没有客服'}
      </p>
      <p className="flex flex-wrap items-center gap-2">
        {chat && (
          <ButtonLink kind="primary" size="sm" to={chat}>
            进会话
            <kbd className="kbd">E</kbd>
          </ButtonLink>
        )}
        <Button size="sm" disabled={!mayRemind} busy={remind.busy} onClick={() => void remind.send(order.orderSn)}>
          催{sellerNoun(order.tradedTypeId)}
        </Button>
        {order.canAct && isInProgress(order.status) && (
          <ButtonLink size="sm" to={`/backstage/orders/${order.orderSn}`}>
            {isService(order.tradedTypeId) ? '退款' : '代卖家确认发货、退款'}
          </ButtonLink>
        )}
        {!mayRemind && <span className="text-12 text-ink-3">{why}</span>}
      </p>
      <FormError>{remind.error}</FormError>
      {order.secondAsked && <Tag tone="attn">{order.secondAsked.by}的申请待复核</Tag>}
    </div>
  );
}

/** The order's conversation, for staff who may read it; otherwise the assigned customer service. */
function TalkPart({ groupId, order, to }: { groupId: string; order: Order; to: string }) {
  if (order.readsChat) return <Talk key={groupId} groupId={groupId} order={order} to={to} />;
  return (
    <DrawerPart title="会话">
      <p className="text-13 text-ink-3">
        {order.staffName === null ? '会话还没有人接待。' : `会话由${staffLabel(order.staffName)}接待。`}
      </p>
    </DrawerPart>
  );
}

function Body({ row, order, onDone }: { row: StaffOrder; order: Order; onDone: () => void }) {
  const [now] = useState(() => new Date().toISOString());
  const mayOpen = useMayOpen();
  const chat = mayOpen('/backstage/chat') ? chatLink(row) : null;
  return (
    <>
      <Head row={row} order={order} onDone={onDone} />
      <div className="list-people">
        <DrawerPerson role="买家" name={order.buyerName} id={order.buyerId} note={order.buyerUnion} />
        <DrawerPerson
          role={sellerNoun(order.tradedTypeId)}
          name={order.sellerName}
          id={order.sellerId}
          note={order.sellerUnion}
        />
      </div>
      <DrawerPart
        title={handoverName(order.orderTypeId)}
        note={order.bigTitle.startsWith(order.gameName) ? order.bigTitle : `${order.gameName} ${order.bigTitle}`}
      >
        <Steps order={order} />
      </DrawerPart>
      <DrawerMoney order={order} now={now} />
      {chat !== null && row.groupId !== null && <TalkPart groupId={row.groupId} order={order} to={chat} />}
    </>
  );
}

/**
 * An order next to the list: the due action and its deadline, the steps, the money, and the link to the conversation.
 */
export function OrderDrawer({ row, controls }: { row: StaffOrder; controls: DrawerControls }) {
  const { data, message, again } = useRecord(staffOrderDetail, { orderSn: row.orderSn });
  return (
    <Drawer number={row.orderSn} label="订单编号" page={`/backstage/orders/${row.orderSn}`} controls={controls}>
      {data ? <Body row={row} order={data} onDone={again} /> : <DrawerWait message={message} onRetry={again} />}
    </Drawer>
  );
}
