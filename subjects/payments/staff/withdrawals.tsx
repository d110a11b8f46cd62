import { useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useRevalidator } from 'react-router';
import { staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import { type StaffWithdrawal, withdrawalList } from '#subjects/payments/contract/list-money.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { Decide, DecideDialog, type Deciding, WithdrawalState } from './withdrawal/decide.tsx';
import { WithdrawalDrawer } from './withdrawal/withdrawal-drawer.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '提现审核', noindex: true });
}

const TODO = 'sort=createTime&todo=1';
const PENDING = 'sort=createTime&status=0';

/** Finance first sees the withdrawals that the caller can decide, others all pending ones; a link to one withdrawal shows it in any state. */
export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  const canDecide = staffCan(staff, 'withdrawal.decide');
  if (args.url.search === '') return redirect(`/backstage/withdrawals?${canDecide ? TODO : PENDING}`);
  return { ...(await loadList(args, withdrawalList, staffWithdrawList)), canDecide };
}

const VIEWS = [
  { name: '待审核', query: PENDING },
  { name: '待同事复核', query: 'second=1' },
  { name: '打款中', query: 'status=1' },
] as const;

const read = rowsOf(staffWithdrawList);

function Approvals({ item }: { item: StaffWithdrawal }) {
  const people = [item.firstBy, item.secondBy].filter((name) => name !== null);
  return (
    <span className="grid text-12 text-ink-3">
      {people.length > 0 && <span>{people.join('、')}</span>}
      {item.status === WithdrawalStatus.Pending && item.needsSecond && <span>需两人审核</span>}
      {item.note && <span className="text-ink-2">{item.note}</span>}
    </span>
  );
}

const cells: CellViews<StaffWithdrawal> = {
  withdrawSn: (w) => (
    <>
      <CopyButton text={w.withdrawSn} label="提现编号" />
      <time className="block text-12 text-ink-3" dateTime={w.createTime} title={fullAt(w.createTime)}>
        {shortAt(w.createTime)} 申请
      </time>
    </>
  ),
  nickName: (w) => (
    <>
      <b className="font-medium">{w.nickName}</b>
      <span className="block text-12 text-ink-3">
        {w.realNameMask ?? '未实名'}，卖出 {w.soldNum} 件
      </span>
      {fenOf(w.debt) > 0 && (
        <Tag tone="danger">
          欠款 <Amount yuan={w.debt} />
        </Tag>
      )}
      <LinkBadges links={w.related} of="与交易对方" />
    </>
  ),
  amount: (w) => <Amount yuan={w.amount} className="font-semibold" />,
  statusName: (w) => (
    <>
      <WithdrawalState item={w} />
      {w.paidTime && <span className="block text-12 text-ink-3">{shortAt(w.paidTime)}</span>}
    </>
  ),
  approvals: (w) => <Approvals item={w} />,
};

function Card({ item }: { item: StaffWithdrawal }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{item.nickName}</b>
        <span className="text-12 text-ink-3">{item.withdrawSn}</span>
        <Amount yuan={item.amount} className="ml-auto font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <WithdrawalState item={item} />
        {item.accountType} {item.accountMask}
        <span className="ml-auto">{shortAt(item.createTime)}</span>
      </span>
      <LinkBadges links={item.related} of="与交易对方" />
    </>
  );
}

/** Withdrawals; each is decided with one confirmation, above the limit by two people. */
export default function WithdrawalsPage() {
  const { canDecide, ...data } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  return (
    <>
      <ListPage
        list={withdrawalList}
        data={data}
        load={read}
        builtIn={canDecide ? [{ name: '等我审核', query: TODO }, ...VIEWS] : VIEWS}
        views={cells}
        card={(item) => <Card item={item} />}
        actions={canDecide ? (item: StaffWithdrawal) => <Decide item={item} onDecide={setDeciding} /> : undefined}
        drawer={(item, controls) => (
          <WithdrawalDrawer row={item} controls={controls} onDecide={canDecide ? setDeciding : undefined} />
        )}
        head={
          <p className="text-12 text-ink-3">
            超过 <Amount yuan={data.first.secondPerson} /> 需两人审核
          </p>
        }
        empty="用户申请提现后金额会先冻结，审核通过才打款。"
      />
      {deciding && (
        <DecideDialog
          deciding={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            setDeciding(null);
            void revalidate();
          }}
        />
      )}
    </>
  );
}
