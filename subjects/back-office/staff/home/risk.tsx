import { Link } from 'react-router';
import { boardDisputes, boardMoney } from '#subjects/back-office/contract/board.ts';
import type { Data } from '#contract/endpoint.ts';
import { fenOf, grouped, yuanInTenThousands } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';
import { Panel } from '../parts/panel.tsx';
import { type PanelState, usePanel } from '../parts/use-panel.ts';
import type { BoardScope } from './scope.ts';

type Money = Data<typeof boardMoney>;

const short = (yuan: string): string => yuanInTenThousands(yuan).join('');

/** Open disputes by state and by reason. */
export function DisputesPanel({ scope, initial }: { scope: BoardScope; initial: Data<typeof boardDisputes> | null }) {
  const state = usePanel(boardDisputes, { distId: scope.distId }, { initial });
  return (
    <Panel
      title="申诉"
      of={state}
      minHeight={220}
      aside={
        <Link to="/backstage/disputes" className="link">
          打开队列
        </Link>
      }
    >
      {({ open, late, states, reasons }) => (
        <div className="px-4 py-3">
          <p className="text-13 text-ink-3">
            <Link
              to={`/backstage/disputes?active=1&sort=deadline`}
              className="text-20 font-semibold text-ink hover:text-link"
            >
              {open}
            </Link>{' '}
            处理中
            {late > 0 && (
              <Link to="/backstage/disputes?late=1&sort=deadline" className="ml-3 font-medium text-danger">
                {late} 件超时
              </Link>
            )}
          </p>
          {open > 0 && (
            <>
              <p className="board-states">
                {states.map(({ key, name, count }) => (
                  <span key={key} style={{ flexGrow: count }} title={`${name} ${count}`}>
                    {count}
                  </span>
                ))}
              </p>
              <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
                {states.map(({ key, name, count }) => (
                  <Link key={key} to={`/backstage/disputes?sort=deadline&status=${key}`} className="hover:text-link">
                    {name} {count}
                  </Link>
                ))}
              </p>
            </>
          )}
          <ul className="mt-2">
            {reasons.map(({ key, name, count }) => (
              <li
                key={key}
                className="grid grid-cols-[minmax(0,1fr)_96px_48px] items-center gap-3 border-b border-line-soft py-1.5 last:border-b-0"
              >
                <Link to={`/backstage/disputes?active=1&reason=${key}`} className="truncate hover:text-link">
                  {name}
                </Link>
                <span className="board-line" aria-hidden="true">
                  <i style={{ width: `${(count / Math.max(1, open)) * 100}%` }} />
                </span>
                <span className="text-right text-ink-2">{count} 件</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

/** The fund and the frozen money, both from one call. */
export const useMoney = (initial: Money | null): PanelState<Money> => usePanel(boardMoney, {}, { initial });

const WIDTH = 300;
const HEIGHT = 70;

function FundChart({ days }: { days: Money['fundDays'] }) {
  const values = days.map(({ balance }) => fenOf(balance));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(1, most - least);
  const paid = Math.max(1, ...days.map((day) => fenOf(day.paid)));
  const x = (i: number) => (i / Math.max(1, days.length - 1)) * WIDTH;
  const points = values.map((value, i) => `${x(i).toFixed(1)},${(8 + (1 - (value - least) / span) * 36).toFixed(1)}`);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="my-2 h-18 w-full"
      role="img"
      aria-label="近 30 天基金余额，竖条为当日赔付"
    >
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} className="chart-area" />
      <polyline points={points.join(' ')} className="chart-line" vectorEffect="non-scaling-stroke" />
      {days.map((day, i) => {
        const height = (fenOf(day.paid) / paid) * 20;
        return (
          height > 0 && (
            <rect key={day.day} x={x(i) - 1.5} y={HEIGHT - height} width="3" height={height} className="chart-mark">
              <title>{`${day.day} 赔付 ${grouped(day.paid)} 元`}</title>
            </rect>
          )
        );
      })}
    </svg>
  );
}

function Lines({ rows }: { rows: readonly (readonly [name: string, value: React.ReactNode, to?: string])[] }) {
  return (
    <dl>
      {rows.map(([name, value, to]) => (
        <div key={name} className="flex justify-between gap-3 border-b border-line-soft py-1.5 last:border-b-0">
          <dt className="text-ink-2">
            {to ? (
              <Link to={to} className="hover:text-link">
                {name}
              </Link>
            ) : (
              name
            )}
          </dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The guarantee fund, relative to the worst seven days of ninety. */
export function FundPanel({ state }: { state: PanelState<Money> }) {
  return (
    <Panel
      title="包赔基金"
      of={state}
      minHeight={220}
      aside={
        <Link to="/backstage/transfers?group=claim&time=last30" className="link">
          看账
        </Link>
      }
    >
      {(money) => (
        <div className="px-4 py-3 text-13">
          <Amount yuan={money.fund} className="text-20 font-semibold" />
          <FundChart days={money.fundDays} />
          <p className="flex justify-between pb-1 text-12 text-ink-3" aria-hidden="true">
            <span>{money.fundDays[0]?.day.slice(5)}</span>
            <span>竖条为当日赔付</span>
            <span>今天</span>
          </p>
          <Lines
            rows={[
              ['保障中', `${grouped(money.covers)} 单，最高赔 ¥${short(money.insured)}`],
              [
                '90 天里最坏的 7 天',
                money.lasts === null ? '没有赔付' : `赔 ¥${short(money.worstWeek)}，够 ${money.lasts} 次`,
              ],
            ]}
          />
        </div>
      )}
    </Panel>
  );
}

/** Frozen money, by release day and by reason. */
export function HoldsPanel({ state }: { state: PanelState<Money> }) {
  return (
    <Panel
      title="冻结款"
      of={state}
      minHeight={220}
      aside={
        <Link to="/backstage/holds" className="link">
          {state.data ? `${grouped(state.data.holds)} 笔` : '打开'}
        </Link>
      }
    >
      {(money) => {
        const most = Math.max(1, ...money.releases.map(({ amount }) => fenOf(amount)));
        return (
          <div className="px-4 py-3 text-13">
            <p>
              <Amount yuan={money.frozen} className="text-20 font-semibold" />
              <span className="ml-2 text-12 text-ink-3">7 天内解冻</span>
            </p>
            <ol className="board-week">
              {money.releases.map(({ day, amount }, i) => (
                <li key={day} title={`${day} 解冻 ${grouped(amount)} 元`}>
                  <Link to={`/backstage/holds?sort=releaseTime&releaseTime=${i === 0 ? '' : day}~${day}`}>
                    {short(amount)}
                  </Link>
                  <i style={{ height: `${Math.max(2, (fenOf(amount) / most) * 46)}px` }} aria-hidden="true" />
                  <span className="text-ink-3">{i === 0 ? '今天' : day.slice(5)}</span>
                </li>
              ))}
            </ol>
            <Lines
              rows={money.reasons.map(({ codes, name, count, amount }) => [
                name,
                <span key={name}>
                  <Amount yuan={amount} />，{grouped(count)} 笔
                </span>,
                `/backstage/holds?code=${codes}`,
              ])}
            />
          </div>
        );
      }}
    </Panel>
  );
}
