import { Link } from 'react-router';
import { boardFunnel } from '#subjects/back-office/contract/board.ts';
import type { Data } from '#contract/endpoint.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Panel } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { type BoardScope, ordersPath } from './scope.ts';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';

type Funnel = Data<typeof boardFunnel>;

const share = (part: number, of: number): number => (of === 0 ? 0 : Math.min(1, part / of));
const percent = (value: number): string => `${(value * 100).toFixed(1)}%`;

interface StepLine {
  name: string;
  count: number;
  kept: number;
  kept0: number;
  /** The orders that are counted. */
  to: string;
}

/** One step: the number, its share of the previous step, and that share in the previous period as a tick. */
function Step({ name, count, kept, kept0, to }: StepLine) {
  const change = (kept - kept0) * 100;
  return (
    <li>
      <span>{name}</span>
      <b>
        <Link to={to} className="hover:text-link">
          {grouped(count)}
        </Link>
      </b>
      <span className="board-line board-line-tick" aria-hidden="true">
        <i style={{ width: percent(kept) }} />
        <u style={{ left: percent(kept0) }} />
      </span>
      <b>{percent(kept)}</b>
      <span className="text-ink-3" title="较上期，百分点">
        {Math.abs(change) < 0.05 ? '持平' : `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(1)}`}
      </span>
    </li>
  );
}

/** Where each brand loses its orders: the conversion rates of the steps, each a link to its orders. */
function Brands({ funnel, gameId }: { funnel: Funnel; gameId: string | undefined }) {
  if (funnel.brands.length < 2) return null;
  const createTime = `${funnel.fromDay}~${funnel.toDay}`;
  return (
    <ScrollX label="按品牌" className="border-t border-line-soft">
      <table className="admin-table">
        <caption className="sr-only">按品牌，从下单到成交</caption>
        <thead>
          <tr>
            <th scope="col">品牌</th>
            <th scope="col" className="num">
              下单
            </th>
            <th scope="col" className="num">
              付款
            </th>
            <th scope="col" className="num">
              交付
            </th>
            <th scope="col" className="num">
              成交
            </th>
          </tr>
        </thead>
        <tbody>
          {funnel.brands.map(({ distId, name, now }) => {
            const to = (reached?: string) => ordersPath({ createTime, distId: String(distId), gameId, reached });
            return (
              <tr key={distId}>
                <td>{name}</td>
                <td className="num">
                  <Link to={to()} className="hover:text-link">
                    {grouped(now.placed)}
                  </Link>
                </td>
                {(
                  [
                    ['paid', share(now.paid, now.placed)],
                    ['shipped', share(now.shipped, now.paid)],
                    ['done', share(now.done, now.shipped)],
                  ] as const
                ).map(([reached, kept]) => (
                  <td key={reached} className="num">
                    <Link to={to(reached)} className="hover:text-link" title={`${now[reached]} 笔`}>
                      {percent(kept)}
                    </Link>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Steps({ funnel, scope }: { funnel: Funnel; scope: BoardScope }) {
  const { now, before, seesViews } = funnel;
  const { distId, gameId } = scope;
  const to = (reached?: string) =>
    ordersPath({ createTime: `${funnel.fromDay}~${funnel.toDay}`, distId, gameId, reached });
  const line = (name: string, count: number, [kept, kept0]: readonly [number, number], reached?: string): StepLine => ({
    name,
    count,
    kept,
    kept0,
    to: to(reached),
  });
  const shares = (part: 'placed' | 'paid' | 'shipped' | 'done', of: 'views' | 'placed' | 'paid' | 'shipped') =>
    [share(now[part], now[of]), share(before[part], before[of])] as const;
  const steps = [
    ...(seesViews ? [line('提交订单', now.placed, shares('placed', 'views'))] : []),
    line('完成付款', now.paid, shares('paid', 'placed'), 'paid'),
    line('交付完成', now.shipped, shares('shipped', 'paid'), 'shipped'),
    line('交易成功', now.done, shares('done', 'shipped'), 'done'),
  ];
  return (
    <>
      <p className="flex items-baseline gap-2 px-4 pt-3 text-13">
        {seesViews ? '看过商品页' : '提交订单'}
        <b className="text-16 font-semibold">
          {seesViews ? (
            grouped(now.views)
          ) : (
            <Link to={to()} className="hover:text-link">
              {grouped(now.placed)}
            </Link>
          )}
        </b>
        {seesViews ? '次' : '笔'}
        <span className="ml-auto text-12 text-ink-3">上一步留下的比例，较上期</span>
      </p>
      <ol className="board-steps">
        {steps.map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </ol>
      <p className="grid gap-1 border-t border-line-soft px-4 py-3 text-12 text-ink-2">
        <span>
          <Link to={to('unpaid')} className="font-semibold hover:text-link">
            {grouped(funnel.unpaid)}
          </Link>{' '}
          单没付款就取消了
        </span>
        <span>
          <Link to={to('undone')} className="font-semibold hover:text-link">
            {grouped(funnel.undone)}
          </Link>{' '}
          单付款后取消或退款
        </span>
        <span className="text-ink-3">按近 {scope.days} 天下的订单，后面几步还会增加。</span>
      </p>
      <Brands funnel={funnel} gameId={gameId} />
    </>
  );
}

/** From the view of a listing to the completed order, in total and by brand. */
export function FunnelPanel({ scope, initial }: { scope: BoardScope; initial: Funnel | null }) {
  const state = usePanel(boardFunnel, scope, { initial });
  return (
    <Panel title="从看到到成交" note={`近 ${scope.days} 天`} of={state} minHeight={240}>
      {(funnel) => <Steps funnel={funnel} scope={scope} />}
    </Panel>
  );
}
