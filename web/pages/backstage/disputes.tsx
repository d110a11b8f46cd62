import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { type StaffDispute, staffDisputeList } from '#contract/backstage-disputes.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { parseQueueQuery, CaseCells, CaseQueue, CaseStateCells, scopeThatHas } from './cases/queue.tsx';

const SCOPES = ['open', 'mine', 'late', 'appeal', 'second', 'closed'] as const;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申诉', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const query = parseQueueQuery(args.url.searchParams, SCOPES);
  const first = await market(args).call(staffDisputeList, query);
  const elsewhere = scopeThatHas(args.url.searchParams, SCOPES, first);
  return elsewhere === null ? { first, query } : redirect(`/backstage/disputes${elsewhere}`);
}

function Row({ item }: { item: StaffDispute }) {
  return (
    <tr>
      <CaseCells
        to={`/backstage/disputes/${item.disputeSn}`}
        sn={item.disputeSn}
        openTime={item.openTime}
        gameName={item.gameName}
        title={item.bigTitle}
        note={`${item.reasonName} · 诉求${item.wantName} · ${item.distName}`}
      />
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
      <CaseStateCells
        status={item.statusName}
        isOpen={item.status !== 'closed'}
        isEscalated={item.escalated && item.status !== 'closed'}
        needsSecondPerson={item.waitsForSecond}
        clock={{ name: item.clockName, at: item.deadline, isOverdue: item.late }}
        staffName={item.staffName}
      />
    </tr>
  );
}

/** The queue of disputes with their deadlines. */
export default function AdminDisputes() {
  const { first, query } = useLoaderData<typeof loader>();
  const list = useCursorList(
    first,
    (cursor) => call(staffDisputeList, { ...query, cursor }, { quiet: true }),
    ({ disputeSn }) => disputeSn,
  );
  const { counts } = first;
  return (
    <CaseQueue
      name="申诉"
      first={first}
      list={list}
      placeholder="申诉或订单编号、用户编号"
      scopes={[
        { key: 'open', text: '处理中', count: counts.open },
        { key: 'mine', text: '我负责的', count: counts.mine },
        { key: 'late', text: '超时', count: counts.late },
        { key: 'appeal', text: '上诉', count: counts.appeal },
        { key: 'second', text: '待复核', count: counts.second },
        { key: 'closed', text: '已结案' },
      ]}
      columns={['申诉', '商品', { num: '商品价' }, '买家', '卖家', '状态', '时限', '客服']}
    >
      {list.items.map((item) => (
        <Row key={item.disputeSn} item={item} />
      ))}
    </CaseQueue>
  );
}
