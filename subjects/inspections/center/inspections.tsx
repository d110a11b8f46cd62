import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { inspectionList, inspectionOf } from '#subjects/inspections/contract/inspection.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { SealForm } from './seal-form.tsx';
import { TaskRow } from './task-row.tsx';
import { WrongForm } from './wrong-form.tsx';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '验号', noindex: true });
}

/** The user's inspections; `goods` is a listing to have inspected. */
export async function loader(args: LoaderFunctionArgs) {
  const { call: ask } = market(args);
  const goodsSn = args.url.searchParams.get('goods');
  if (goodsSn !== null && !/^[A-Za-z0-9-]{1,32}$/.test(goodsSn)) notFound();
  const [first, goods] = await Promise.all([
    ask(inspectionList, { pageSize: 20 }),
    goodsSn === null ? null : ask(inspectionOf, { goodsSn }),
  ]);
  return { first, goods, goodsSn, now: new Date().toISOString() };
}

type List = Data<typeof inspectionList>;

/** Orders whose readings the user may claim on, and the earlier claims. */
function Claims({ orders, claims }: Pick<List, 'orders' | 'claims'>) {
  const [open, setOpen] = useState<number | null>(null);
  if (orders.length === 0 && claims.length === 0) return null;
  return (
    <section className="panel mt-4" aria-labelledby="wrong">
      <div className="panel-head">
        <h2 id="wrong">验号有误赔付</h2>
        <p>买到的号与验号结果不符</p>
      </div>
      <ul>
        {orders.map((o) => (
          <li key={o.orderSn} className="border-b border-line-soft px-4 py-3 last:border-b-0">
            <div className="flex flex-wrap items-center gap-3">
              <span className="min-w-0 flex-1 basis-60">
                <b className="block truncate font-medium">{o.title}</b>
                <small className="text-12 text-ink-3">
                  订单 {o.orderSn}
                  {o.untilTime && (
                    <>
                      ，<TimeLabel at={o.untilTime} /> 截止
                    </>
                  )}
                </small>
              </span>
              <Button
                size="sm"
                aria-expanded={open === o.orderId}
                onClick={() => setOpen(open === o.orderId ? null : o.orderId)}
              >
                验号有误
              </Button>
            </div>
            {open === o.orderId && (
              <div className="mt-3">
                <WrongForm order={o} onDone={() => setOpen(null)} />
              </div>
            )}
          </li>
        ))}
        {claims.map((k) => (
          <li
            key={k.claimId}
            className="flex flex-wrap items-center gap-3 border-b border-line-soft px-4 py-3 last:border-b-0"
          >
            <span className="min-w-0 flex-1 basis-60">
              <b className="block truncate font-medium">{k.title}</b>
              <small className="block text-12 text-ink-3">
                {k.label}：验号为 {k.reading}，您看到 {k.found}
                {k.note && `。${k.note}`}
              </small>
            </span>
            <Amount yuan={k.amount} />
            <Tag
              {...(k.status === 'paid'
                ? { tone: 'safe' as const }
                : k.status === 'open'
                  ? { tone: 'attn' as const }
                  : {})}
            >
              {k.statusName}
            </Tag>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Inspections of the user's listings and those requested as a buyer, with claims on readings. */
export default function Inspections() {
  const { first, goods, goodsSn, now } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    async (cursor) => await call(inspectionList, { pageSize: 20, cursor }, { quiet: true }),
    (r) => String(r.taskId),
  );
  return (
    <>
      {goods && goodsSn && (
        <section className="panel mb-4" aria-labelledby="ask">
          <div className="panel-head">
            <h2 id="ask">申请验号 {goodsSn}</h2>
            <p>免费，客服登录逐项读取</p>
          </div>
          <div className="p-4">
            {goods.canAsk ? (
              <SealForm of={{ goodsSn }} onDone={() => undefined} />
            ) : (
              <p className="text-13 text-ink-3">
                {goods.isOpen ? '这件商品正在验号，进度见下方。' : '在售的账号才能验号，请先上架。'}
              </p>
            )}
          </div>
        </section>
      )}
      <section className="panel">
        <div className="panel-head">
          <h1 className="text-16 font-semibold">验号</h1>
          <p>验号结果与填写一致显示「已验号」</p>
        </div>
        {items.length === 0 ? (
          <EmptyState title="还没有验号" action={<ButtonLink to="/center/sellOutGoods">去我的商品</ButtonLink>}>
            在「我的商品」选一件在售的账号申请验号，带标记的号更好卖。
          </EmptyState>
        ) : (
          <>
            <ul aria-label="验号">
              {items.map((task) => (
                <TaskRow key={task.taskId} task={task} now={now} />
              ))}
            </ul>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      <Claims orders={first.orders} claims={first.claims} />
    </>
  );
}
