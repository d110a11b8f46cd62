import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { staffDisputeList, staffDisputeTake } from '#subjects/disputes/contract/staff-disputes.ts';
import { disputeList, type StaffDispute } from '#subjects/disputes/contract/list-cases.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { CaseDue, StaffName } from '#subjects/back-office/staff/list/case-cells.tsx';
import { DisputeDrawer } from './cases/dispute-drawer.tsx';
import type { BulkAction } from '#subjects/back-office/staff/list/bulk.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申诉', noindex: true });
}

/** Staff first see the disputes to be ruled, as counted in the menu, nearest deadline first. */
export async function loader(args: LoaderFunctionArgs) {
  if (args.url.search === '') return redirect('/backstage/disputes?sort=deadline&todo=1');
  const { staff } = market(args);
  return { ...(await loadList(args, disputeList, staffDisputeList)), canRule: staffCan(staff, 'dispute.rule') };
}

const VIEWS = [
  { name: '待裁决', query: 'sort=deadline&todo=1' },
  { name: '处理中', query: 'active=1&sort=deadline' },
  { name: '我负责的', query: 'mine=1&sort=deadline' },
  { name: '没有客服', query: 'sort=deadline&unassigned=1' },
  { name: '超时', query: 'late=1&sort=deadline' },
  { name: '上诉', query: 'sort=deadline&status=appealed' },
  { name: '待复核', query: 'second=1' },
  { name: '已结案', query: 'status=closed' },
] as const;

const read = rowsOf(staffDisputeList);

function Status({ item }: { item: StaffDispute }) {
  const isOpen = item.status !== 'closed';
  return (
    <span className="flex flex-wrap gap-1">
      <Tag {...(isOpen && { tone: 'attn' as const })}>{item.statusName}</Tag>
      {item.escalated && isOpen && <Tag tone="danger">已升级</Tag>}
      {item.waitsForSecond && <Tag tone="attn">待复核</Tag>}
    </span>
  );
}

const party = (item: StaffDispute, side: 'buyer' | 'seller') => (
  <>
    {side === 'buyer' ? item.buyerName : item.sellerName}
    {item.openerSide === side && <span className="block text-12 text-ink-3">发起</span>}
  </>
);

const cells: CellViews<StaffDispute> = {
  disputeSn: (d) => (
    <>
      <Link to={`/backstage/disputes/${d.disputeSn}`} className="list-sn">
        {d.disputeSn}
      </Link>
      <time className="block text-12 text-ink-3" dateTime={d.openTime} title={fullAt(d.openTime)}>
        {shortAt(d.openTime)}
      </time>
    </>
  ),
  bigTitle: (d) => (
    <span className="list-goods">
      <span className="line-clamp-1">{d.bigTitle}</span>
      <span className="line-clamp-1 text-12 text-ink-3">
        {d.gameName}，{d.reasonName}，诉求{d.wantName}
      </span>
    </span>
  ),
  goodsPrice: (d) => <Amount yuan={d.goodsPrice} className="font-semibold" />,
  buyerName: (d) => party(d, 'buyer'),
  sellerName: (d) => party(d, 'seller'),
  statusName: (d) => <Status item={d} />,
  deadline: (d) => <CaseDue end={d.deadline} from={d.openTime} name={d.clockName} />,
  staffName: (d) => <StaffName name={d.staffName} />,
};

function Card({ item }: { item: StaffDispute }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{item.bigTitle}</b>
        <Amount yuan={item.goodsPrice} className="ml-auto flex-none font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <Status item={item} />
        <span className="line-clamp-1">{item.reasonName}</span>
        <span className="ml-auto flex-none">
          <CaseDue end={item.deadline} from={item.openTime} />
        </span>
      </span>
    </>
  );
}

const actions: readonly BulkAction<StaffDispute>[] = [
  {
    key: 'take',
    name: '受理',
    hotkey: 't',
    fits: ({ status }) => status !== 'closed' && status !== 'ruled',
    otherwise: '已经裁决',
    question: '这些申诉由您负责，双方能看到已受理。上诉不能由作出第一次裁决的人受理。',
    run: (disputeSns) => call(staffDisputeTake, { disputeSns: [...disputeSns] }, { quiet: true }),
  },
];

/** Disputes with their time limits. */
export default function DisputesPage() {
  const { canRule, ...data } = useLoaderData<typeof loader>();
  const options = data.first.reasons.map(({ code, name }) => [code, name] as const);
  const filters = { ...disputeList.filters, reason: { ...disputeList.filters.reason, options } };
  return (
    <ListPage
      list={{ ...disputeList, filters }}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(item) => <Card item={item} />}
      sumOf={({ goodsPrice }) => goodsPrice}
      deadlineOf={({ deadline }) => deadline}
      bulkActions={canRule ? actions : []}
      drawer={(item, controls) => <DisputeDrawer row={item} controls={controls} />}
      pageOf={({ disputeSn }) => `/backstage/disputes/${disputeSn}`}
      empty="去掉一个筛选，或核对申诉、订单编号是否完整。"
    />
  );
}
