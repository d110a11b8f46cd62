import { ChevronRight, LayoutGrid } from 'lucide-react';
import { useState } from 'react';
import { Link, useLoaderData, useOutletContext, useRevalidator } from 'react-router';
import { unreadText } from '#contract/rules/limits.ts';
import { centerIcons } from '#web/layouts/shell/center-icons.ts';
import type { MenuGroup } from '#web/layouts/shell/role-menu.ts';
import { useLogout } from '#web/lib/session/logout.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { OrderTable } from '#subjects/orders/web/parts/order/order-table.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { FollowedGoods } from './followed.tsx';
import type { HomeData, loader as homeLoader } from './home-loader.ts';
import { MemberHeader } from './member-header.tsx';
import { NextCard } from './next-card.tsx';
import { ReleaseCalendar } from './release-calendar.tsx';
import { recentParty } from './recent-party.ts';
import { SecurityCard } from './security-card.tsx';

export { loader } from './home-loader.ts';

export const handle = { phone: { back: false } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '个人中心', noindex: true });
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

/** The shortcuts of screens without the menu, by role, and the log-out of phones, which have no strip. */
function Shortcuts({ menu }: { menu: readonly MenuGroup[] }) {
  const shortcuts = menu.flatMap(({ items }) => items.filter(({ shortcut }) => shortcut));
  return (
    <nav className="panel grid grid-cols-4 px-1 py-2.5 md:grid-cols-8 lg:hidden" aria-label="常用功能">
      {shortcuts.map(({ label, to, icon, count, urgent }) => {
        const Icon = centerIcons[icon];
        return (
          <Link key={to} to={to} className="relative grid justify-items-center gap-1.5 py-2.5 text-12 text-ink-2">
            <Icon className="icon size-5.5 text-brand-700" strokeWidth={1.6} aria-hidden="true" />
            {label}
            {urgent && count > 0 && (
              <span className="absolute top-1 left-[56%] min-w-4 rounded-full bg-attn-bg px-1 text-center text-11 font-semibold text-attn">
                {unreadText(count)}
              </span>
            )}
          </Link>
        );
      })}
      <Link to="/center/all" className="grid justify-items-center gap-1.5 py-2.5 text-12 text-ink-2">
        <LayoutGrid className="icon size-5.5 text-brand-700" strokeWidth={1.6} aria-hidden="true" />
        全部功能
      </Link>
    </nav>
  );
}

/** The centre's start page: the user, what is next, the newest orders, followed listings, account security. */
export default function CentreHome() {
  const data = useLoaderData<typeof homeLoader>();
  const { revalidate } = useRevalidator();
  const logout = useLogout();
  const menu = useOutletContext<readonly MenuGroup[]>();
  return (
    <div className="grid gap-4 max-md:gap-2">
      <h1 className="sr-only">个人中心</h1>
      {data.isNew && (
        <p className="rounded-control border border-safe-line bg-safe-bg px-4 py-2 text-13 text-safe" role="status">
          注册成功，已登录。下面是接下来可以做的事，也可以
          <Link to="/wares" className="link mx-1">
            先逛逛商品
          </Link>
          。
        </p>
      )}
      <MemberHeader data={data} />
      <NextCard data={data} />
      <Shortcuts menu={menu} />
      <RecentOrders data={data} />
      <div className="grid items-start gap-4 max-md:gap-2 lg:grid-cols-[minmax(0,1fr)_304px]">
        <div className="grid gap-4 max-md:gap-2">
          <ReleaseCalendar holds={data.holds} />
          {data.follows ? (
            // An empty list is useless to a seller who is waiting for money.
            (data.follows.total > 0 || !data.sold?.total || data.holds.length === 0) && (
              <FollowedGoods list={data.follows.list} total={data.follows.total} />
            )
          ) : (
            <section className="panel">
              <ErrorState message="收藏没有加载出来" onRetry={() => void revalidate()} />
            </section>
          )}
        </div>
        <SecurityCard user={data.user} />
      </div>
      <Button className="w-full md:hidden" onClick={() => void logout()}>
        退出登录
      </Button>
    </div>
  );
}
