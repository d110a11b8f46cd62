import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { Link, useLoaderData } from 'react-router';
import { depositRecordList } from '#subjects/deposits/contract/deposit.ts';
import type { Data } from '#contract/endpoint.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { call as ask } from '#web/lib/api/api.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { type DepositData, type loader, PAGE } from './deposit-loader.ts';
import { Levels } from './levels.tsx';
import { SellerLevel } from '#subjects/seller-levels/center/seller-level.tsx';
import { Standing } from './standing.tsx';

export { loader } from './deposit-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '保证金', noindex: true });
}

function Records({ first, role }: { first: Data<typeof depositRecordList>; role: DepositData['role'] }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => ask(depositRecordList, { role, pageSize: PAGE, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  if (items.length === 0) return <EmptyState title="还没有记录">缴纳、扣除、退还的每一笔都会记在这里。</EmptyState>;
  return (
    <>
      <ul aria-label="保证金记录">
        {items.map((record) => (
          <li
            key={record.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2">
                <Tag {...(record.kind === DepositEntryKind.Penalty && { tone: 'attn' as const })}>
                  {record.kindName}
                </Tag>
                <span>{record.reason}</span>
              </p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-12 text-ink-3">
                <time dateTime={record.time}>{fullAt(record.time)}</time>
                {record.ruleNo && (
                  <Link to={`/rulings?ruleNo=${record.ruleNo}#rules`} className="hit hover:text-link">
                    依据规则 {record.ruleNo}
                  </Link>
                )}
                {record.orderSn && (
                  <Link to={orderPath(record.orderSn)} className="hit hover:text-link">
                    {record.reason.includes(record.orderSn) ? '查看订单' : `订单 ${record.orderSn}`}
                  </Link>
                )}
              </p>
            </div>
            <b className="text-14 font-semibold">
              <Amount yuan={record.amount.replace('-', '')} sign={record.amount.startsWith('-') ? '-' : '+'} />
            </b>
          </li>
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** Deposits: the level of each role, the benefits of the levels, payment, and the schedule of a release. */
export default function DepositPage() {
  const data = useLoaderData<typeof loader>();
  const { role, conf } = data;
  const current = conf.roles.find((r) => r.role === role);
  return (
    <div className="grid gap-4">
      <section className="panel overflow-hidden" aria-labelledby="deposit">
        <div className="panel-head">
          <h1 id="deposit" className="text-16 font-semibold">
            保证金
          </h1>
          <p className="max-md:hidden">随时可申请退还，扣除必须依据公开规则</p>
          <p className="ml-auto text-13!">
            共计 <Amount yuan={conf.depositCoin} className="font-semibold text-ink" />
          </p>
        </div>
        <LinkTabs
          label="保证金类型"
          items={conf.roles.map((r) => ({
            key: r.role,
            label: r.roleName,
            to: depositPath(r.role),
            isCurrent: r.role === role,
            mark: fenOf(r.paid) > 0 && <span className="dot dot-on" aria-label="已缴纳" role="img" />,
          }))}
        />
        {current && <Standing key={role} deposit={current} data={data} />}
      </section>
      {data.standing && <SellerLevel standing={data.standing} />}
      {current && <Levels key={role} deposit={current} data={data} />}
      <section className="panel" aria-labelledby="records">
        <div className="panel-head">
          <h2 id="records">{current?.roleName}保证金记录</h2>
        </div>
        <Records key={role} first={data.records} role={role} />
      </section>
    </div>
  );
}
