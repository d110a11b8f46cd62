import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { staffClaimAccept, staffClaimList } from '#subjects/guarantees/contract/staff-claims.ts';
import { claimList, type StaffClaim } from '#subjects/guarantees/contract/list-claims.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { CaseDue, StaffName } from '#subjects/back-office/staff/list/case-cells.tsx';
import { ClaimDrawer } from '#subjects/guarantees/staff/claim-drawer.tsx';
import type { BulkAction } from '#subjects/back-office/staff/list/bulk.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '理赔', noindex: true });
}

/** Staff first see the claims to be decided, as counted in the menu, nearest deadline first. */
export async function loader(args: LoaderFunctionArgs) {
  if (args.url.search === '') return redirect('/backstage/claims?sort=deadline&todo=1');
  const { staff } = market(args);
  return { ...(await loadList(args, claimList, staffClaimList)), canDecide: staffCan(staff, 'claim.decide') };
}

const VIEWS = [
  { name: '待决定', query: 'sort=deadline&todo=1' },
  { name: '处理中', query: 'active=1&sort=deadline' },
  { name: '待受理', query: 'sort=deadline&status=checking' },
  { name: '追索中', query: 'sort=deadline&status=chasing' },
  { name: '双人裁定', query: 'sort=deadline&status=escalated' },
  { name: '临期与超时', query: 'due=1&sort=deadline' },
  { name: '待复核', query: 'second=1' },
  { name: '已结束', query: 'status=paid%2Crefused%2Crecovered%2Cwithdrawn' },
] as const;

const read = rowsOf(staffClaimList);

const isOpen = ({ status }: StaffClaim): boolean => ['checking', 'chasing', 'escalated'].includes(status);

function Status({ item }: { item: StaffClaim }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Tag {...(isOpen(item) && { tone: 'attn' as const })}>{item.statusName}</Tag>
      {item.waitsForSecond && <Tag tone="attn">待复核</Tag>}
    </span>
  );
}

/** The purpose of a claim's clock. */
function clockName(item: StaffClaim): string {
  if (item.status === 'chasing') return `追索第 ${item.day} / ${item.days} 天`;
  return item.status === 'checking' ? '等待受理' : item.status === 'escalated' ? '等待裁定' : '';
}

const cells: CellViews<StaffClaim> = {
  claimSn: (k) => (
    <>
      <Link to={`/backstage/claims/${k.claimSn}`} className="list-sn">
        {k.claimSn}
      </Link>
      <time className="block text-12 text-ink-3" dateTime={k.openTime} title={fullAt(k.openTime)}>
        {shortAt(k.openTime)}
      </time>
    </>
  ),
  bigTitle: (k) => (
    <span className="list-goods">
      <span className="line-clamp-1">{k.bigTitle}</span>
      <span className="line-clamp-1 text-12 text-ink-3">
        {k.gameName}，{k.tierName}，{k.reasonName}
      </span>
    </span>
  ),
  asked: (k) => <Amount yuan={k.asked} className="font-semibold" />,
  statusName: (k) => <Status item={k} />,
  deadline: (k) => <CaseDue end={k.deadline} from={k.openTime} name={clockName(k)} />,
  staffName: (k) => <StaffName name={k.staffName} />,
};

function Card({ item }: { item: StaffClaim }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{item.bigTitle}</b>
        <Amount yuan={item.paid ?? item.asked} className="ml-auto flex-none font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <Status item={item} />
        <span className="line-clamp-1">
          {item.userName}，{item.reasonName}
        </span>
        <span className="ml-auto flex-none">
          <CaseDue end={item.deadline} from={item.openTime} />
        </span>
      </span>
    </>
  );
}

const actions: readonly BulkAction<StaffClaim>[] = [
  {
    key: 'accept',
    name: '受理',
    hotkey: 't',
    fits: ({ status }) => status === 'checking',
    otherwise: '不在待受理',
    question: '这些理赔由您负责，追索开始计时；期满未追回且符合规则 5.5 的自动赔付，其余转双人裁定。',
    form: (
      <Field label="说明，申请人会看到" required>
        {(control) => <Textarea {...control} name="text" rows={3} maxLength={300} required />}
      </Field>
    ),
    run: (claimSns, field) => call(staffClaimAccept, { claimSns: [...claimSns], text: field('text') }, { quiet: true }),
  },
];

/** Guarantee claims with their public time limits. */
export default function ClaimsPage() {
  const { canDecide, ...data } = useLoaderData<typeof loader>();
  return (
    <ListPage
      list={claimList}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(item) => <Card item={item} />}
      sumOf={({ asked }) => asked}
      deadlineOf={({ deadline }) => deadline}
      bulkActions={canDecide ? actions : []}
      drawer={(item, controls) => <ClaimDrawer row={item} controls={controls} />}
      pageOf={({ claimSn }) => `/backstage/claims/${claimSn}`}
      empty="去掉一个筛选，或核对理赔、订单编号是否完整。"
    />
  );
}
