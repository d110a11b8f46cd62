import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { pendingTransfers } from '#subjects/payments/contract/staff-pending.ts';
import { staffTopupList } from '#subjects/payments/contract/staff-topups.ts';
import { type StaffTopup, topupList } from '#subjects/payments/contract/list-topups.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { PendingTransfers } from './pending-transfers.tsx';
import { TopupRefundDialog } from './topup-refund-dialog.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '充值退回', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff, call } = market(args);
  // Loaded with the page: a panel that appears later would shift the list.
  const [list, pending] = await Promise.all([
    loadList(args, topupList, staffTopupList),
    staffCan(staff, 'ledger.read') ? optional(call(pendingTransfers, {})) : undefined,
  ]);
  return { ...list, pending, canRefund: staffCan(staff, 'topup.refund') };
}

const VIEWS = [
  { name: '今天', query: 'payTime=today' },
  { name: '有退回', query: 'refunded=1' },
  { name: '待同事复核', query: 'second=1' },
] as const;

const read = rowsOf(staffTopupList);

/** The refunded amount of a top-up, and the amount in progress. */
function RefundedAmount({ topup }: { topup: StaffTopup }) {
  if (fenOf(topup.refunded) === 0) return <span className="text-ink-4">—</span>;
  return (
    <>
      <Amount yuan={topup.refunded} />
      {fenOf(topup.underWay) > 0 && (
        <span className="block text-12 text-attn">
          处理中 <Amount yuan={topup.underWay} />
        </span>
      )}
    </>
  );
}

function RefundAction({ topup, canRefund, onRefund }: { topup: StaffTopup; canRefund: boolean; onRefund: () => void }) {
  return (
    <>
      {topup.askedBy && (
        <span className="mr-2 text-12 text-attn max-xl:mr-0 max-xl:block" title={topup.askedReason ?? undefined}>
          {topup.askedBy}申请退回 {topup.askedAmount && <Amount yuan={topup.askedAmount} />}
        </span>
      )}
      {topup.closed ? (
        <span className="text-12 text-ink-3">{topup.closed}</span>
      ) : (
        canRefund && (
          <Button size="sm" disabled={topup.isMine} onClick={onRefund}>
            {topup.askedBy ? '复核退回' : '原路退回'}
          </Button>
        )
      )}
      {!topup.closed && canRefund && <OtherPerson isMine={topup.isMine} label="您已申请" />}
    </>
  );
}

const cells: CellViews<StaffTopup> = {
  nickName: (p) => (
    <UserLink id={p.userId} className="font-medium">
      {p.nickName}
    </UserLink>
  ),
  amount: (p) => <Amount yuan={p.amount} className="font-semibold" />,
  refunded: (p) => <RefundedAmount topup={p} />,
};

function Card({ topup }: { topup: StaffTopup }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{topup.nickName}</b>
        <span className="text-12 text-ink-3">{topup.channelName}</span>
        <Amount yuan={topup.amount} className="ml-auto font-semibold" />
      </span>
      <span className="flex gap-2 text-12 text-ink-3">
        <span className="truncate">{topup.interSn}</span>
        <span className="ml-auto flex-none">{shortAt(topup.payTime)}</span>
      </span>
    </>
  );
}

/** Completed top-ups; finance refunds one to its source, above the limit with a second person. */
export default function TopupsPage() {
  const { canRefund, pending, ...data } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<StaffTopup | null>(null);
  return (
    <>
      {pending !== undefined && <PendingTransfers initial={pending} canClose={canRefund} />}
      <ListPage
        list={topupList}
        data={data}
        load={read}
        builtIn={VIEWS}
        views={cells}
        card={(topup) => <Card topup={topup} />}
        actions={(topup) => <RefundAction topup={topup} canRefund={canRefund} onRefund={() => setChosen(topup)} />}
        empty="到账的充值会在这里列出，用户申请退款或误充时可以原路退回。"
      />
      {chosen && (
        <TopupRefundDialog
          topup={chosen}
          secondPerson={data.first.secondPerson}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
