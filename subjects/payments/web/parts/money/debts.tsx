import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { type capitalManagement, payDebts } from '#subjects/accounts/contract/user.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Money = Data<typeof capitalManagement>;
type Debt = Money['debts'][number];

function DebtRow({ debt, mine }: { debt: Debt; mine: boolean }) {
  const settled = debt.settledTime !== null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0">
      <div className="min-w-0">
        <Tag {...(settled ? {} : { tone: mine ? ('danger' as const) : ('attn' as const) })}>
          {settled ? '已还清' : mine ? '我的欠款' : '对方欠我'}
        </Tag>
        <p className="mt-1 text-13 text-ink-2">{debt.reason}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-12 text-ink-3">
          <time dateTime={debt.createTime}>{fullAt(debt.createTime)}</time>
          {debt.orderSn && (
            <Link to={orderPath(debt.orderSn)} className="hit hover:text-link">
              查看订单
            </Link>
          )}
        </p>
      </div>
      <div className="grid justify-items-end gap-0.5">
        <b className="text-14 font-semibold">
          <Amount yuan={debt.rest} />
        </b>
        <span className="text-12 whitespace-nowrap text-ink-3">
          共 <Amount yuan={debt.amount} />
        </span>
      </div>
    </li>
  );
}

/** A user's debts and claims: amount, reason, order and repayment. Renders nothing when there are none. */
export function Debts({ money }: { money: Pick<Money, 'debts' | 'owed' | 'coin'> }) {
  const { busy, send } = useMutation(payDebts, {
    toasts: true,
    revalidates: true,
    done: ({ paid, rest }) =>
      toast(
        fenOf(rest) > 0
          ? `已偿还 ${grouped(paid)} 元，还剩 ${grouped(rest)} 元`
          : `已偿还 ${grouped(paid)} 元，欠款已还清`,
        'ok',
      ),
  });
  if (money.debts.length === 0 && money.owed.length === 0) return null;
  const open = money.debts.some(({ settledTime }) => settledTime === null);
  return (
    <section className="panel" aria-labelledby="debts">
      <div className="panel-head flex-wrap py-2">
        <h2 id="debts">欠款</h2>
        {open && (
          <>
            <p className="max-md:order-3 max-md:basis-full">
              每一笔收入到账时自动偿还，先欠先还；还清前不能提现、原路退款、退保证金
            </p>
            <Button
              size="sm"
              className="ml-auto"
              busy={busy}
              disabled={fenOf(money.coin) === 0}
              onClick={() => void send({})}
            >
              用余额偿还
            </Button>
          </>
        )}
      </div>
      <ul aria-label="欠款">
        {money.debts.map((debt) => (
          <DebtRow key={debt.debtId} debt={debt} mine />
        ))}
        {money.owed.map((debt) => (
          <DebtRow key={debt.debtId} debt={debt} mine={false} />
        ))}
      </ul>
    </section>
  );
}
