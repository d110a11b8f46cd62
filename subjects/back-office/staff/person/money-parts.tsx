import { useState } from 'react';
import { Link } from 'react-router';
import type { personMoney } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';

type Money = Data<typeof personMoney>;

/** The user's payout accounts, including former ones. */
export function Payees({ money }: { money: Money }) {
  const [now] = useState(() => Date.now());
  if (money.payees.length === 0) return <p className="px-4 py-3 text-13 text-ink-3">没有绑定收款账户。</p>;
  return (
    <ul className="person-rows">
      {money.payees.map((payee) => (
        <li key={payee.payeeId}>
          <span className="min-w-0">
            <b className="font-medium">
              {payee.kindName} {payee.mask}
            </b>
            <span className="block text-12 text-ink-3">
              {fullAt(payee.createTime).slice(0, 10)} 绑定
              {payee.removeTime && `，${fullAt(payee.removeTime).slice(0, 10)} 换掉`}
            </span>
          </span>
          <span className="ml-auto text-right text-12 text-ink-3">
            {payee.isCurrent && <Tag tone={Date.parse(payee.usableTime) > now ? 'attn' : 'safe'}>现用</Tag>}
            <span className="block" suppressHydrationWarning>
              {payee.paidNum === 0 ? '还没有打过款' : `打款 ${payee.paidNum} 次，${grouped(payee.paid)} 元`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The user's latest withdrawals. */
export function Withdrawals({ money }: { money: Money }) {
  if (money.withdrawals.length === 0) return <p className="px-4 py-3 text-13 text-ink-3">没有提现记录。</p>;
  return (
    <ul className="person-rows">
      {money.withdrawals.map((row) => (
        <li key={row.withdrawSn}>
          <span className="min-w-0">
            <Link to={`/backstage/withdrawals?keyWord=${row.withdrawSn}&open=${row.withdrawSn}`} className="link">
              {row.withdrawSn}
            </Link>
            <span className="block text-12 text-ink-3">
              {fullAt(row.createTime)} 到 {row.kindName} {row.mask}
            </span>
          </span>
          <span className="ml-auto text-right">
            <Amount yuan={row.amount} className="font-semibold" />
            <span className={cx('block text-12', row.status === WithdrawalStatus.Pending ? 'text-attn' : 'text-ink-3')}>
              {row.statusName}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
