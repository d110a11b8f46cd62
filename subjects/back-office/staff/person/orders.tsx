import { useState } from 'react';
import { Link } from 'react-router';
import { personOrders } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { durationText } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { AdminTable } from '../parts/admin-table.tsx';
import { Choice } from '../parts/choice.tsx';
import { Panel } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import type { PersonData } from './data.ts';
import { UserLink } from '../parts/user-link.tsx';

type Orders = Data<typeof personOrders>;
type Side = 'sold' | 'bought';

const percent = (part: number, of: number): string => (of === 0 ? '暂无' : `${((part / of) * 100).toFixed(1)}%`);

function Figures({ figures, side }: { figures: Orders['figures']; side: Side }) {
  const ended = figures.done + figures.cancelled;
  const items: readonly [string, string, boolean][] = [
    ['完成率', percent(figures.done, ended), false],
    ['付款到发货，中位', figures.shipMinutes === null ? '暂无' : durationText(figures.shipMinutes), false],
    ['申诉率', percent(figures.disputed, figures.orders), false],
    [
      side === 'sold' ? '卖给关联用户' : '从关联用户买',
      figures.linked === 0 ? '没有' : `${figures.linked} 笔，${percent(figures.linked, figures.orders)}`,
      figures.linked > 0,
    ],
  ];
  return (
    <dl className="person-figures">
      {items.map(([name, value, isOdd]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={isOdd ? 'text-attn' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Row({ order }: { order: Orders['list'][number] }) {
  return (
    <tr>
      <td>
        <Link to={`/backstage/orders/${order.orderSn}`} className="link">
          {order.orderSn}
        </Link>
        <span className="block text-12 text-ink-3">{shortAt(order.createTime)}</span>
      </td>
      <td data-wide="">
        <span className="flex min-w-0 items-center gap-2">
          <TypeTag typeId={order.typeId} />
          <span className="line-clamp-1">{order.title}</span>
        </span>
        <span className="text-12 text-ink-3">{order.gameName}</span>
      </td>
      <td>
        <UserLink id={order.other.userId}>{order.other.nickName}</UserLink>
        {order.isLinked && (
          <Tag tone="attn" className="ml-1.5">
            关联
          </Tag>
        )}
      </td>
      <td className="num">
        <Amount yuan={order.total} />
      </td>
      <td>
        {order.statusName}
        {order.disputed && (
          <Tag tone="danger" className="ml-1.5">
            申诉中
          </Tag>
        )}
      </td>
    </tr>
  );
}

/** The user's orders, as seller or as buyer. */
export function OrdersPanel({ userId, counts }: { userId: string; counts: PersonData['head']['counts'] }) {
  const [side, setSide] = useState<Side>((counts.sold ?? 0) >= (counts.bought ?? 0) ? 'sold' : 'bought');
  const state = usePanel(personOrders, { userId, side });
  return (
    <Panel
      title="订单"
      note="最近 200 笔的数字"
      aside={
        <>
          <Choice
            label="订单"
            value={side}
            options={[
              ['sold', `卖出 ${counts.sold ?? 0}`],
              ['bought', `买入 ${counts.bought ?? 0}`],
            ]}
            onChange={setSide}
          />
          <Link to={`/backstage/services?keyWord=${userId}`} className="link">
            服务订单
          </Link>
          <Link to={`/backstage/orders?keyWord=${userId}`} className="link">
            全部
          </Link>
        </>
      }
      of={state}
      minHeight={320}
    >
      {({ figures, list }) =>
        list.length === 0 ? (
          <EmptyState title={side === 'sold' ? '没有卖出过' : '没有买过'}>
            {side === 'sold' ? '可以切换到「买入」看这位用户买过什么。' : '可以切换到「卖出」看这位用户卖过什么。'}
          </EmptyState>
        ) : (
          <>
            <Figures figures={figures} side={side} />
            <AdminTable columns={['订单', '商品', side === 'sold' ? '买家' : '卖家', { num: '实付' }, '状态']}>
              {list.map((order) => (
                <Row key={order.orderSn} order={order} />
              ))}
            </AdminTable>
          </>
        )
      }
    </Panel>
  );
}
