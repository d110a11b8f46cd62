import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { staffRecycleInfo, staffRecycleList } from '#subjects/recycling/contract/account-recycling.ts';
import { staffValuations } from '#subjects/valuation/contract/staff-valuations.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { InspectPanel } from './recycling/inspect.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '回收与估价', noindex: true });
}

const STATES = [
  ['', '全部'],
  ['accepted', '待验号'],
  ['reconfirm', '待确认减价'],
  ['bidding', '竞价中'],
  ['quoted', '待接受'],
  ['paid', '已付款'],
] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { call, staff } = market(args);
  const query = args.url.searchParams;
  const status = STATES.find(([key]) => key === (query.get('status') ?? ''))?.[0] ?? '';
  const sn = query.get('sn');
  if (sn !== null && !/^[A-Za-z0-9]{1,32}$/.test(sn)) notFound();
  const [requests, request, models] = await Promise.all([
    call(staffRecycleList, { pageSize: 50, ...(status !== '' && { status }) }),
    sn === null ? null : call(staffRecycleInfo, { requestSn: sn }),
    staffCan(staff, 'ledger.read') && staff?.distId === null ? call(staffValuations, {}) : null,
  ]);
  return { requests, request, models, status, canAct: staffCan(staff, 'order.act') };
}

type Models = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['models']>;

/** Every game's model: samples, error, and how each month's sales lay in its band. */
function ModelTable({ list }: Models) {
  return (
    <section className="panel mt-4" aria-labelledby="models">
      <div className="panel-head">
        <h2 id="models">估价模型</h2>
        <p>每天 02:00 更新；命中率目标 76%–84%，增益为比四分位数少错多少</p>
      </div>
      {list.length === 0 ? (
        <EmptyState title="还没有模型">一个游戏满 30 件成交后，夜里会自动算出它的模型。</EmptyState>
      ) : (
        <AdminTable
          columns={['游戏', { num: '样本' }, { num: '半数误差' }, { num: '近 7 日估价' }, '每月命中率', '更新']}
        >
          {list.map((m) => (
            <tr key={m.gameId}>
              <td className="font-medium">{m.gameName}</td>
              <td className="num" data-label="样本">
                {grouped(m.samples)}
              </td>
              <td className="num" data-label="半数误差">
                {Math.round(m.errorPercent)}%
              </td>
              <td className="num" data-label="近 7 日估价">
                {grouped(m.asked7)}
              </td>
              <td data-wide="" className="text-12">
                {m.months.length === 0 && <span className="text-ink-3">不满一个月</span>}
                {m.months.map((x) => (
                  <span key={x.month} className="mr-3 whitespace-nowrap">
                    {Number(x.month.slice(5))} 月 <b className="font-semibold">{x.percent}%</b>
                    <span className="text-ink-3">
                      （{x.sales} 笔，增益 {x.gain}%）
                    </span>
                  </span>
                ))}
              </td>
              <td className="text-12 whitespace-nowrap">
                第 {m.version} 版，{shortAt(m.madeTime)}
                {m.stale && (
                  <Tag tone="attn" className="ml-1.5">
                    过期
                  </Tag>
                )}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
    </section>
  );
}

/** Requests to recyclers by state, the inspection of one, the platform's budget, and the models of prices. */
export default function RecyclingPage() {
  const { requests, request, models, status, canAct } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        <h1>回收与估价</h1>
        {requests.spent !== undefined && requests.budget !== undefined && (
          <p className="ml-auto max-lg:ml-0">
            平台保底 30 天已用 <Amount yuan={requests.spent} className="text-ink" /> /{' '}
            <Amount yuan={requests.budget} className="text-ink" />
          </p>
        )}
      </div>
      {request && <InspectPanel key={request.requestSn} request={request} canAct={canAct} />}
      <section className={cx('panel', request && 'mt-4')} aria-label="回收单">
        <LinkTabs
          label="状态"
          items={STATES.map(([key, label]) => ({
            key,
            label,
            to: key === '' ? '/backstage/recycling' : `/backstage/recycling?status=${key}`,
            isCurrent: key === status,
            count: key === '' ? undefined : requests.counts[key],
          }))}
        />
        {requests.list.length === 0 ? (
          <EmptyState title="这里还没有回收申请">用户申请回收后出现在这里。</EmptyState>
        ) : (
          <AdminTable
            columns={['回收单', '账号', '状态', { num: '报价' }, { num: '出价' }, '订单', '时限', { num: '操作' }]}
          >
            {requests.list.map((r) => (
              <tr key={r.requestSn}>
                <td className="font-medium">{r.requestSn}</td>
                <td data-wide="">
                  {r.gameName} {r.areaName}
                  {r.title !== '' && <span className="block text-12 text-ink-3">{r.title}</span>}
                </td>
                <td>
                  <Tag
                    {...(r.status === 'accepted' || (r.status === 'paid' && r.dueTime)
                      ? { tone: 'attn' as const }
                      : r.status === 'paid'
                        ? { tone: 'safe' as const }
                        : {})}
                  >
                    {r.statusName}
                  </Tag>
                </td>
                <td className="num" data-label="报价">
                  {r.price === null ? '—' : <Amount yuan={r.price} />}
                </td>
                <td className="num" data-label="出价">
                  {r.bidNum} 次
                </td>
                <td className="whitespace-nowrap" data-label="订单">
                  {r.orderSn ? <PageLink to={`/backstage/orders/${r.orderSn}`}>{r.orderSn}</PageLink> : '—'}
                </td>
                <td className="text-12 whitespace-nowrap text-ink-3" data-label="时限">
                  {r.dueTime ? shortAt(r.dueTime) : '—'}
                </td>
                <td className="num">
                  <ButtonLink
                    size="sm"
                    to={`/backstage/recycling?sn=${r.requestSn}${status === '' ? '' : `&status=${status}`}`}
                  >
                    {r.status === 'accepted' && r.sealed && r.isMine ? '验号' : '查看'}
                  </ButtonLink>
                </td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
      {models && <ModelTable list={models.list} />}
    </>
  );
}
