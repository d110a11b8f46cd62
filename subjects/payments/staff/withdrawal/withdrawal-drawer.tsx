import { personMoney } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import type { StaffWithdrawal } from '#subjects/payments/contract/list-money.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';
import {
  Drawer,
  DrawerFacts,
  DrawerPart,
  DrawerPerson,
  DrawerWait,
  useRecord,
} from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import { Payees, Withdrawals } from '#subjects/back-office/staff/person/money-parts.tsx';
import { Decide, type Deciding, WithdrawalState } from './decide.tsx';
import { useClosedReason } from '#subjects/back-office/staff/parts/user-link.tsx';

type Money = Data<typeof personMoney>;

function Head({ row, onDecide }: { row: StaffWithdrawal; onDecide: ((deciding: Deciding) => void) | undefined }) {
  const isPending = row.status === WithdrawalStatus.Pending;
  return (
    <div className="list-drawer-part">
      <div className="flex items-center gap-2">
        <h1 className="text-16 font-semibold">
          <Amount yuan={row.amount} />
        </h1>
        <WithdrawalState item={row} />
        <span className="ml-auto">{onDecide && <Decide item={row} onDecide={onDecide} />}</span>
      </div>
      <p className="text-12 text-ink-2">
        {shortAt(row.createTime)} 申请到 {row.accountType} {row.accountMask}
        {isPending && row.needsSecond && '，需两人审核'}
        {row.firstBy && `，${row.firstBy} 初审`}
        {row.secondBy && `，${row.secondBy} 复核`}
      </p>
      {row.note && <p className="text-13 text-ink-2">退回原因：{row.note}</p>}
      <LinkBadges links={row.related} of="与交易对方" />
    </div>
  );
}

function Body({ row, money }: { row: StaffWithdrawal; money: Money }) {
  const { balances } = money;
  return (
    <>
      <DrawerFacts
        facts={[
          ...(balances === null
            ? []
            : ([
                ['可用', <Amount key="available" yuan={balances.available} />],
                ['冻结', <Amount key="frozen" yuan={balances.frozen} />],
                ['保证金', <Amount key="deposit" yuan={balances.deposit} />],
              ] as const)),
          ['托管中', <Amount key="escrow" yuan={money.escrow.amount} />],
          ['已提现', `${grouped(money.withdrawn.amount)} 元，${money.withdrawn.count} 次`],
          ['欠款', fenOf(row.debt) > 0 ? <Amount key="debt" yuan={row.debt} className="text-danger" /> : '没有'],
          ['手续费', <Amount key="fee" yuan={row.fee} />],
          ['打款', row.paidTime ? fullAt(row.paidTime) : '还没有'],
        ]}
      />
      <DrawerPart title="收款账户" note="换过的也在这里">
        <Payees money={money} />
      </DrawerPart>
      <DrawerPart title="提现记录">
        <Withdrawals money={money} />
      </DrawerPart>
    </>
  );
}

/** A withdrawal next to the list: owner, payee and earlier payouts, with the buttons to decide it. */
export function WithdrawalDrawer({
  row,
  controls,
  onDecide,
}: {
  row: StaffWithdrawal;
  controls: DrawerControls;
  onDecide: ((deciding: Deciding) => void) | undefined;
}) {
  const { data, message, again } = useRecord(personMoney, { userId: row.userId });
  const closed = useClosedReason(row.userId);
  return (
    <Drawer
      number={row.withdrawSn}
      label="提现编号"
      page={closed === null ? `/backstage/users/${row.userId}` : null}
      controls={controls}
    >
      <Head row={row} onDecide={onDecide} />
      <div className="border-b border-line">
        <DrawerPerson
          role={row.realNameMask ?? '未实名'}
          name={row.nickName}
          id={row.userId}
          note={`卖出 ${row.soldNum} 件`}
        />
      </div>
      {data ? <Body row={row} money={data} /> : <DrawerWait message={message} onRetry={again} />}
    </Drawer>
  );
}
