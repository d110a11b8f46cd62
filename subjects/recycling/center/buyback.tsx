import { Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { recycleList, recycleTerms } from '#subjects/recycling/contract/account-recycling.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf, yuanOf, grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '回收申请', noindex: true });
}

/** The user's requests; a notice links here with `sn`, which redirects to that request. */
export async function loader(args: LoaderFunctionArgs) {
  const sn = args.url.searchParams.get('sn');
  if (sn !== null && /^[A-Za-z0-9]{1,32}$/.test(sn)) return redirect(`/recycle?sn=${sn}`);
  const { call: read } = market(args);
  const [first, terms] = await Promise.all([read(recycleList, { pageSize: 20 }), read(recycleTerms, {})]);
  return { first, terms, now: new Date().toISOString() };
}

const LIVE = ['bidding', 'quoted', 'accepted', 'reconfirm'];

/** The user's requests to sell accounts to recyclers, newest first. */
export default function Buyback() {
  const { first, terms, now } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    async (cursor) => await call(recycleList, { pageSize: 20, cursor }, { quiet: true }),
    (r) => r.requestSn,
  );
  return (
    <section className="panel">
      <div className="panel-head">
        <h1 className="text-16 font-semibold">回收申请</h1>
        <p>竞价、交付、验号、到账</p>
        {items.length > 0 && (
          <ButtonLink size="sm" kind="primary" className="ml-auto" to="/recycle">
            回收账号
          </ButtonLink>
        )}
      </div>
      {items.length === 0 ? (
        <EmptyState
          title="还没有回收申请"
          action={
            <ButtonLink kind="primary" to="/recycle">
              去回收
            </ButtonLink>
          }
        >
          填几项就有平台保底价，回收商匿名竞价 {spanText(terms.bidSeconds)}。
        </EmptyState>
      ) : (
        <>
          <ul>
            {items.map((r) => (
              <li key={r.requestSn} className="border-b border-line-soft last:border-b-0">
                <Link
                  to={`/recycle?sn=${r.requestSn}`}
                  className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
                >
                  <span className="min-w-0 flex-1 basis-60">
                    <b className="font-semibold">
                      {r.gameName} {r.areaName}
                    </b>
                    <small className="block truncate text-12 text-ink-3">{r.title}</small>
                    <small className="block text-12 text-ink-3">
                      {r.requestSn}，<TimeLabel at={r.createTime} />
                    </small>
                  </span>
                  <span className="text-right">
                    {r.price === null ? (
                      <span className="text-13 text-ink-3">还没有出价</span>
                    ) : (
                      <Amount yuan={yuanOf(fenOf(r.price) - fenOf(r.cut))} className="font-semibold" />
                    )}
                    {fenOf(r.cut) > 0 && <small className="block text-12 text-ink-3">已减 ¥{grouped(r.cut)}</small>}
                  </span>
                  <span className="flex w-full items-baseline gap-2 sm:block sm:w-32 sm:text-right">
                    <Tag
                      {...(r.status === 'paid'
                        ? { tone: 'safe' as const }
                        : LIVE.includes(r.status)
                          ? { tone: 'attn' as const }
                          : {})}
                    >
                      {r.statusName}
                    </Tag>
                    {r.dueTime && LIVE.includes(r.status) && (
                      <small className="text-12 text-attn sm:block">
                        <Countdown until={r.dueTime} now={now} />
                      </small>
                    )}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
