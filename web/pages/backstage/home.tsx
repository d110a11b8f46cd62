import { ChevronRight } from 'lucide-react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { staffHome } from '#contract/backstage-home.ts';
import type { Data } from '#contract/endpoint.ts';
import { market } from '#web/lib/context.ts';
import { countText, fenOf, grouped, roundYuan } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { fullAt } from '#web/lib/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '工作台', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return { home: await market(args).call(staffHome, {}) };
}

type Home = Data<typeof staffHome>;

function Todos({ todos }: { todos: Home['todos'] }) {
  if (todos.length === 0)
    return (
      <section className="panel">
        <EmptyState title="没有待办">分派给您的事项会出现在这里。</EmptyState>
      </section>
    );
  return (
    <section className="panel overflow-hidden" aria-label="待办">
      <ul className="office-todos">
        {todos.map(({ key, name, count, more, to }) => (
          <li key={key}>
            <Link to={to}>
              <b className={cx(count === 0 && 'text-ink-4')}>{countText(count, more)}</b>
              <span>
                {name}
                <ChevronRight className="icon size-3.5" aria-hidden="true" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Today({ today }: { today: NonNullable<Home['today']> }) {
  const figures = [
    ['下单', `${grouped(today.ordersPlaced)} 笔`],
    ['付款', `${grouped(today.ordersPaid)} 笔`],
    ['付款金额', <Amount key="paid" yuan={today.paid} />],
    ['完成', `${grouped(today.ordersDone)} 笔`],
    ['完成金额', <Amount key="done" yuan={today.done} />],
    ['新用户', `${grouped(today.newUsers)} 人`],
    ['新商品', `${grouped(today.newGoods)} 件`],
  ] as const;
  return (
    <section className="panel" aria-label="今日">
      <div className="panel-head">
        <h2>今日</h2>
        <p>北京时间 0 点起</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 px-4 py-2">
        {figures.map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between border-b border-line-soft py-2">
            <dt className="text-ink-3">{name}</dt>
            <dd className="text-14 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The last seven days' paid amounts as bars, with the numbers above, so that no value depends on colour. */
function Week({ days }: { days: Home['days'] }) {
  const most = Math.max(1, ...days.map(({ paid }) => fenOf(paid)));
  return (
    <section className="panel" aria-label="近 7 天">
      <div className="panel-head">
        <h2>近 7 天付款</h2>
        <p>金额与笔数</p>
      </div>
      <ol className="office-bars">
        {days.map(({ day, orders, paid }) => {
          const [value, unit] = roundYuan(paid);
          return (
            <li key={day}>
              <span className="text-12 whitespace-nowrap max-md:text-11">
                <span className="text-11 max-md:hidden">¥</span>
                {value}
                {unit}
              </span>
              <i style={{ height: `${Math.max(1, Math.round((fenOf(paid) / most) * 100))}%` }} aria-hidden="true" />
              <span className="text-12 text-ink-3">
                {day}
                <span className="block">{orders} 笔</span>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Pending work and the day's figures. */
export default function AdminHome() {
  const { home } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="office-head">
        <h1>工作台</h1>
        <p>{fullAt(home.time)}</p>
      </div>
      <div className="grid gap-4">
        <Todos todos={home.todos} />
        {home.today && (
          <div className="grid gap-4 lg:grid-cols-2">
            <Today today={home.today} />
            <Week days={home.days} />
          </div>
        )}
      </div>
    </>
  );
}
