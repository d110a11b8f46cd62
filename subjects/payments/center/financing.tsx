import { ChevronRight } from 'lucide-react';
import { type LoaderFunctionArgs, Link, useLoaderData, useRevalidator } from 'react-router';
import { bill, billStats } from '#subjects/payments/contract/pay.ts';
import { capitalManagement } from '#subjects/accounts/contract/user.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FlowChart, FlowKinds } from '../web/parts/money/flow-chart.tsx';
import { type Attempt, attempt } from '#web/lib/api/attempt.ts';
import { type BillItem, BillList } from '#subjects/payments/web/parts/money/bill-list.tsx';
import { Holds } from '#subjects/payments/web/parts/money/holds.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

const NEWEST = 8;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '资金收支', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const raw = args.context.get(marketContext);
  const [money, income, expense, flow] = await Promise.all([
    call(capitalManagement, {}),
    attempt(raw.call(bill, { account: 'available', direction: 'in', pageSize: NEWEST })),
    attempt(raw.call(bill, { account: 'available', direction: 'out', pageSize: NEWEST })),
    optional(raw.call(billStats, {})),
  ]);
  return { money, income, expense, flow };
}

function FlowPanel({
  title,
  empty,
  to,
  lines,
}: {
  title: string;
  empty: { title: string; text: string; action: string; to: string };
  to: string;
  lines: Attempt<{ list: readonly BillItem[] }>;
}) {
  const { revalidate } = useRevalidator();
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <Link to={to} className="more">
          全部
          <ChevronRight className="icon size-3.5" aria-hidden="true" />
        </Link>
      </div>
      {!lines.ok ? (
        <ErrorState message={lines.msg} onRetry={() => void revalidate()} />
      ) : lines.data.list.length > 0 ? (
        <BillList lines={lines.data.list} label={title} />
      ) : (
        <EmptyState title={empty.title} action={<ButtonLink to={empty.to}>{empty.action}</ButtonLink>}>
          {empty.text}
        </EmptyState>
      )}
    </section>
  );
}

const NO_INCOME = {
  title: '还没有收入',
  text: '充值、卖出商品和退款会记在这里。',
  action: '去充值',
  to: '/center/myself/recharge',
};
const NO_EXPENSE = {
  title: '还没有支出',
  text: '用余额付款、提现和缴纳保证金会记在这里。',
  action: '去挑一件',
  to: '/wares',
};

/** Money in and out: the last 30 days in three figures, the newest entries of each direction, then what is on hold. */
export default function FinancingPage() {
  const { money, income, expense, flow } = useLoaderData<typeof loader>();
  const net = yuanOf(fenOf(money.income30) - fenOf(money.expense30));
  // A zero amount gets no sign.
  const signed = (yuan: string, sign: '+' | '-') => (fenOf(yuan) === 0 ? undefined : sign);
  const figures = [
    ['近 30 天收入', money.income30, signed(money.income30, '+')],
    ['近 30 天支出', money.expense30, signed(money.expense30, '-')],
    ['净变动', net.replace('-', ''), signed(net, net.startsWith('-') ? '-' : '+')],
    ['可用余额', money.coin, undefined],
    ['冻结', money.frozenCoin, undefined],
  ] as const;
  return (
    <div className="grid gap-4">
      <section className="panel overflow-hidden" aria-labelledby="financing">
        <div className="panel-head">
          <h1 id="financing" className="text-16 font-semibold">
            资金收支
          </h1>
          <p>按可用余额计，冻结与解冻的货款在解冻时计入收入</p>
        </div>
        <dl className="grid grid-cols-2 md:grid-cols-5">
          {figures.map(([label, yuan, sign]) => (
            <div
              key={label}
              className="grid gap-1 border-line-soft px-4 py-3.5 max-md:border-b max-md:last:border-b-0 max-md:last:odd:col-span-2 md:border-r md:last:border-r-0"
            >
              <dt className="text-12 text-ink-3">{label}</dt>
              <dd className="text-16 font-semibold">
                <Amount yuan={yuan} {...(sign && { sign })} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {flow && flow.kinds.length > 0 && (
        <section className="panel" aria-labelledby="flow">
          <div className="panel-head">
            <h2 id="flow">近 30 天走势</h2>
            <p>可用余额每天的收入与支出</p>
          </div>
          <FlowChart flow={flow} label="近 30 天收支" />
          <div className="border-t border-line-soft">
            <FlowKinds kinds={flow.kinds} />
          </div>
        </section>
      )}
      <FlowPanel title="收入" empty={NO_INCOME} to="/center/mywallets/list?direction=in" lines={income} />
      <FlowPanel title="支出" empty={NO_EXPENSE} to="/center/mywallets/list?direction=out" lines={expense} />
      <section className="panel" aria-labelledby="held">
        <div className="panel-head">
          <h2 id="held">冻结明细</h2>
        </div>
        <Holds holds={money.holds} />
      </section>
    </div>
  );
}
