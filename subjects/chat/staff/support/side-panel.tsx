import { OrderStatus, isCancelled } from '#subjects/orders/rules/order-status.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import type { ReactNode } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type staffImSidebar, staffSolve } from '#subjects/chat/contract/im-support.ts';
import { turnLabel } from '#subjects/orders/rules/order-text.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { OrderStatusLabel } from '#subjects/orders/web/parts/order/order-status.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { FormRequest } from './forms/form-request.tsx';
import { secondsText } from '#subjects/back-office/staff/parts/seconds.ts';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

type Side = Data<typeof staffImSidebar>;

function Order({ order, isMine }: { order: NonNullable<Side['order']>; isMine: boolean }) {
  return (
    <section className="grid gap-1.5 p-3" aria-label="订单">
      <p className="flex items-center gap-2">
        <PageLink to={`/backstage/orders/${order.orderSn}`} className="text-12">
          {order.orderSn}
        </PageLink>
        <span className="ml-auto">
          <OrderStatusLabel status={order.status} name={order.statusName} />
        </span>
      </p>
      <p className="line-clamp-2">
        <TypeTag typeId={order.typeId} name={order.typeName} className="mr-1.5" />
        <b className="mr-1 font-semibold">{order.gameName}</b>
        {withoutGame(order.title, order.gameName)}
      </p>
      <p className="flex items-baseline gap-2 text-12 text-ink-3">
        实付 <Amount yuan={order.totalPrice} className="text-14 font-semibold text-ink" />
        {order.deadline && (
          <time dateTime={order.deadline} title={fullAt(order.deadline)} className="ml-auto">
            {shortAt(order.deadline)}{' '}
            {order.status !== OrderStatus.Paid ? '自动确认' : isService(order.typeId) ? '前完成' : '前发货'}
          </time>
        )}
      </p>
      {order.due && (
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {order.due.title}
          {order.due.step !== null && (
            <span className="text-12 font-normal text-ink-3">
              第 {order.due.step} 步，共 {order.due.steps} 步
            </span>
          )}
          {order.due.turn && (
            <Tag {...(order.due.turn === 'staff' && { tone: 'attn' as const })} className="ml-auto font-normal">
              {turnLabel(order.due.turn, isMine ? 'staff' : 'onlooker', order.typeId)}
            </Tag>
          )}
        </p>
      )}
      {order.disputed && isCancelled(order.status) && (
        <p>
          <Tag tone="danger">申诉中</Tag>
        </p>
      )}
    </section>
  );
}

const SIDES = { buyer: '买家', seller: '卖家', owner: '用户' } as const;

/** The listing that a user asks about before buying. */
function Topic({ topic }: { topic: NonNullable<Side['topic']> }) {
  return (
    <section className="grid gap-1.5 p-3" aria-label="咨询的商品">
      <p className="text-12 text-ink-3">咨询的商品 {topic.goodsSn}</p>
      <a href={topic.pageUrl} target="_blank" rel="noreferrer" className="line-clamp-2 hover:text-link">
        {topic.title}
      </a>
      <Amount yuan={topic.price} className="text-14 font-semibold" />
    </section>
  );
}

function People({ people }: { people: Side['people'] }) {
  return (
    <section className="grid gap-3 border-t border-line-soft p-3" aria-label="买卖双方">
      {people.map((person) => (
        <div key={person.userId}>
          <p className="flex items-center gap-2">
            <Tag>{SIDES[person.side]}</Tag>
            <UserLink id={person.userId} className="truncate font-medium">
              {person.nickName}
            </UserLink>
            {!person.verified && <Tag tone="attn">未实名</Tag>}
          </p>
          <p className="mt-1 text-12 text-ink-3">
            {fullAt(person.since).slice(0, 10)} 注册，买 {person.bought} 单，卖 {person.sold} 单
            {person.disputes > 0 && `，申诉 ${person.disputes} 次`}
          </p>
        </div>
      ))}
    </section>
  );
}

/** Order, users, previous agents, and whether the matter is solved. */
export function SidePanel({
  side,
  isMine,
  mayRequest,
  children,
}: {
  side: Side;
  isMine: boolean;
  mayRequest: boolean;
  /** The work on the order. */
  children: ReactNode;
}) {
  const { busy, error, send } = useMutation(staffSolve, { revalidates: true });
  return (
    <div className="text-13">
      {side.order && <Order order={side.order} isMine={isMine} />}
      {children}
      {side.topic && <Topic topic={side.topic} />}
      {side.order && <FormRequest key={side.groupId} groupId={side.groupId} form={side.form} mayRequest={mayRequest} />}
      <People people={side.people} />
      <section className="grid gap-2 border-t border-line-soft p-3" aria-label="接待">
        <p className="flex items-center gap-2 text-12 text-ink-3">
          首次回复 {secondsText(side.firstReplySeconds)}
          {side.rating && <span className="ml-auto">用户评分 {side.rating.score} 分</span>}
        </p>
        {side.rating?.content && <p className="text-12 text-ink-2">“{side.rating.content}”</p>}
        <ol className="grid gap-1 text-12 text-ink-3" aria-label="接待记录">
          {side.before.map((turn) => (
            <li key={turn.from} className="flex flex-wrap gap-x-2">
              <span className="text-ink-2">{turn.name}</span>
              {turn.reason}
              <time dateTime={turn.from} title={fullAt(turn.from)} className="ml-auto whitespace-nowrap">
                {shortAt(turn.from)} {turn.to ? `至 ${shortAt(turn.to)}` : '起'}
              </time>
            </li>
          ))}
        </ol>
        {isMine && !side.closed && (
          <Button
            size="sm"
            busy={busy}
            aria-pressed={side.solved}
            onClick={() => void send({ groupId: side.groupId, solved: !side.solved })}
          >
            {!side.order ? '结束咨询' : side.solved ? '已解决，重新打开' : '标记为已解决'}
          </Button>
        )}
        <FormError>{error}</FormError>
      </section>
    </div>
  );
}
