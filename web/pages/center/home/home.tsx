import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useLoaderData, useOutletContext, useRevalidator } from 'react-router';
import type { CenterGroup } from '#web/layouts/shell/center-menu.ts';
import { useLogout } from '#web/lib/logout.ts';
import { pageMeta } from '#web/lib/site.ts';
import { OrderTable } from '#web/parts/order/order-table.tsx';
import { TodoCounts } from '#web/parts/order/todo-counts.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { FollowedGoods } from './followed.tsx';
import type { HomeData, loader as homeLoader } from './home-loader.ts';
import { MemberHeader } from './member-header.tsx';
import { recentParty } from './recent-party.ts';
import { SecurityCard } from './security-card.tsx';

export { loader } from './home-loader.ts';

export const handle = { phone: { back: false } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '个人中心', noindex: true });
}

function todos({ orders, sold }: HomeData) {
  const of = (counts: Record<string, number> | undefined, status: number) => counts?.[String(status)] ?? 0;
  return [
    { label: '待付款', count: of(orders?.counts, 0), to: '/center/buyGoodsOrder?status=0' },
    { label: '待发货', count: of(orders?.counts, 1), to: '/center/buyGoodsOrder?status=1' },
    { label: '待收货', count: of(orders?.counts, 2), to: '/center/buyGoodsOrder?status=2' },
    { label: '待我发货', count: of(sold?.counts, 1), to: '/center/sellOrder?status=1' },
    { label: '待买家确认', count: of(sold?.counts, 2), to: '/center/sellOrder?status=2' },
  ];
}

function RecentOrders({ data }: { data: HomeData }) {
  const { revalidate } = useRevalidator();
  const [party, setParty] = useState<'bought' | 'sold'>(recentParty(data));
  const list = party === 'bought' ? data.orders : data.sold;
  const path = party === 'bought' ? '/center/buyGoodsOrder' : '/center/sellOrder';
  return (
    <section className="panel" aria-labelledby="recent">
      <div className="panel-head">
        <h2 id="recent">最近订单</h2>
        <div className="flex gap-1" role="group" aria-label="买卖方">
          {(['bought', 'sold'] as const).map((key) => (
            <button
              key={key}
              type="button"
              className={party === key ? 'pick pick-on' : 'pick'}
              aria-pressed={party === key}
              onClick={() => setParty(key)}
            >
              {key === 'bought' ? '我买的' : '我卖的'}
            </button>
          ))}
        </div>
        {list && list.orderList.length > 0 && (
          <Link to={path} className="more">
            全部 {list.counts.all ?? list.total} 单
            <ChevronRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        )}
      </div>
      {!list ? (
        <ErrorState message="订单没有加载出来" onRetry={() => void revalidate()} />
      ) : list.orderList.length > 0 ? (
        <OrderTable orders={list.orderList} now={data.now} label="最近订单" />
      ) : party === 'bought' ? (
        <EmptyState
          title="还没有买过商品"
          action={
            <ButtonLink to="/wares" kind="primary">
              去挑一件
            </ButtonLink>
          }
        >
          付款后货款由平台托管，验收确认才放给卖家。
        </EmptyState>
      ) : (
        <EmptyState
          title="还没有卖出商品"
          action={
            <ButtonLink to="/center/sell" kind="primary">
              发布商品
            </ButtonLink>
          }
        >
          发布后由平台审核，有人付款时会提醒您。
        </EmptyState>
      )}
    </section>
  );
}

/** The centre's menu on phones, which have neither the side column nor the strip with the log-out. */
function PhoneMenu({ groups }: { groups: readonly CenterGroup[] }) {
  const logout = useLogout();
  return (
    <nav className="panel md:hidden" aria-label="全部功能">
      {groups
        .filter(({ name }) => name)
        .map(({ name, items }) => (
          <section key={name} className="border-b border-line-soft px-4 py-3 last:border-b-0">
            <h2 className="mb-1 text-12 text-ink-3">{name}</h2>
            <ul className="grid grid-cols-3 gap-x-2">
              {items.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to} className="flex h-10 items-center text-14">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      <div className="px-4 py-3">
        <Button className="w-full" onClick={() => void logout()}>
          退出登录
        </Button>
      </div>
    </nav>
  );
}

/** The centre's start page: the user, balances, pending orders, the newest orders, followed listings, account security. */
export default function CentreHome() {
  const data = useLoaderData<typeof homeLoader>();
  const { revalidate } = useRevalidator();
  const groups = useOutletContext<readonly CenterGroup[]>();
  return (
    <div className="grid gap-4">
      <h1 className="sr-only">个人中心</h1>
      <MemberHeader data={data} />
      <TodoCounts items={todos(data)} label="待办" />
      <PhoneMenu groups={groups} />
      <RecentOrders data={data} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_304px]">
        {data.follows ? (
          <FollowedGoods list={data.follows.list} total={data.follows.total} />
        ) : (
          <section className="panel">
            <ErrorState message="收藏没有加载出来" onRetry={() => void revalidate()} />
          </section>
        )}
        <SecurityCard user={data.user} />
      </div>
    </div>
  );
}
