import type { ReactNode } from 'react';
import { personMoney } from '#subjects/back-office/contract/person.ts';
import type { StaffHold } from '#subjects/ledger/contract/list-holds.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { OrderLink } from '#subjects/back-office/staff/list/case-cells.tsx';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import {
  Drawer,
  DrawerFacts,
  DrawerPart,
  DrawerPerson,
  DrawerWait,
  useRecord,
} from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import { Withdrawals } from '#subjects/back-office/staff/person/money-parts.tsx';
import { useClosedReason } from '#subjects/back-office/staff/parts/user-link.tsx';

/** A hold next to the list: reason, end and owner. `children` are the actions. */
export function HoldDrawer({
  row,
  controls,
  children,
}: {
  row: StaffHold;
  controls: DrawerControls;
  children: ReactNode;
}) {
  const { data, message, again } = useRecord(personMoney, { userId: row.userId });
  const closed = useClosedReason(row.userId);
  return (
    <Drawer
      number={String(row.holdId)}
      label="冻结编号"
      page={closed === null ? `/backstage/users/${row.userId}` : null}
      controls={controls}
    >
      <div className="list-drawer-part">
        <div className="flex items-center gap-2">
          <h1 className="text-16 font-semibold">
            <Amount yuan={row.amount} />
          </h1>
          <Tag>{row.codeName}</Tag>
          {row.disputed && <Tag tone="danger">申诉中</Tag>}
          <span className="ml-auto">
            {row.releaseTime && <ListClock end={row.releaseTime} from={row.createTime} />}
          </span>
        </div>
        <p className="text-13 text-ink-2">{row.reason}</p>
        {row.askedReason && (
          <p className="text-13 text-attn">
            {row.askedBy}申请解冻：{row.askedReason}
          </p>
        )}
        <p className="flex flex-wrap items-center gap-2">{children}</p>
      </div>
      <div className="border-b border-line">
        <DrawerPerson role="用户" name={row.nickName} id={row.userId} note={row.userId} />
      </div>
      <DrawerFacts
        facts={[
          ['冻结时间', fullAt(row.createTime)],
          ['到期', row.releaseTime ? fullAt(row.releaseTime) : '没有期限'],
          ['订单', row.orderSn ? <OrderLink key="order" sn={row.orderSn} /> : '没有'],
          ...(data
            ? ([
                ...(data.balances === null
                  ? []
                  : ([
                      ['可用', <Amount key="available" yuan={data.balances.available} />],
                      ['冻结合计', <Amount key="frozen" yuan={data.balances.frozen} />],
                    ] as const)),
                [
                  '欠款',
                  fenOf(data.debt) > 0 ? <Amount key="debt" yuan={data.debt} className="text-danger" /> : '没有',
                ],
              ] as const)
            : []),
        ]}
      />
      {data ? (
        <DrawerPart title="提现记录">
          <Withdrawals money={data} />
        </DrawerPart>
      ) : (
        <DrawerWait message={message} onRetry={again} />
      )}
    </Drawer>
  );
}
