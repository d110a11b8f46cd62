import type { boosterStatistics } from '#contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { Figures } from '#web/parts/coin/own-offer-row.tsx';
import { Amount } from '#web/ui/price.tsx';

type Statistics = Data<typeof boosterStatistics>;

/** A booster's figures: views, orders, on time, and what each of the last weeks brought. */
export function Weeks({ statistics }: { statistics: Statistics }) {
  const most = Math.max(1, ...statistics.weeks.map((week) => Number(week.income)));
  const figures: [string, string][] = [
    ['套餐浏览', String(statistics.views)],
    ['近 30 日接单', String(statistics.orders30)],
    ['近 30 日完成', String(statistics.done30)],
    ['近 30 日取消', String(statistics.cancelled30)],
    ['准时率', statistics.onTimeRate === null ? '满 10 单后统计' : `${statistics.onTimeRate}%`],
    ['账号被处罚', `${statistics.bans} 次`],
  ];
  return (
    <section className="panel" aria-labelledby="weeks">
      <div className="panel-head">
        <h2 id="weeks">接单数据</h2>
        <p className="max-md:hidden">收入为已到账和保护期内的货款，不含平台佣金</p>
      </div>
      <Figures figures={figures} className="grid-cols-2 border-t-0 md:grid-cols-6" />
      <table className="w-full border-t border-line-soft text-13">
        <thead className="text-12 text-ink-3">
          <tr className="text-left">
            <th className="px-4 py-2 font-normal">周</th>
            <th className="py-2 text-right font-normal">接单</th>
            <th className="py-2 text-right font-normal">完成</th>
            <th className="px-4 py-2 text-right font-normal">收入</th>
            <th className="w-2/5 py-2 max-md:hidden" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {statistics.weeks.map((week) => (
            <tr key={week.start} className="border-t border-line-soft">
              <td className="px-4 py-1.5">{week.start.slice(5)} 起</td>
              <td className="py-1.5 text-right">{week.orders}</td>
              <td className="py-1.5 text-right">{week.done}</td>
              <td className="px-4 py-1.5 text-right">
                <Amount yuan={week.income} />
              </td>
              <td className="py-1.5 pr-4 max-md:hidden" aria-hidden="true">
                <span
                  className="block h-2 rounded-full bg-brand-200"
                  style={{ width: `${(Number(week.income) / most) * 100}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
