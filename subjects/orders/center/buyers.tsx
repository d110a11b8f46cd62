import { OrderStatus, FAILED_TAB } from '../rules/order-status.ts';
import { ChevronRight, Gamepad2, Heart, MessageSquare, Wallet } from 'lucide-react';
import { type LoaderFunctionArgs, Link, useLoaderData } from 'react-router';
import { queryOrderList } from '#subjects/orders/contract/order.ts';
import { BUYS } from '#contract/rules/parties.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { OrderTable } from '../web/parts/order/order-table.tsx';
import { TodoCounts } from '../web/parts/order/todo-counts.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Number of newest orders searched for those pending on the buyer. */
const SCANNED_ORDERS = 30;
const VISIBLE_ORDERS = 5;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '买家中心', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { orderList, counts } = await market(args).call(queryOrderList, { belong: BUYS, pageSize: SCANNED_ORDERS });
  // Pending on the buyer: the primary action is enabled.
  const pending = orderList.filter(({ acts: actions }) => actions.some(({ primary, enabled }) => primary && enabled));
  const running = orderList.filter(({ status }) => status === OrderStatus.Paid);
  return {
    pending: pending.slice(0, VISIBLE_ORDERS),
    running: running.slice(0, VISIBLE_ORDERS),
    counts,
    now: new Date().toISOString(),
  };
}

const LINKS = [
  { Icon: Gamepad2, label: '找商品', to: '/wares' },
  { Icon: Heart, label: '收藏', to: '/center/buyLikedGoods' },
  { Icon: MessageSquare, label: '交易群', to: '/chatSystem' },
  { Icon: Wallet, label: '钱包', to: '/center/mywallets' },
] as const;

/** The buyer's centre: counts, orders pending on the buyer, orders in progress, and links. */
export default function BuyersPage() {
  const { pending, running, counts, now } = useLoaderData<typeof loader>();
  const path = '/center/buyGoodsOrder';
  const tab = (status: number) => ({ count: counts[String(status)] ?? 0, to: `${path}?status=${status}` });
  return (
    <div className="grid gap-4">
      <TodoCounts
        label="订单数量"
        items={[
          { label: '待付款', ...tab(OrderStatus.Unpaid) },
          { label: '待发货', ...tab(OrderStatus.Paid) },
          { label: '待收货', ...tab(OrderStatus.Shipped) },
          { label: '交易成功', ...tab(OrderStatus.Completed) },
          { label: '已取消', ...tab(FAILED_TAB) },
        ]}
      />
      <section className="panel" aria-labelledby="waiting">
        <div className="panel-head">
          <h1 id="waiting" className="text-16 font-semibold">
            待我处理
          </h1>
          <Link to={path} className="more">
            全部订单
            <ChevronRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        </div>
        {pending.length > 0 ? (
          <OrderTable orders={pending} now={now} label="待我处理的订单" />
        ) : (
          <EmptyState
            title="没有待您处理的订单"
            action={
              <ButtonLink to="/wares" kind="primary">
                去挑一件
              </ButtonLink>
            }
          >
            需要您付款、确认收货或评价的订单会出现在这里。
          </EmptyState>
        )}
      </section>
      {running.length > 0 && (
        <section className="panel" aria-labelledby="running">
          <div className="panel-head">
            <h2 id="running">正在交付</h2>
            <p>卖家或客服正在处理，轮到您时订单页会提示</p>
          </div>
          <OrderTable orders={running} now={now} label="正在交付的订单" />
        </section>
      )}
      <nav className="grid grid-cols-2 gap-4 md:grid-cols-4" aria-label="常用">
        {LINKS.map(({ Icon, label, to }) => (
          <Link key={to} to={to} className="panel flex items-center gap-3 px-4 py-3.5 hover:border-brand-300">
            <Icon className="icon size-5 text-link" aria-hidden="true" />
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
