import { Amount } from '#web/ui/price.tsx';
import { Figures } from './own-offer-row.tsx';

interface Week {
  start: string;
  orders: number;
  done: number;
  onTime?: number;
  amount: string;
}

/** Figures of a provider, and the results of each of the last weeks, newest first. */
export function ProviderWeeks({
  title,
  note,
  figures,
  weeks,
  names = {},
}: {
  title: string;
  note: string;
  figures: [string, string][];
  weeks: readonly Week[];
  names?: { orders?: string; amount?: string; onTime?: string };
}) {
  const most = Math.max(1, ...weeks.map((week) => Number(week.amount)));
  const isTimed = weeks.some((week) => week.onTime !== undefined);
  return (
    <section id="figures" className="panel scroll-mt-24" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <p className="max-md:hidden">{note}</p>
      </div>
      <Figures figures={figures} className="grid-cols-2 border-t-0 md:grid-cols-6" />
      <table className="w-full border-t border-line-soft text-13">
        <thead className="text-12 text-ink-3">
          <tr className="text-left">
            <th className="px-4 py-2 font-normal">周</th>
            <th className="py-2 text-right font-normal">{names.orders ?? '接单'}</th>
            <th className="py-2 text-right font-normal">完成</th>
            {isTimed && <th className="py-2 text-right font-normal">{names.onTime ?? '准时'}</th>}
            <th className="px-4 py-2 text-right font-normal">{names.amount ?? '收入'}</th>
            <th className="w-2/5 py-2 max-md:hidden" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map((week) => (
            <tr key={week.start} className="border-t border-line-soft">
              <td className="px-4 py-1.5 whitespace-nowrap">{week.start.slice(5)} 起</td>
              <td className="py-1.5 text-right">{week.orders}</td>
              <td className="py-1.5 text-right">{week.done}</td>
              {isTimed && <td className="py-1.5 text-right">{week.done === 0 ? '—' : (week.onTime ?? 0)}</td>}
              <td className="px-4 py-1.5 text-right">
                <Amount yuan={week.amount} />
              </td>
              <td className="py-1.5 pr-4 max-md:hidden" aria-hidden="true">
                <span
                  className="block h-2 rounded-full bg-brand-200"
                  style={{ width: `${(Number(week.amount) / most) * 100}%` }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The text for a share of punctual orders. */
export const rateText = (rate: number | null): string => (rate === null ? '满 10 单后统计' : `${rate}%`);
