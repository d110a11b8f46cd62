import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import {
  staffAppealList,
  staffBlackList,
  staffFakeList,
  staffNumberList,
} from '#subjects/verification/contract/staff-trust.ts';
import { type BlackStatus, blackStatusNames } from '../rules/black.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { Appeals } from './trust/appeals.tsx';
import { Fakes } from './trust/fakes.tsx';
import { Numbers } from './trust/numbers.tsx';
import { Reports } from './trust/reports.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '黑号与客服验真', noindex: true });
}

const SIZE = { pageSize: 30 };

/** The data of the tab in the URL; only that tab is loaded. */
async function loadList(args: LoaderFunctionArgs, tab: string) {
  const { call } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  if (tab === 'appeals') return { kind: 'appeals' as const, first: await call(staffAppealList, SIZE) };
  if (tab === 'fakes') return { kind: 'fakes' as const, first: await call(staffFakeList, SIZE) };
  if (tab === 'numbers') return { kind: 'numbers' as const, first: await call(staffNumberList, SIZE) };
  const status = of('status');
  const query = {
    status: status !== undefined && status in blackStatusNames ? (status as BlackStatus) : ('reviewing' as const),
    ...(of('keyWord') && { keyWord: of('keyWord') }),
    ...SIZE,
  };
  return { kind: 'reports' as const, query, first: await call(staffBlackList, query) };
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  const may = { decide: staffCan(staff, 'trust.decide'), edit: staffCan(staff, 'number.edit') };
  const tabParam = args.url.searchParams.get('tab') ?? 'reports';
  const tab = tabParam === 'fakes' && !may.decide ? 'reports' : tabParam;
  return { may, list: await loadList(args, tab) };
}

/** Trust: reports of bad accounts, appeals, reports of fake customer service, and the official numbers. */
export default function TrustPage() {
  const { may, list } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        <h1>黑号与客服验真</h1>
        <p>{countText(list.first.total, list.first.totalCapped)} 条</p>
      </div>
      <StatusTabs
        name="tab"
        label="黑号与客服验真"
        items={[
          { key: 'reports', text: '黑号举报' },
          { key: 'appeals', text: '申诉' },
          ...(may.decide ? [{ key: 'fakes', text: '假客服举报' }] : []),
          { key: 'numbers', text: '官方号码' },
        ]}
      />
      {list.kind === 'reports' && <Reports first={list.first} query={list.query} may={may.decide} />}
      {list.kind === 'appeals' && <Appeals first={list.first} may={may.decide} />}
      {list.kind === 'fakes' && <Fakes first={list.first} />}
      {list.kind === 'numbers' && <Numbers first={list.first} may={may.edit} />}
    </>
  );
}
