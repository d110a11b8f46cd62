import { Link, type MetaFunction, useLoaderData } from 'react-router';
import { everydayDealOrderList } from '#contract/order.ts';
import { call } from '#web/lib/api.ts';
import { grouped } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { DayBars } from '#web/parts/charts/day-bars.tsx';
import { FilterRow } from '#web/parts/filters/filter-row.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Market } from '#web/pages/home/market.tsx';
import { Breadcrumb } from '#web/ui/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { type DealsData, dealsInput, dealsPath, type loader } from './dealshow-loader.ts';

export const handle = { phone: { refresh: true } };

export { loader } from './dealshow-loader.ts';

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '成交展示',
    description: '本站最近完成的交易：按游戏和日期看成交价，买家匿名，只计已完成的订单',
    noindex: args.loaderData?.filter.day !== null,
  });

type Deal = DealsData['deals']['list'][number];

function Overview({ data }: { data: DealsData }) {
  const { filter, deals } = data;
  const today = deals.days.at(-1)?.deals ?? 0;
  const week = deals.days.slice(-7).reduce((sum, { deals: count }) => sum + count, 0);
  const bars = deals.days.map(({ day, deals: count }) => ({
    day,
    count,
    chosen: day === filter.day,
    to: dealsPath({ ...filter, day: day === filter.day ? null : day }),
  }));
  const options = [
    { key: 'all', label: '全部', to: dealsPath({ ...filter, gameId: null }), chosen: filter.gameId === null },
    ...deals.games.map(({ gameId, gameName }) => ({
      key: String(gameId),
      label: gameName,
      to: dealsPath({ ...filter, gameId }),
      chosen: filter.gameId === gameId,
    })),
  ];
  return (
    <section className="panel max-md:mt-3" aria-labelledby="deals">
      <div className="panel-head">
        <h1 id="deals" className="text-16 font-semibold">
          成交展示
        </h1>
        <p className="max-md:hidden">只计已完成的订单；买家匿名，时间取整到 10 分钟</p>
        <Link to="/dealshow/selltime" className="more">
          售出时长
        </Link>
      </div>
      <div className="choices">
        <FilterRow label="游戏" options={options} />
      </div>
      <div className="border-t border-line-soft px-4 pt-3 pb-4">
        <p className="flex flex-wrap items-baseline gap-x-4 text-13 text-ink-2" aria-live="polite">
          <span>
            今日 <b className="font-semibold text-ink">{grouped(today)}</b> 笔
          </span>
          <span>
            近 7 日 <b className="font-semibold text-ink">{grouped(week)}</b> 笔
          </span>
          {filter.day && (
            <Link to={dealsPath({ ...filter, day: null })} preventScrollReset className="link hit text-12">
              只看 {filter.day}，点此看全部日期
            </Link>
          )}
        </p>
        <DayBars bars={bars} label="近 14 日成交，按日" unit="笔" />
      </div>
    </section>
  );
}

function DealRow({ deal }: { deal: Deal }) {
  return (
    <li className="deal-row">
      <span className="min-w-0">
        <span className="flex min-w-0 items-center gap-1.5">
          <TypeTag typeId={deal.orderTypeId} className="flex-none" />
          <b className="flex-none font-medium">{deal.gameName}</b>
          <span className="truncate">{deal.title}</span>
        </span>
        <span className="block truncate text-12 text-ink-3">
          <TimeLabel at={deal.dealTime} className="mr-2 md:hidden" />
          {deal.areaName && `${deal.areaName} · `}买家 {deal.buyer}
        </span>
      </span>
      <TimeLabel at={deal.dealTime} className="text-12 whitespace-nowrap text-ink-3 max-md:hidden" />
      <Price yuan={deal.price} className="justify-self-end" />
    </li>
  );
}

function NoDeals({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <EmptyState title="还没有成交" action={<ButtonLink to="/wares">去看看商品</ButtonLink>}>
        第一笔交易完成后会显示在这里。
      </EmptyState>
    );
  return (
    <EmptyState title="没有符合条件的成交" action={<ButtonLink to="/dealshow">查看全部成交</ButtonLink>}>
      换个游戏或日期看看。
    </EmptyState>
  );
}

function Deals({ data }: { data: DealsData }) {
  const { filter, deals } = data;
  const { items, next, busy, error, more } = useCursorList(
    deals,
    async (cursor) => await call(everydayDealOrderList, dealsInput(filter, cursor), { quiet: true }),
    (deal: Deal) => `${deal.dealTime}${deal.title}${deal.price}${deal.buyer}`,
  );
  return (
    <section className="panel min-w-0" aria-labelledby="deal-list">
      <div className="panel-head">
        <h2 id="deal-list">成交记录</h2>
        <p>成交价为商品价，不含服务费与包赔</p>
      </div>
      {items.length === 0 ? (
        <NoDeals isFiltered={filter.gameId !== null || filter.day !== null} />
      ) : (
        <>
          <ul>
            {items.map((deal, index) => (
              <DealRow key={`${deal.dealTime}${deal.title}${deal.price}${index}`} deal={deal} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}

function Latest({ deals }: { deals: DealsData['latest'] }) {
  if (deals.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="latest">
      <div className="panel-head">
        <h2 id="latest">刚刚成交</h2>
      </div>
      <ul className="px-4 py-2 text-13">
        {deals.map((deal, index) => (
          <li key={`${deal.dealTime}${deal.title}${index}`} className="flex items-baseline gap-2 py-1">
            <span className="min-w-0 flex-1 truncate">
              {deal.gameName} {deal.title}
            </span>
            <Price yuan={deal.price} size="sm" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Completed deals by game and day, anonymised; with today's prices and the site's newest deals beside them. */
export default function DealShow() {
  const data = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '成交展示' }]} />
      </div>
      <Overview data={data} />
      <div className="deal-columns">
        <Deals data={data} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
          <Latest deals={data.latest} />
          <Market rows={data.today} narrow />
        </div>
      </div>
    </>
  );
}
