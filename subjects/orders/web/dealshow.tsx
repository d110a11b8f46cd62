import { Link, type MetaFunction, useLoaderData } from 'react-router';
import { everydayDealOrderList } from '#subjects/orders/contract/order.ts';
import { call } from '#web/lib/api/api.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { DayBars } from '#web/parts/charts/day-bars.tsx';
import { FilterRow } from '#subjects/goods/web/parts/filters/filter-row.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Market } from '#web/pages/home/market.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { type SalesData, salesInput, salesPath, type loader } from './dealshow-loader.ts';

export const handle = { phone: { refresh: true } };

export { loader } from './dealshow-loader.ts';

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '成交展示',
    description: '本站最近完成的交易：按游戏和日期看成交价，买家匿名，只计已完成的订单',
    noindex: args.loaderData?.filter.day !== null,
  });

type Sale = SalesData['sales']['list'][number];

function Overview({ data }: { data: SalesData }) {
  const { filter, sales } = data;
  const today = sales.days.at(-1)?.deals ?? 0;
  const week = sales.days.slice(-7).reduce((sum, { deals: count }) => sum + count, 0);
  const bars = sales.days.map(({ day, deals: count }) => ({
    day,
    count,
    chosen: day === filter.day,
    to: salesPath({ ...filter, day: day === filter.day ? null : day }),
  }));
  const options = [
    { key: 'all', label: '全部', to: salesPath({ ...filter, gameId: null }), chosen: filter.gameId === null },
    ...sales.games.map(({ gameId, gameName }) => ({
      key: String(gameId),
      label: gameName,
      to: salesPath({ ...filter, gameId }),
      chosen: filter.gameId === gameId,
    })),
  ];
  return (
    <section className="panel max-md:mt-3" aria-labelledby="sales">
      <div className="panel-head">
        <h1 id="sales" className="text-16 font-semibold">
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
            <Link to={salesPath({ ...filter, day: null })} preventScrollReset className="link hit text-12">
              只看 {filter.day}，点此看全部日期
            </Link>
          )}
        </p>
        <DayBars bars={bars} label="近 14 日成交，按日" unit="笔" />
      </div>
    </section>
  );
}

function SaleRow({ sale }: { sale: Sale }) {
  return (
    <li className="sale-row">
      <span className="min-w-0">
        <span className="flex min-w-0 items-center gap-1.5">
          <TypeTag typeId={sale.orderTypeId} className="flex-none" />
          <b className="flex-none font-medium">{sale.gameName}</b>
          <span className="truncate">{sale.title}</span>
        </span>
        <span className="block truncate text-12 text-ink-3">
          <TimeLabel at={sale.dealTime} className="mr-2 md:hidden" />
          {sale.areaName && `${sale.areaName} · `}买家 {sale.buyer}
        </span>
      </span>
      <TimeLabel at={sale.dealTime} className="text-12 whitespace-nowrap text-ink-3 max-md:hidden" />
      <Price yuan={sale.price} className="justify-self-end" />
    </li>
  );
}

function NoSales({ isFiltered }: { isFiltered: boolean }) {
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

function Sales({ data }: { data: SalesData }) {
  const { filter, sales } = data;
  const { items, next, busy, error, more } = useCursorList(
    sales,
    async (cursor) => await call(everydayDealOrderList, salesInput(filter, cursor), { quiet: true }),
    (sale: Sale) => `${sale.dealTime}${sale.title}${sale.price}${sale.buyer}`,
  );
  return (
    <section className="panel min-w-0" aria-labelledby="sale-list">
      <div className="panel-head">
        <h2 id="sale-list">成交记录</h2>
        <p>成交价为商品价，不含服务费与包赔</p>
      </div>
      {items.length === 0 ? (
        <NoSales isFiltered={filter.gameId !== null || filter.day !== null} />
      ) : (
        <>
          <ul>
            {items.map((sale, index) => (
              <SaleRow key={`${sale.dealTime}${sale.title}${sale.price}${index}`} sale={sale} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}

function Latest({ sales }: { sales: SalesData['latest'] }) {
  if (sales.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="latest">
      <div className="panel-head">
        <h2 id="latest">刚刚成交</h2>
      </div>
      <ul className="px-4 py-2 text-13">
        {sales.map((sale, index) => (
          <li key={`${sale.dealTime}${sale.title}${index}`} className="flex items-baseline gap-2 py-1">
            <span className="min-w-0 flex-1 truncate">
              {sale.gameName} {sale.title}
            </span>
            <Price yuan={sale.price} size="sm" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Completed sales by game and day, anonymised; with today's prices and the site's newest sales beside them. */
export default function DealShow() {
  const data = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '成交展示' }]} />
      </div>
      <Overview data={data} />
      <div className="sale-columns">
        <Sales data={data} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
          <Latest sales={data.latest} />
          <Market rows={data.today} narrow />
        </div>
      </div>
    </>
  );
}
