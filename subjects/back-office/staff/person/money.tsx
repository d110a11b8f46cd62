import { useState } from 'react';
import { personMoney } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { countText, fenOf, grouped, yuanInTenThousands } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Choice } from '../parts/choice.tsx';
import { Panel } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { Payees, Withdrawals } from './money-parts.tsx';
import { PendingWithdrawal } from '#subjects/payments/staff/withdrawal/pending-withdrawal.tsx';

type Money = Data<typeof personMoney>;

type Place = readonly [string, string, string, boolean];

function balancePlaces(balances: NonNullable<Money['balances']>, debt: string): Place[] {
  const { holds, maturing } = balances;
  const next = holds.nextTime ? `，${shortAt(holds.nextTime)} 起解冻` : '';
  const isOwing = fenOf(debt) > 0;
  return [
    ['冻结', balances.frozen, holds.count === 0 ? '没有冻结' : `${holds.count} 笔${next}`, false],
    ['可用', balances.available, isOwing ? `欠款 ${grouped(debt)} 元` : '可以提现', isOwing],
    ['保证金', balances.deposit, fenOf(maturing) > 0 ? `另有待结算奖励 ${grouped(maturing)} 元` : '缴纳中', false],
  ];
}

/** Where the user's money is, from the buyer's payment to the payout. Staff of a distributor do not see the balances. */
function Places({ money }: { money: Money }) {
  const { balances, escrow, withdrawn } = money;
  const places: readonly Place[] = [
    [
      '托管中',
      escrow.amount,
      escrow.orders === 0 ? '没有在交付的订单' : `${countText(escrow.orders, escrow.totalCapped)} 笔在交付`,
      false,
    ],
    ...(balances === null ? [] : balancePlaces(balances, money.debt)),
    [
      '已提现',
      withdrawn.amount,
      withdrawn.count === 0 ? '没有提过' : `${withdrawn.count} 次，最近到 ${withdrawn.accountMask ?? ''}`,
      false,
    ],
  ];
  return (
    <ol className="person-places">
      {places.map(([name, yuan, note, isBad]) => (
        <li key={name} data-empty={fenOf(yuan) === 0 ? '' : undefined}>
          <i aria-hidden="true" />
          <span className="text-12 text-ink-3">{name}</span>
          <Amount yuan={yuan} className="text-16 font-semibold" />
          <span className={cx('text-12', isBad ? 'text-danger' : 'text-ink-3')}>{note}</span>
        </li>
      ))}
    </ol>
  );
}

/** Opening balance, credits and debits by purpose, and closing balance; the rows add up to the fen. */
function Line({ line, isOfSite }: { line: Money['line']; isOfSite: boolean }) {
  return (
    <ScrollX label="资金的来去">
      <table className="admin-table">
        <caption className="sr-only">资金的来去，逐项相加等于现在的合计</caption>
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col" className="num">
              收入
            </th>
            <th scope="col" className="num">
              支出
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{line.fromDay === null ? '注册时' : `${line.fromDay} 时的合计`}</td>
            <td className="num" colSpan={2}>
              <Amount yuan={line.opening} />
            </td>
          </tr>
          {line.parts.map((part) => (
            <tr key={part.group}>
              <td>{part.name}</td>
              <td className="num">{fenOf(part.in) > 0 && <Amount yuan={part.in} sign="+" />}</td>
              <td className="num">{fenOf(part.out) > 0 && <Amount yuan={part.out} sign="-" />}</td>
            </tr>
          ))}
          <tr className="font-semibold">
            <td>{isOfSite ? '本站的合计' : '现在的合计（可用、冻结、保证金、待结算奖励）'}</td>
            <td className="num" colSpan={2}>
              <Amount yuan={line.closing} />
            </td>
          </tr>
        </tbody>
      </table>
    </ScrollX>
  );
}

const WIDTH = 540;
const HEIGHT = 120;

