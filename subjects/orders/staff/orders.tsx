import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { orderList, type StaffOrder } from '#subjects/orders/contract/list-orders.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { OrderStatusLabel } from '../web/parts/order/order-status.tsx';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { chatLink, orderBulkActions } from './order/bulk-actions.tsx';
import { OrderDrawer } from './order/order-drawer.tsx';
import { GameIcon } from '#subjects/games/web/parts/games/game-icon.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  return {
    ...(await loadList(args, orderList, staffOrderList)),
    canAct: staffCan(staff, 'order.act'),
    canTalk: staffCan(staff, 'chat.serve'),
  };
}

const VIEWS = [
  { name: '快到时限', query: 'due=1&sort=deadline' },
  { name: '我负责的', query: 'mine=1&status=1%2C2' },
  { name: '没有客服', query: 'status=1%2C2&unassigned=1' },
  { name: '待复核', query: 'second=1' },
  { name: '申请取消', query: 'cancelAsked=1' },
  { name: '申诉中', query: 'disputed=1' },
] as const;

const read = rowsOf(staffOrderList);

/** The deadline of an order, or why it has none. */
function Due({ order }: { order: StaffOrder }) {
  if (order.deadline) return <ListClock end={order.deadline} from={order.clockFrom} />;
  return order.disputed ? <span className="text-12 text-ink-3">计时已停</span> : <span className="text-ink-4">—</span>;
}

const cells: CellViews<StaffOrder> = {
  orderSn: (o) => (
    <>
      <Link to={`/backstage/orders/${o.orderSn}`} className="list-sn">
        {o.orderSn}
      </Link>
      <time className="block text-12 text-ink-3" dateTime={o.createTime} title={fullAt(o.createTime)}>
        {shortAt(o.createTime)}
      </time>
    </>
  ),
  bigTitle: (o) => (
    <span className="list-goods flex items-center gap-2">
      <GameIcon src={o.gameIcon} />
      <span className="min-w-0">
        <span className="line-clamp-1">{o.bigTitle}</span>
        <span className="line-clamp-1 text-12 text-ink-3">
          <TypeTag typeId={o.orderTypeId} name={o.orderTypeName} className="mr-1.5" />
          {o.gameName}
        </span>
      </span>
    </span>
  ),
  totalPrice: (o) => <Amount yuan={o.totalPrice} className="font-semibold" />,
  statusName: (o) => (
    <>
      <span className="flex items-center gap-1">
        <OrderStatusLabel status={o.status} name={o.statusName} />
        {o.disputed && <Tag tone="danger">申诉中</Tag>}
        {o.cancelAsked && <Tag tone="attn">申请取消</Tag>}
      </span>
      {o.dueText && (
        <span className="block text-12 text-ink-3">
          {o.dueText} {o.stepText}
        </span>
      )}
    </>
  ),
  deadline: (o) => <Due order={o} />,
  staffName: (o) =>
    o.staffName === null ? (
      <span className="text-ink-3">未分配</span>
    ) : (
      <span className="flex items-center gap-1.5">
        <Avatar name={o.staffName.replace(/^客服/, '')} size={20} />
        {o.staffName}
      </span>
    ),
};

function Card({ order }: { order: StaffOrder }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{order.bigTitle}</b>
        <span className="ml-auto flex-none font-semibold">
          <Amount yuan={order.totalPrice} />
        </span>
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <OrderStatusLabel status={order.status} name={order.statusName} />
        <span className="line-clamp-1">{order.dueText || `${order.gameName} ${shortAt(order.createTime)}`}</span>
        <span className="ml-auto flex-none">{(order.deadline || order.disputed) && <Due order={order} />}</span>
      </span>
    </>
  );
}

/** All orders visible to the caller. */
export default function OrdersPage() {
  const { canAct, canTalk, ...data } = useLoaderData<typeof loader>();
  const games = data.first.games.map(({ gameId, name }) => [String(gameId), name] as const);
  const sites = data.first.sites.map(({ distId, name }) => [String(distId), name] as const);
  const { gameId, distId } = orderList.filters;
  const filters = {
    ...orderList.filters,
    gameId: { ...gameId, options: games },
    distId: { ...distId, options: sites },
  };
  return (
    <ListPage
      list={{ ...orderList, filters }}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(order) => <Card order={order} />}
      sumOf={({ totalPrice }) => totalPrice}
      deadlineOf={({ deadline }) => deadline}
      bulkActions={canAct ? orderBulkActions : []}
      drawer={(row, controls) => <OrderDrawer row={row} controls={controls} />}
      pageOf={({ orderSn }) => `/backstage/orders/${orderSn}`}
      chatOf={canTalk ? chatLink : undefined}
      empty="去掉一个筛选，或核对编号与手机号是否完整。"
    />
  );
}
