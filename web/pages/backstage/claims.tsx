import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type StaffClaim, staffClaimList } from '#contract/backstage-claims.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/parts/order/list-end.tsx';
import { fullAt } from '#web/parts/order/times.ts';
import { useCursorList } from '#web/parts/order/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Deadline } from './disputes.tsx';
import { FilterBar, FilterWord } from './parts/filter-bar.tsx';
import { OfficeTable } from './parts/office-table.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';

const SCOPES = ['open', 'checking', 'chasing', 'due', 'second', 'closed'] as const;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '理赔', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const query = args.url.searchParams;
  const asked = {
    scope: SCOPES.find((s) => s === query.get('scope')) ?? ('open' as const),
    keyWord: query.get('keyWord') || undefined,
    pageSize: 30,
  };
  return { first: await market(args).call(staffClaimList, asked), asked };
}

function Row({ item }: { item: StaffClaim }) {
  const clockName = item.deadline
    ? `追索第 ${item.day} / ${item.days} 天，自动赔付`
    : item.lookBy
      ? '等待受理'
      : '已结束';
  return (
    <tr>
      <td className="text-12 whitespace-nowrap" data-wide="">
        <Link to={`/backstage/claims/${item.claimSn}`} className="link text-13">
          {item.claimSn}
        </Link>
        <time className="block text-ink-3 max-md:ml-3 max-md:inline" dateTime={item.openTime}>
          {fullAt(item.openTime)}
        </time>
      </td>
      <td data-wide="" className="max-w-72">
        <span className="line-clamp-1">
          <b className="mr-1 font-semibold">{item.gameName}</b>
          {item.bigTitle}
        </span>
        <span className="text-12 text-ink-3">
          {item.tierName} · {item.reasonName} · {item.distName}
        </span>
      </td>
      <td className="num font-semibold">
        <Amount yuan={item.paid ?? item.asked} />
      </td>
      <td data-label="申请人">{item.userName}</td>
      <td>
        <span className="flex flex-wrap gap-1">
          <Tag {...(item.deadline || item.lookBy ? { tone: 'attn' as const } : {})}>{item.statusName}</Tag>
          {item.waitsForSecond && <Tag tone="attn">待复核</Tag>}
        </span>
      </td>
      <td data-label="时限">
        <Deadline name={clockName} at={item.deadline ?? item.lookBy} late={item.late} />
      </td>
      <td className="text-ink-2" data-label="客服">
        {item.staffName ?? '未分配'}
      </td>
    </tr>
  );
}

/** The queue of claims with their public clocks. */
export default function OfficeClaims() {
  const { first, asked } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffClaimList, { ...asked, cursor }, { quiet: true }),
    ({ claimSn }) => claimSn,
  );
  const { counts } = first;
  return (
    <>
      <div className="office-head">
        <h1>理赔</h1>
        <p>{countText(first.total, first.more)} 件</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['keyWord']} keep={['scope']}>
            <FilterWord placeholder="理赔或订单编号、用户编号" />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="理赔">
        <StatusTabs
          name="scope"
          label="范围"
          items={[
            { key: 'open', text: '处理中', count: counts.open },
            { key: 'checking', text: '待受理', count: counts.checking },
            { key: 'chasing', text: '追索中', count: counts.chasing },
            { key: 'due', text: '临期与超时', count: counts.due },
            { key: 'second', text: '待复核', count: counts.second },
            { key: 'closed', text: '已结束' },
          ]}
        />
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的理赔">换一个范围，或核对编号是否完整。</EmptyState>
        ) : (
          <>
            <OfficeTable columns={['理赔', '账号', { num: '金额' }, '申请人', '状态', '时限', '客服']}>
              {items.map((item) => (
                <Row key={item.claimSn} item={item} />
              ))}
            </OfficeTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