/** Available and frozen balance by day as an area, with marks for payouts and changes of payee. */
function Chart({ money }: { money: Money }) {
  const { days, payees } = money;
  const least = Math.min(0, ...days.map(({ balance }) => fenOf(balance)));
  const most = Math.max(1, ...days.map(({ balance }) => fenOf(balance)));
  const x = (i: number) => (i / Math.max(1, days.length - 1)) * WIDTH;
  const y = (yuan: string) => HEIGHT - 4 - ((fenOf(yuan) - least) / (most - least)) * (HEIGHT - 24);
  const points = days.map(({ balance }, i) => `${x(i).toFixed(1)},${y(balance).toFixed(1)}`).join(' ');
  const changes = payees.flatMap(({ createTime, mask }, i) => {
    const at = days.findIndex(({ day }) => day === createTime.slice(0, 10));
    return at < 0 || i === payees.length - 1 ? [] : [{ at, mask }];
  });
  const [top, unit] = yuanInTenThousands((most / 100).toFixed(2));
  return (
    <figure className="px-4 py-3">
      <figcaption className="flex flex-wrap gap-x-4 text-12 text-ink-3">
        {money.balances === null ? '本站收支合计' : '冻结与可用合计'}，90 天，最高 ¥{top}
        {unit}
        {days.some(({ withdrawals }) => withdrawals > 0) && <span>▾ 提现</span>}
        {changes.length > 0 && <span className="text-attn">┆ 换收款账户</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="mt-2 h-30 w-full"
        preserveAspectRatio="none"
        role="img"
        aria-label={`90 天内最高 ${top}${unit} 元`}
      >
        <polygon points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} className="chart-area" />
        <polyline points={points} className="chart-line" vectorEffect="non-scaling-stroke" />
        {days.map(({ day, withdrawals }, i) =>
          withdrawals > 0 ? (
            <path key={day} d={`M${x(i) - 4} 2h8l-4 7z`} className="chart-mark">
              <title>{`${day} 提现 ${withdrawals} 次`}</title>
            </path>
          ) : null,
        )}
        {changes.map(({ at, mask }) => (
          <line
            key={at}
            x1={x(at)}
            x2={x(at)}
            y1="0"
            y2={HEIGHT}
            className="chart-change"
            vectorEffect="non-scaling-stroke"
          >
            <title>{`${days[at]?.day ?? ''} 换成 ${mask}`}</title>
          </line>
        ))}
      </svg>
      <p className="flex justify-between text-12 text-ink-3">
        <span>{days[0]?.day.slice(5)}</span>
        <span>今天</span>
      </p>
    </figure>
  );
}

/** The user's money: balances, movements, and payout accounts. */
export function MoneyPanel({ userId, mayDecide }: { userId: string; mayDecide: boolean }) {
  const [range, setRange] = useState<'90' | 'all'>('90');
  const state = usePanel(personMoney, { userId, range });
  return (
    <div id="money" className="scroll-mt-16">
      <Panel
        title="资金"
        note="合计 = 起始 + 收入 − 支出"
        aside={
          <Choice
            label="时间"
            value={range}
            options={[
              ['90', '近 90 天'],
              ['all', '全部时间'],
            ]}
            onChange={setRange}
          />
        }
        of={state}
        minHeight={420}
      >
        {(money) => (
          <>
            <Places money={money} />
            <div className="person-split">
              <div className="min-w-0">
                <Chart money={money} />
                <Line line={money.line} isOfSite={money.balances === null} />
              </div>
              <div className="min-w-0">
                {money.withdrawals
                  .filter(({ status }) => status === WithdrawalStatus.Pending)
                  .map(({ withdrawSn }) => (
                    <PendingWithdrawal
                      key={withdrawSn}
                      withdrawSn={withdrawSn}
                      mayDecide={mayDecide}
                      onDone={state.reload}
                    />
                  ))}
                <h3 className="person-sub">收款账户</h3>
                <Payees money={money} />
                <h3 className="person-sub">提现</h3>
                {money.withdrawals.length === 0 && money.payees.length === 0 ? (
                  <EmptyState title="没有提现过">绑定收款账户之后才能提现。</EmptyState>
                ) : (
                  <Withdrawals money={money} />
                )}
              </div>
            </div>
          </>
        )}
      </Panel>
    </div>
  );
}
