import { chinaDay, dayAfter } from '#contract/rules/time/china-time.ts';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PAY_CHANNELS, payChannelNames } from '../rules/pay-channels.ts';
import { differenceList, statementList } from '#subjects/payments/contract/staff-reconcile.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FilterBar, FilterSelect, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { Differences } from './reconcile/differences.tsx';
import { Statements, STATEMENTS_PAGE } from './reconcile/statements.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '渠道对账', noindex: true });
}

const DIFFERENCE_SIDES = ['theirs', 'ours', 'amount', 'twice'] as const;
const oneOf = <T extends string>(all: readonly T[], value: string | null): T | undefined =>
  all.find((candidate) => candidate === value);

/** Three tabs: open differences, resolved differences, statements. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, staff } = market(args);
  const search = args.url.searchParams;
  const tab = oneOf(['open', 'resolved', 'statements'] as const, search.get('tab')) ?? 'open';
  const query = {
    state: tab === 'resolved' ? ('resolved' as const) : ('open' as const),
    channel: oneOf(payChannelNames, search.get('channel')),
    side: oneOf(DIFFERENCE_SIDES, search.get('side')),
    keyWord: search.get('keyWord') || undefined,
    pageSize: 30,
  };
  const [differences, statements] = await Promise.all([
    call(differenceList, query),
    tab === 'statements' ? call(statementList, { pageSize: STATEMENTS_PAGE }) : null,
  ]);
  return {
    tab,
    query,
    differences,
    statements,
    yesterday: dayAfter(chinaDay(new Date()), -1),
    canAct: staffCan(staff, 'reconcile.act'),
  };
}

/** Reconciliation: the channels' statements against the ledger, line by line. */
export default function ReconcilePage() {
  const { tab, query, differences, statements, yesterday, canAct } = useLoaderData<typeof loader>();
  const { open, resolved } = differences.counts;
  return (
    <>
      <div className="admin-head">
        <h1>渠道对账</h1>
        {tab !== 'statements' && (
          <div className="ml-auto max-lg:ml-0">
            <FilterBar names={['channel', 'side', 'keyWord']} preserve={['tab']}>
              <FilterSelect
                name="channel"
                label="渠道"
                all="全部渠道"
                options={payChannelNames.map((channel) => [channel, PAY_CHANNELS[channel].name])}
              />
              <FilterSelect
                name="side"
                label="差异类型"
                all="全部类型"
                options={[
                  ['theirs', '渠道有，我方无'],
                  ['ours', '我方有，渠道无'],
                  ['amount', '金额不一致'],
                  ['twice', '渠道重复'],
                ]}
              />
              <FilterKeyword placeholder="我方或渠道编号" />
            </FilterBar>
          </div>
        )}
      </div>
      <StatusTabs
        name="tab"
        label="对账"
        items={[
          { key: 'open', text: '待处理差异', count: open },
          { key: 'resolved', text: '已处理', count: resolved },
          { key: 'statements', text: '账单' },
        ]}
      />
      <div className="pt-4">
        {statements ? (
          <Statements first={statements} canAct={canAct} yesterday={yesterday} />
        ) : (
          <Differences key={JSON.stringify(query)} first={differences} query={query} canAct={canAct} />
        )}
      </div>
    </>
  );
}
