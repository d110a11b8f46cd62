import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type StaffDispute, staffDisputeList } from '#contract/backstage-disputes.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/parts/order/list-end.tsx';
import { fullAt, shortAt } from '#web/parts/order/times.ts';
import { useCursorList } from '#web/parts/order/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { FilterBar, FilterWord } from './parts/filter-bar.tsx';
import { OfficeTable } from './parts/office-table.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';

const SCOPES = ['open', 'mine', 'late', 'appeal', 'second', 'closed'] as const;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申诉', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const query = args.url.searchParams;
  const asked = {
    scope: SCOPES.find((s) => s === query.get('scope')) ?? ('open' as const),
    keyWord: query.get('keyWord') || undefined,
    pageSize: 30,
  };
  return { first: await market(args).call(staffDisputeList, asked), asked };
}

/** The clock of a row: what it waits for, and red once its time is over. */
export function Deadline({ name, at, late }: { name: string; at: string | null; late: boolean }) {
  return (
    <span className="grid text-12">
      <span className="text-ink-2">{name}</span>
      {at && (
        <time dateTime={at} title={fullAt(at)} className={late ? 'font-semibold text-danger' : 'text-ink-3'}>
          {shortAt(at)} {late ? '已超时' : '前'}
        </time>
      )}
    </span>
  );
}

function Row({ item }: { item: StaffDispute }) {
  return (
    <tr>
      <td className="text-12 whitespace-nowrap" data-wide="">
        <Link to={`/backstage/disputes/${item.disputeSn}`} className="link text-13">
          {item.disputeSn}
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
          {item.reasonName} · 诉求{item.wantName} · {item.distName}
        </span>
      </td>
      <td className="num font-semibold">
        <Amount yuan={item.goodsPrice} />
      </td>
      <td data-label="买家">
        {item.buyerName}
        {item.openerSide === 'buyer' && <span className="ml-1 text-12 text-ink-3">发起</span>}
      </td>
      <td data-label="卖家">
        {item.sellerName}
        {item.openerSide === 'seller' && <span className="ml-1 text-12 text-ink-3">发起</span>}
      </td>
      <td>
        <span className="flex flex-wrap gap-1">
          <Tag {...(item.status === 'closed' ? {} : { tone: 'attn' as const })}>{item.statusName}</Tag>
          {item.escalated && item.status !== 'closed' && <Tag tone="danger">已升级</Tag>}
          {item.waitsForSecond && <Tag tone="attn">待复核</Tag>}
        </span>
      </td>
      <td data-label="时限">
        <Deadline name={item.clockName} at={item.deadline} late={item.late} />
      </td>
      <td className="text-ink-2" data-label="客服">
        {item.staffName ?? '未分配'}
      </td>
    </tr>
  );
}

/** The queue of disputes with their clocks. */
export default function OfficeDisputes() {
  const { first, asked } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffDisputeList, { ...asked, cursor }, { quiet: true }),
    ({ disputeSn }) => disputeSn,
  );
  const { counts } = first;
  return (
    <>
      <div className="office-head">
        <h1>申诉</h1>
        <p>{countText(first.total, first.more)} 件</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['keyWord']} keep={['scope']}>
            <FilterWord placeholder="申诉或订单编号、用户编号" />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="申诉">
        <StatusTabs
          name="scope"
          label="范围"
          items={[
            { key: 'open', text: '处理中', count: counts.open },
            { key: 'mine', text: '我负责的', count: counts.mine },
            { key: 'late', text: '超时', count: counts.late },
            { key: 'appeal', text: '上诉', count: counts.appeal },
            { key: 'second', text: '待复核', count: counts.second },
            { key: 'closed', text: '已结案' },
          ]}
        />
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的申诉">换一个范围，或核对编号是否完整。</EmptyState>
        ) : (
          <>
            <OfficeTable columns={['申诉', '商品', { num: '商品价' }, '买家', '卖家', '状态', '时限', '客服']}>
              {items.map((item) => (
                <Row key={item.disputeSn} item={item} />
              ))}
            </OfficeTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
