import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type StaffOrder, staffOrderList } from '#contract/backstage-orders.ts';
import { OrderStatus, orderTypeNames } from '#contract/rules/order-status.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { OrderStatusLabel } from '#web/parts/order/order-status.tsx';
import { fullAt, shortAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { FilterBar, FilterSelect, FilterKeyword } from './parts/filter-bar.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '订单', noindex: true });
}

/** The query: a state (or 'all') and one of the work lists. */
export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const status = of('status');
  const scope = of('scope');
  const query = {
    status: status === undefined || status === 'all' ? undefined : status,
    goodsTypeId: of('goodsTypeId'),
    keyWord: of('keyWord'),
    mine: scope === 'mine' ? true : undefined,
    late: scope === 'late' ? true : undefined,
    cancelAsked: scope === 'cancel' ? true : undefined,
    second: scope === 'second' ? true : undefined,
    stopped: scope === 'stopped' ? true : undefined,
    pageSize: 30,
  };
  return { first: await market(args).call(staffOrderList, query), query };
}

function Badges({ order }: { order: StaffOrder }) {
  return (
    <span className="flex flex-wrap gap-1">
      {order.disputed && <Tag tone="danger">申诉中</Tag>}
      {order.late && <Tag tone="danger">超时未发货</Tag>}
      {order.cancelAsked && <Tag tone="attn">申请取消</Tag>}
      {!order.late && order.deadline && (
        <span className="text-12 text-ink-3" title={fullAt(order.deadline)}>
          {shortAt(order.deadline)} {order.status === OrderStatus.Paid ? '前发货' : '自动确认'}
        </span>
      )}
    </span>
  );
}

function Row({ order }: { order: StaffOrder }) {
  return (
    <tr>
      <td className="text-12 whitespace-nowrap" data-wide="">
        <Link to={`/backstage/orders/${order.orderSn}`} className="link text-13">
          {order.orderSn}
        </Link>
        <time className="block text-ink-3 max-md:ml-3 max-md:inline" dateTime={order.createTime}>
          {fullAt(order.createTime)}
        </time>
      </td>
      <td data-wide="" className="max-w-80">
        <span className="line-clamp-1">
          <TypeTag typeId={order.orderTypeId} name={order.orderTypeName} className="mr-1.5" />
          <b className="mr-1 font-semibold">{order.gameName}</b>
          {order.bigTitle}
        </span>
        <span className="text-12 text-ink-3">{order.distName}</span>
      </td>
      <td className="num font-semibold">
        <Amount yuan={order.totalPrice} />
      </td>
      <td data-label="买家">
        <Link to={`/backstage/users?keyWord=${order.buyerId}`} className="hover:text-link">
          {order.buyerName}
        </Link>
      </td>
      <td data-label="卖家">
        <Link to={`/backstage/users?keyWord=${order.sellerId}`} className="hover:text-link">
          {order.sellerName}
        </Link>
      </td>
      <td>
        <OrderStatusLabel status={order.status} name={order.statusName} />
        <Badges order={order} />
      </td>
      <td className="text-ink-2" data-label="客服">
        {order.staffName ?? <span className="text-ink-3">未分配</span>}
      </td>
    </tr>
  );
}

function Filters() {
  return (
    <FilterBar names={['scope', 'goodsTypeId', 'keyWord']} preserve={['status']}>
      <FilterSelect
        name="scope"
        label="范围"
        all="全部订单"
        options={[
          ['mine', '我负责的'],
          ['late', '超时未发货'],
          ['cancel', '买家申请取消'],
          ['stopped', '等必做步骤'],
          ['second', '退款或代发货待复核'],
        ]}
      />
      <FilterSelect name="goodsTypeId" label="类型" all="全部类型" options={Object.entries(orderTypeNames)} />
      <FilterKeyword placeholder="订单、商品、用户编号或手机号" />
    </FilterBar>
  );
}

/** Every order that the caller may see, by state, by work list, and by search. */
export default function OrdersPage() {
  const { first, query } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffOrderList, { ...query, cursor }, { quiet: true }),
    ({ orderSn }) => orderSn,
  );
  return (
    <>
      <div className="office-head">
        <h1>订单</h1>
        <p>{countText(first.total, first.more)} 笔</p>
        <div className="ml-auto max-lg:ml-0">
          <Filters />
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="订单">
        <StatusTabs
          name="status"
          label="状态"
          items={[
            { key: 'all', text: '全部' },
            { key: '0', text: '待付款' },
            { key: '1', text: '待发货' },
            { key: '2', text: '待收货' },
            { key: '3', text: '交易成功' },
            { key: '-1', text: '已取消' },
          ]}
        />
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的订单">换一个状态，或核对编号与手机号是否完整。</EmptyState>
        ) : (
          <>
            <AdminTable columns={['订单', '商品', { num: '实付' }, '买家', '卖家', '状态', '客服']}>
              {items.map((order) => (
                <Row key={order.orderSn} order={order} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
