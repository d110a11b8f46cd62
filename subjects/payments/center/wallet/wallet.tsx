import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { type LoaderFunctionArgs, Link, useLoaderData, useRevalidator } from 'react-router';
import { bill } from '#subjects/payments/contract/pay.ts';
import { capitalManagement } from '#subjects/accounts/contract/user.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { Debts } from '../../web/parts/money/debts.tsx';
import { attempt } from '#web/lib/api/attempt.ts';
import { BillList } from '#subjects/payments/web/parts/money/bill-list.tsx';
import { Holds } from '#subjects/payments/web/parts/money/holds.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';

const NEWEST = 6;

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的钱包', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const [money, newest] = await Promise.all([
    call(capitalManagement, {}),
    attempt(args.context.get(marketContext).call(bill, { account: 'available', pageSize: NEWEST })),
  ]);
  return { money, newest };
}

function Balance({
  label,
  yuan,
  big = false,
  children,
}: {
  label: string;
  yuan: string;
  big?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-1 px-4 py-4 max-md:border-b max-md:border-line-soft md:border-r md:border-line-soft md:last:border-r-0">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className={big ? 'text-28 font-bold' : 'text-20 font-semibold'}>
        <Amount yuan={yuan} />
      </dd>
      <dd className="text-12 text-ink-3">{children}</dd>
    </div>
  );
}

/** The wallet: available balance, frozen amounts with reasons, deposits, and the newest movements. */
export default function WalletPage() {
  const { money, newest } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  // The primary button is the withdrawal when there is a balance, otherwise the top-up.
  const hasBalance = fenOf(money.coin) > 0;
  return (
    <div className="grid gap-4">
      <section className="panel overflow-hidden" aria-labelledby="wallet">
        <div className="panel-head flex-wrap py-2">
          <h1 id="wallet" className="text-16 font-semibold">
            我的钱包
          </h1>
          <span className="ml-auto flex gap-2">
            {hasBalance && (
              <ButtonLink to="/center/mywallets/withdrawal" kind="primary">
                提现
              </ButtonLink>
            )}
            <ButtonLink to="/center/myself/recharge" kind={hasBalance ? 'plain' : 'primary'}>
              充值
            </ButtonLink>
            <ButtonLink to="/center/mywallets/list">账单</ButtonLink>
          </span>
        </div>
        <dl className="grid md:grid-cols-[1.4fr_1fr_1fr]">
          <Balance label="可用余额" yuan={money.coin} big>
            近 30 天收入 <Amount yuan={money.income30} />
            ，支出 <Amount yuan={money.expense30} />
          </Balance>
          <Balance label="冻结" yuan={money.frozenCoin}>
            保护期内的货款、处理中的提现与退款，下面逐笔说明
          </Balance>
          <Balance label="保证金" yuan={money.depositCoin}>
            开店与接单时缴纳，退出后可退
          </Balance>
        </dl>
      </section>
      <Debts money={money} />
      <section className="panel" aria-labelledby="holds">
        <div className="panel-head">
          <h2 id="holds">冻结明细</h2>
          <p>每一笔都有原因和结束时间</p>
        </div>
        <Holds holds={money.holds} />
      </section>
      <section className="panel" aria-labelledby="newest">
        <div className="panel-head">
          <h2 id="newest">最近变动</h2>
          <Link to="/center/mywallets/list" className="more">
            全部账单
            <ChevronRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        </div>
        {!newest.ok ? (
          <ErrorState message={newest.msg} onRetry={() => void revalidate()} />
        ) : newest.data.list.length > 0 ? (
          <BillList lines={newest.data.list} label="最近变动" />
        ) : (
          <EmptyState
            title="还没有资金记录"
            action={
              <ButtonLink to="/center/myself/recharge" kind="primary">
                去充值
              </ButtonLink>
            }
          />
        )}
      </section>
    </div>
  );
}
