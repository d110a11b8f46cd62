import { Link } from 'react-router';
import { grouped, yuanLabel } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import type { ShopFigures } from './figures.ts';

type Week = ShopFigures['weeks'][number];

/** 2026-11-23 as 11-23. */
const dayOf = (week: string): string => week.slice(5);

function change(now: number, before: number | null): string {
  if (before === null) return '上周没有记录';
  if (now === before) return '与上周持平';
  return before === 0 ? '上周没有' : `上周 ${grouped(before)}`;
}

/** A number, or a dash when nothing was recorded. */
const countText = (n: number | null): string => (n === null ? '—' : grouped(n));

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-12 text-ink-3">{name}</dt>
      <dd className="text-20 font-semibold tabular-nums">{value}</dd>
      <dd className="text-12 text-ink-3">{note}</dd>
    </div>
  );
}

/** Views of each week as bars; screen readers use the table below instead. */
function Bars({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.map(({ views }) => views ?? 0));
  return (
    <div className="flex h-28 items-end gap-2 px-4 max-md:gap-1" aria-hidden="true">
      {weeks.map(({ week, views }, i) => (
        <div key={week} className="grid h-full min-w-0 flex-1 grid-rows-[1fr_auto] items-end gap-1 text-center">
          <div
            className={cx('rounded-tag', i === weeks.length - 1 ? 'bg-brand-500' : 'bg-brand-200')}
            style={{ height: `${Math.max(2, ((views ?? 0) / most) * 100)}%` }}
          />
          <span className="text-12 whitespace-nowrap text-ink-3 tabular-nums">{dayOf(week)}</span>
        </div>
      ))}
    </div>
  );
}

/** The shop's figures: this week, the bars of views, and all weeks in a table. */
export function ShopWeeks({ shop }: { shop: ShopFigures }) {
  const { weeks, conversion, sellDays, onSale, unanswered, isCut } = shop;
  const [now, before] = [weeks.at(-1), weeks.at(-2)];
  if (!now || !before) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 py-4">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 md:grid-cols-3 xl:grid-cols-6">
        <Figure name="本周浏览" value={countText(now.views)} note={change(now.views ?? 0, before.views)} />
        <Figure name="本周新增收藏" value={countText(now.follows)} note={change(now.follows ?? 0, before.follows)} />
        <Figure name="本周下单" value={grouped(now.orders)} note={change(now.orders, before.orders)} />
        <Figure
          name="本周成交额"
          value={yuanLabel(now.soldMoney)}
          note={`完成 ${now.sold} 笔，上周 ${yuanLabel(before.soldMoney)}`}
        />
        <Figure
          name="下单率"
          value={conversion === null ? '—' : `${conversion}%`}
          note={conversion === null ? '还没有浏览' : '有浏览记录的周里，下单数除以浏览数'}
        />
        <Figure
          name="售出时长"
          value={sellDays === null ? '—' : `${sellDays} 天`}
          note={sellDays === null ? '成交满 5 笔后给出' : '最近成交的一半在此之内'}
        />
      </dl>
      {weeks.some(({ views }) => (views ?? 0) > 0) && <Bars weeks={weeks} />}
      <ScrollX label="每周数据">
        <table className="table min-w-120 text-13">
          <thead>
            <tr>
              <th scope="col">周</th>
              {['浏览', '新增收藏', '提问', '下单', '成交'].map((name) => (
                <th key={name} scope="col" className="text-right">
                  {name}
                </th>
              ))}
              <th scope="col" className="text-right">
                成交额
              </th>
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map((w, i) => (
              <tr key={w.week}>
                <th scope="row" className="font-normal whitespace-nowrap">
                  {i === 0 ? '本周' : `${dayOf(w.week)} 起`}
                </th>
                {[w.views, w.follows, w.questions, w.orders, w.sold].map((n, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their positions
                  <td key={at} className="text-right whitespace-nowrap tabular-nums">
                    {countText(n)}
                  </td>
                ))}
                <td className="text-right whitespace-nowrap tabular-nums">{yuanLabel(w.soldMoney)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <p className="px-4 text-13 text-ink-2">
        在售 {grouped(onSale)} 件
        {unanswered > 0 && (
          <>
            ，
            <Link to="/center/questions" className="link">
              {unanswered} 个提问没有回答
            </Link>
          </>
        )}
        {isCut && <span className="text-ink-3">；下单和成交按最近 3000 笔统计</span>}
      </p>
    </div>
  );
}
