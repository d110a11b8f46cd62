import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { Decide, DecideDialog, type Deciding, WithdrawalState } from '#subjects/payments/staff/withdrawal/decide.tsx';

/** A pending withdrawal of the user; it is decided here as in the list, above the limit by two people. */
export function PendingWithdrawal({
  withdrawSn,
  mayDecide,
  onDone,
}: {
  withdrawSn: string;
  mayDecide: boolean;
  onDone: () => void;
}) {
  const { data, failure, reload } = usePanel(staffWithdrawList, { keyWord: withdrawSn, pageSize: 1 });
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const item = data?.list[0];
  if (failure !== null) return <p className="px-4 py-3 text-13 text-danger">{failure}</p>;
  if (data === null) return <Skeleton className="m-4 h-24" />;
  if (!item) return null;
  return (
    <section className="person-pending" aria-label="提现待审核">
      <h3 className="flex items-center gap-2 font-semibold">
        提现待审核
        <WithdrawalState item={item} />
      </h3>
      <p className="text-20 font-semibold">
        <Amount yuan={item.amount} />
      </p>
      <p className="text-12 text-ink-2">
        {shortAt(item.createTime)} 申请到 {item.accountType} {item.accountMask}
        {item.firstBy ? `，${item.firstBy} 已初审，需另一位同事复核` : item.needsSecond && '，金额较大，需两人审核'}
      </p>
      {fenOf(item.debt) > 0 && (
        <p className="text-12 text-danger">
          欠其他用户 <Amount yuan={item.debt} />
        </p>
      )}
      <LinkBadges links={item.related} of="与交易对方" />
      {mayDecide && <Decide item={item} onDecide={setDeciding} />}
      {deciding && (
        <DecideDialog
          deciding={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            setDeciding(null);
            reload();
            onDone();
            void revalidate();
          }}
        />
      )}
    </section>
  );
}
