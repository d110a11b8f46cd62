import { Link } from 'react-router';
import { type DisputeItem, disputeList } from '#subjects/disputes/contract/dispute.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { disputePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

function Row({ item }: { item: DisputeItem }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,1fr)_200px_96px]">
      <GoodsSummary
        title={item.bigTitle}
        gameName={item.gameName}
        typeId={item.orderTypeId}
        typeName={item.orderTypeName}
        thumbnail={item.thumbnail}
        seed={item.orderSn}
        to={disputePath(item.disputeSn)}
        lines={1}
        className="max-md:col-span-2"
      >
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span>{item.mine ? '我发起' : '对方发起'}</span>
          <span>{item.reasonName}</span>
          <span>
            诉求 {item.wantName}
            {item.wantAmount && (
              <>
                {' '}
                <Amount yuan={item.wantAmount} />
              </>
            )}
          </span>
          <TimeLabel at={item.openTime} />
        </p>
      </GoodsSummary>
      <span className="grid gap-1 text-13">
        <span>
          <Tag {...(item.status === 'closed' ? {} : { tone: 'attn' as const })}>{item.statusName}</Tag>
        </span>
        <span className="text-12 text-ink-3">
          {item.waits}
          {item.deadline && <span className="whitespace-nowrap">{` · ${shortAt(item.deadline)} 前`}</span>}
        </span>
        {item.refunded && item.refunded !== '0.00' && (
          <span className="text-12 text-ink-2">
            退回买家 <Amount yuan={item.refunded} />
          </span>
        )}
      </span>
      <span className="justify-self-end">
        <ButtonLink to={disputePath(item.disputeSn)} size="sm">
          查看
        </ButtonLink>
      </span>
    </li>
  );
}

/** The open and closed disputes of the viewer's orders, bought or sold. */
export function Complaints({ first, state }: { first: Data<typeof disputeList>; state: 'open' | 'closed' }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(disputeList, { state, pageSize: 20, cursor }, { quiet: true }),
    ({ disputeSn }) => disputeSn,
  );
  const tabs = [
    { key: 'open', label: '处理中', to: '/center/buyComplaint', count: first.counts.open },
    { key: 'closed', label: '已结案', to: '/center/buyComplaint?state=closed', count: first.counts.closed },
  ] as const;
  return (
    <section className="panel" aria-labelledby="complaints">
      <div className="panel-head flex-wrap">
        <h1 id="complaints" className="text-16 font-semibold">
          我的申诉
        </h1>
        <p>申诉期间订单计时与放款全部停止</p>
        <Link to="/rulings" className="hit link ml-auto text-13">
          查看公开裁决与规则
        </Link>
      </div>
      <LinkTabs label="申诉状态" items={tabs.map((tab) => ({ ...tab, isCurrent: state === tab.key }))} />
      {items.length === 0 ? (
        <EmptyState
          title={state === 'open' ? '没有处理中的申诉' : '没有结案的申诉'}
          action={
            <>
              <ButtonLink to="/center/buyGoodsOrder" kind="primary">
                去我买到的
              </ButtonLink>
              <ButtonLink to="/center/sellOrder">去我卖出的</ButtonLink>
            </>
          }
        >
          交易出了问题，从订单里点「申诉」。交易成功后、保护期结束前也可以申诉。
        </EmptyState>
      ) : (
        <>
          <ul aria-label="申诉">
            {items.map((item) => (
              <Row key={item.disputeSn} item={item} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
