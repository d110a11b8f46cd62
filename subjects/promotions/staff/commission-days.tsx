import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { commissionDays } from '#subjects/promotions/contract/staff-campaigns.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { FilterBar, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '佣金日结单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const distId = args.url.searchParams.get('distId') ?? '';
  return await market(args).call(commissionDays, /^\d{1,9}$/.test(distId) ? { distId } : {});
}

type Days = Awaited<ReturnType<typeof loader>>;

function DayTable({ days }: { days: Days['days'] }) {
  if (days.length === 0) return <EmptyState title="还没有佣金">该分销站的订单交易成功后，按天记在这里。</EmptyState>;
  return (
    <AdminTable columns={['日期', { num: '成交订单' }, { num: '成交额' }, { num: '佣金' }, { num: '已结算' }, '状态']}>
      {days.map((d) => (
        <tr key={d.day}>
          <td className="font-medium">{d.day}</td>
          <td className="num" data-label="成交订单">
            {d.orders}
          </td>
          <td className="num" data-label="成交额">
            <Amount yuan={d.paid} />
          </td>
          <td className="num font-semibold" data-label="佣金">
            <Amount yuan={d.share} />
          </td>
          <td className="num" data-label="已结算">
            {fenOf(d.settled) > 0 ? <Amount yuan={d.settled} sign="-" /> : '—'}
          </td>
          <td>{d.closed ? <Tag>已日结</Tag> : <Tag tone="attn">当天</Tag>}</td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** Amounts that are not payable yet, with their release time, and what is deducted from the next settlement. */
function Maturing({ days }: { days: Days }) {
  if (days.maturingOrders.length === 0 && days.debts.length === 0) return null;
  return (
    <section className="panel mb-4 overflow-hidden" aria-labelledby="maturing">
      <div className="panel-head">
        <h2 id="maturing">待结算佣金</h2>
        <p>订单保护期结束后可结算；保护期内退款或理赔的，按同样比例收回</p>
      </div>
      {days.maturingOrders.length > 0 && (
        <AdminTable columns={['订单', { num: '佣金' }, '到期']}>
          {days.maturingOrders.map((m) => (
            <tr key={m.orderSn}>
              <td>
                <Link to={`/backstage/orders/${m.orderSn}`} className="link">
                  {m.orderSn}
                </Link>
              </td>
              <td className="num" data-label="佣金">
                <Amount yuan={m.share} />
              </td>
              <td className="text-12 text-ink-3" data-label="到期">
                {m.releaseTime ? shortAt(m.releaseTime) : '申诉或理赔处理中，暂停计时'}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      {days.debts.map((d) => (
        <p key={`${d.time}${d.reason}`} className="border-t border-line-soft px-4 py-2 text-13">
          <Tag tone="danger">欠款</Tag> {d.reason}，共 <Amount yuan={d.amount} />
          ，还剩 <Amount yuan={d.rest} />
          ，从之后的佣金中扣回
        </p>
      ))}
    </section>
  );
}

/** A distributor's commission by day, and what is not payable yet. */
export default function CommissionDaysPage() {
  const days = useLoaderData<typeof loader>();
  return (
    <>
      <BackHead to="/backstage/commission" name="佣金结算">
        <h1>佣金日结单</h1>
        <p>
          可结算 <Amount yuan={days.balance} />
          ，待结算 <Amount yuan={days.maturing} />
        </p>
        {days.dists.length > 1 && (
          <div className="ml-auto max-lg:ml-0">
            <FilterBar names={['distId']}>
              <FilterSelect
                name="distId"
                label="分销商"
                all="默认分销商"
                options={days.dists.map((d) => [d.distId, d.name] as const)}
              />
            </FilterBar>
          </div>
        )}
      </BackHead>
      <Maturing days={days} />
      <section className="panel overflow-hidden" aria-label="佣金日结单">
        <DayTable days={days.days} />
      </section>
    </>
  );
}
