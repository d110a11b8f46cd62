import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { boostingScopes, staffBoostingInfo, staffBoostingList } from '#subjects/services/contract/staff-boosting.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Figures } from '#subjects/quick-coin/web/parts/coin/own-offer-row.tsx';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { OrderPanel } from './boosting/order-panel.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';

type Scope = (typeof boostingScopes)[number];

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '代练', noindex: true });
}

const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  all: '全部',
  open: '进行中',
  late: '已超时',
  disputed: '申诉中',
  cancel: '申请取消',
  ban: '上报处罚',
  ended: '已结束',
};

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const scope = boostingScopes.find((key) => key === query.get('scope')) ?? 'all';
  const sn = query.get('sn');
  if (sn !== null && !/^[A-Za-z0-9]{1,32}$/.test(sn)) notFound();
  const [orders, order] = await Promise.all([
    call(staffBoostingList, { pageSize: 50, scope }),
    sn === null ? null : call(staffBoostingInfo, { orderSn: sn }),
  ]);
  return { orders, order, scope };
}

const pathOf = (scope: Scope, sn?: string): string => {
  const query = new URLSearchParams({ ...(scope !== 'all' && { scope }), ...(sn !== undefined && { sn }) });
  return `/backstage/boosting${query.size > 0 ? `?${query}` : ''}`;
};

/** Orders of boosting by their pending matter, their figures, and one order with the split used for its ruling. */
export default function BackstageBoosting() {
  const { orders, order, scope } = useLoaderData<typeof loader>();
  const f = orders.figures;
  return (
    <>
      <div className="admin-head">
        <h1>代练</h1>
        <p>发单、进行中的订单与保证金</p>
        <Link to="/backstage/services?typeId=60" className="link ml-auto text-13 max-lg:ml-0">
          全部订单、按周统计与导出
        </Link>
      </div>
      {order && <OrderPanel key={order.orderSn} order={order} />}
      <section className={cx('panel', order && 'mt-4')} aria-label="代练订单">
        <Figures
          className="grid-cols-2 md:grid-cols-6"
          figures={[
            ['等人接的发单', `${f.requests} 单，¥${grouped(f.requestsHeld)}`],
            ['进行中', `${f.running} 单`],
            ['托管中', `¥${grouped(f.held)}`],
            ['冻结的保证金', `¥${grouped(f.deposits)}`],
            ['近 30 日完成', `${f.done30} 单${f.onTimePercent === null ? '' : `，准时 ${f.onTimePercent}%`}`],
            ['近 30 日上报处罚', `${f.bans30} 单`],
          ]}
        />
        <LinkTabs
          label="范围"
          items={boostingScopes.map((key) => ({
            key,
            label: SCOPE_NAMES[key],
            to: pathOf(key),
            isCurrent: key === scope,
            count: orders.counts[key],
          }))}
        />
        {orders.list.length === 0 ? (
          <EmptyState title="这里没有代练订单">买家下单或打手接了发单后出现在这里。</EmptyState>
        ) : (
          <AdminTable
            columns={[
              '订单',
              '买家',
              '打手',
              '状态',
              { num: '进度' },
              { num: '商品价' },
              { num: '已付打手' },
              '约定时间',
            ]}
          >
            {orders.list.map((o) => (
              <tr key={o.orderSn}>
                <td data-wide="">
                  <Link to={pathOf(scope, o.orderSn)} className="link font-medium">
                    {o.title || o.orderSn}
                  </Link>
                  <small className="block text-12 text-ink-3">
                    {o.orderSn}，{o.fromRequest ? '发单' : '套餐'}
                  </small>
                </td>
                <td data-label="买家">{o.buyerName}</td>
                <td data-label="打手">{o.boosterName}</td>
                <td>
                  <span className="flex flex-wrap gap-1">
                    <Tag {...(o.state === 'done' && { tone: 'safe' as const })}>{o.stateName}</Tag>
                    {o.disputed && <Tag tone="attn">申诉中</Tag>}
                    {o.isLate && <Tag tone="attn">超时</Tag>}
                    {o.banned && <Tag tone="attn">处罚</Tag>}
                    {o.cancelAsked && <Tag tone="attn">申请取消</Tag>}
                  </span>
                </td>
                <td className="num" data-label="进度">
                  {o.donePercent}%
                </td>
                <td className="num" data-label="商品价">
                  <Amount yuan={o.price} />
                </td>
                <td className="num" data-label="已付打手">
                  <Amount yuan={o.paid} />
                </td>
                <td className="text-12 whitespace-nowrap" data-label="约定时间">
                  {o.dueTime ? shortAt(o.dueTime) : o.state === 'pending' ? '未接单' : '未开始'}
                  {(o.accountTime ?? o.lateTime) && (
                    <small className="block text-12 text-attn">
                      {o.accountTime ? `等账号到 ${shortAt(o.accountTime)}` : `等双方到 ${shortAt(o.lateTime ?? '')}`}
                    </small>
                  )}
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
    </>
  );
}
