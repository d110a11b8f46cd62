import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { commissionDays, settlementList } from '#subjects/promotions/contract/staff-campaigns.ts';
import { settlementRows, type StaffSettlement } from '#subjects/ledger/contract/list-ledger.ts';
import { SettlementStatus } from '#contract/rules/statuses.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { type SettlementAction, SettlementDialog } from './commission/settlement-dialog.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '佣金结算', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const [list, days] = await Promise.all([
    loadList(args, settlementRows, settlementList),
    // A market without distributors has nothing to settle.
    optional(request(commissionDays, {})),
  ]);
  return {
    ...list,
    dists: days?.dists ?? [],
    maturing: days?.dists.length === 1 ? days.maturing : null,
    canRequest: staffCan(staff, 'commission.ask') && days !== null,
    canPay: staffCan(staff, 'commission.pay'),
  };
}

const VIEWS = [
  { name: '待打款', query: 'sort=time&status=0' },
  { name: '待同事复核', query: 'second=1' },
  { name: '已打款', query: 'status=1' },
] as const;

const read = rowsOf(settlementList);

function Status({ item }: { item: StaffSettlement }) {
  const tone =
    item.status === SettlementStatus.Pending ? 'attn' : item.status === SettlementStatus.Paid ? 'safe' : undefined;
  return <Tag {...(tone && { tone })}>{item.statusName}</Tag>;
}

const cells: CellViews<StaffSettlement> = {
  settlementSn: (s) => (
    <>
      <CopyButton text={s.settlementSn} label="结算编号" />
      <time className="block text-12 text-ink-3" dateTime={s.time} title={fullAt(s.time)}>
        {shortAt(s.time)} 申请
      </time>
    </>
  ),
  amount: (s) => <Amount yuan={s.amount} className="font-semibold" />,
  statusName: (s) => (
    <>
      <Status item={s} />
      {s.receiptNo && <span className="block text-12 text-ink-3">回单 {s.receiptNo}</span>}
      {s.note && <span className="block max-w-56 truncate text-12 text-ink-3">{s.note}</span>}
    </>
  ),
  askedBy: (s) => (
    <>
      {s.askedBy}
      {s.firstBy && <span className="block text-12 text-ink-3">{s.firstBy} 初审</span>}
    </>
  ),
  decidedBy: (s) => s.decidedBy && `${s.decidedBy} ${s.status === SettlementStatus.Paid ? '打款' : '退回'}`,
};

function Card({ item }: { item: StaffSettlement }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{item.distName}</b>
        <span className="text-12 text-ink-3">{item.settlementSn}</span>
        <Amount yuan={item.amount} className="ml-auto font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <Status item={item} />
        {item.askedBy} 申请
        <span className="ml-auto">{shortAt(item.time)}</span>
      </span>
    </>
  );
}

function Actions({ item, onAction }: { item: StaffSettlement; onAction: (action: SettlementAction) => void }) {
  if (item.status !== SettlementStatus.Pending) return null;
  return (
    <>
      <span className="inline-flex gap-2">
        <Button size="sm" kind="ghost" onClick={() => onAction({ kind: 'refuse', item })}>
          退回
        </Button>
        <Button size="sm" disabled={item.isMine} onClick={() => onAction({ kind: 'pay', item })}>
          {item.firstBy ? '复核打款' : '登记打款'}
        </Button>
      </span>
      <OtherPerson isMine={item.isMine} label="您已初审" />
    </>
  );
}

/** Settlements of distributors' commission: operators view and request, finance pays. */
export default function CommissionPage() {
  const { dists, maturing, canRequest, canPay, ...data } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [action, setAction] = useState<SettlementAction | null>(null);
  const sites = data.first.sites.map(({ distId, name }) => [String(distId), name] as const);
  const filters = { ...settlementRows.filters, distId: { ...settlementRows.filters.distId, options: sites } };
  const balance = yuanOf(dists.reduce((sum, dist) => sum + fenOf(dist.balance), 0));
  return (
    <>
      <ListPage
        list={{ ...settlementRows, filters }}
        data={data}
        load={read}
        builtIn={VIEWS}
        views={cells}
        card={(item) => <Card item={item} />}
        actions={canPay ? (item: StaffSettlement) => <Actions item={item} onAction={setAction} /> : undefined}
        head={
          <>
            <p className="text-12 text-ink-3">
              可结算 <Amount yuan={balance} />
              {maturing !== null && (
                <>
                  ，待结算 <Amount yuan={maturing} />
                </>
              )}
            </p>
            {canRequest && (
              <Button size="sm" onClick={() => setAction({ kind: 'ask' })}>
                申请结算
              </Button>
            )}
            <ButtonLink size="sm" kind="ghost" to="/backstage/commission/days">
              日结单
            </ButtonLink>
          </>
        }
        empty="分销商运营提交申请后，财务在这里登记打款。"
      />
      {action && (
        <SettlementDialog
          action={action}
          dists={dists}
          onDone={() => {
            setAction(null);
            void revalidate();
          }}
          onClose={() => setAction(null)}
        />
      )}
    </>
  );
}
