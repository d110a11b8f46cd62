import type { billStats } from '#subjects/payments/contract/pay.ts';
import type { Data } from '#contract/endpoint.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';

export type Flow = Data<typeof billStats>;

const HEIGHT = 132;
const STEP = 20;

/**
 * Income above the axis and expenses below it, one bar per day, on the same scale; `oneWay` when there are no expenses.
 * The numbers are also available as a table.
 */
export function FlowChart({
  flow,
  label,
  singleDirection = false,
}: {
  flow: Pick<Flow, 'days' | 'income' | 'expense'>;
  label: string;
  singleDirection?: boolean;
}) {
  const { days } = flow;
  const middle = singleDirection ? HEIGHT - 1 : HEIGHT / 2;
  const room = middle - 4;
  const most = Math.max(1, ...days.map((d) => Math.max(fenOf(d.income), fenOf(d.expense))));
  const heightOf = (yuan: string): number => {
    const fen = fenOf(yuan);
    return fen === 0 ? 0 : Math.max(1.5, (fen / most) * room);
  };
  const width = days.length * STEP;
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <figure className="grid gap-2 px-4 py-3">
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-3">
        <span className="inline-flex items-center gap-1.5">
          <i className="inline-block size-2.5 rounded-tag bg-brand-600" aria-hidden="true" />
          收入 <Amount yuan={flow.income} className="font-semibold text-ink" />
        </span>
        {!singleDirection && (
          <span className="inline-flex items-center gap-1.5">
            <i className="inline-block size-2.5 rounded-tag bg-ink-4" aria-hidden="true" />
            支出 <Amount yuan={flow.expense} className="font-semibold text-ink" />
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-33 w-full"
        role="img"
        aria-label={`${label}：收入 ${grouped(flow.income)} 元${singleDirection ? '' : `，支出 ${grouped(flow.expense)} 元`}`}
      >
        {days.map((d, i) => (
          <g key={d.day}>
            <title>{`${d.day} 收入 ${grouped(d.income)} 元${singleDirection ? '' : `，支出 ${grouped(d.expense)} 元`}`}</title>
            <rect x={i * STEP} y={0} width={STEP} height={HEIGHT} fill="transparent" />
            <rect
              x={i * STEP + 4}
              width={STEP - 8}
              y={middle - heightOf(d.income)}
              height={heightOf(d.income)}
              fill="var(--brand-600)"
            />
            <rect x={i * STEP + 4} width={STEP - 8} y={middle} height={heightOf(d.expense)} fill="var(--ink-4)" />
          </g>
        ))}
        <line
          x1={0}
          x2={width}
          y1={middle}
          y2={middle}
          stroke="var(--line-strong)"
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="flex justify-between text-11 text-ink-3" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details className="text-12">
        <summary className="hit cursor-pointer text-ink-3">按天看数字</summary>
        <div className="mt-1 max-h-60 overflow-auto">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">日期</th>
                <th scope="col" className="num">
                  收入
                </th>
                {!singleDirection && (
                  <th scope="col" className="num">
                    支出
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {days
                .filter((d) => fenOf(d.income) + fenOf(d.expense) > 0)
                .toReversed()
                .map((d) => (
                  <tr key={d.day}>
                    <td>{d.day}</td>
                    <td className="num">{d.income}</td>
                    {!singleDirection && <td className="num">{d.expense}</td>}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Income and expenses by kind. */
export function FlowKinds({ kinds }: { kinds: Flow['kinds'] }) {
  const most = Math.max(1, ...kinds.map((k) => Math.max(fenOf(k.income), fenOf(k.expense))));
  const bar = (yuan: string, colour: string) => (
    <span className="flex items-center gap-2">
      <i
        className={`inline-block h-2 rounded-tag ${colour}`}
        style={{ width: `${Math.max(fenOf(yuan) > 0 ? 1 : 0, (fenOf(yuan) / most) * 62)}%` }}
        aria-hidden="true"
      />
      {fenOf(yuan) > 0 ? <Amount yuan={yuan} /> : <span className="text-ink-4">—</span>}
    </span>
  );
  return (
    <ul aria-label="按类型">
      <li
        className="grid grid-cols-[72px_1fr_1fr] gap-3 border-b border-line-soft px-4 py-2 text-12 text-ink-3"
        aria-hidden="true"
      >
        <span>类型</span>
        <span>收入</span>
        <span>支出</span>
      </li>
      {kinds.map((k) => (
        <li
          key={k.kind}
          className="grid grid-cols-[72px_1fr_1fr] items-center gap-3 border-b border-line-soft px-4 py-2 text-13 last:border-b-0"
        >
          <span>{k.name}</span>
          {bar(k.income, 'bg-brand-600')}
          {bar(k.expense, 'bg-ink-4')}
        </li>
      ))}
    </ul>
  );
}
