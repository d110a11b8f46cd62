import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { shortAt } from '#web/lib/format/times.ts';
import { HandoverClock } from '#subjects/orders/web/parts/handover/handover-clock.tsx';
import { nextPart } from '#subjects/payments/web/parts/money/hold-parts.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import type { HomeData } from './home-loader.ts';
import type { NextItem } from './next-items.ts';

/** Deadlines within these minutes have a ring; later ones are a time of day. */
const RING_MINUTES = 60;

function Other({ item, n, isCurrent }: { item: NextItem; n: number; isCurrent: boolean }) {
  return (
    <li className="border-line-soft max-md:border-t max-md:first:border-t-0 md:border-l md:first:border-l-0">
      <Link
        to={item.to}
        className="grid h-full grid-cols-[24px_minmax(0,1fr)] gap-2.5 px-5 py-3.5 hover:bg-hover max-md:px-4 max-md:py-2.5"
      >
        <span
          className={cx(
            'grid size-5.5 place-items-center rounded-full text-12 font-semibold',
            item.isDone
              ? 'bg-safe text-panel'
              : isCurrent
                ? 'bg-brand-700 text-panel'
                : 'border border-line-control text-ink-3',
          )}
          aria-hidden="true"
        >
          {item.isDone ? <Check className="icon size-3" strokeWidth={3} /> : n}
        </span>
        <span className="min-w-0">
          <b className="block truncate text-14 font-semibold">{item.title}</b>
          <span className="block truncate text-12 text-ink-3">
            {item.due && (
              <b className="font-semibold text-ink">{item.isLate ? '已超时' : `${shortAt(item.due)} 前`} </b>
            )}
            {item.text}
            {item.isDone && <span className="sr-only">，已完成</span>}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Nothing is pending: the next release of money, or an entry into the market. */
function Nothing({ holds }: { holds: HomeData['holds'] }) {
  const soonest = nextPart(holds);
  return (
    <section className="panel flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 max-md:px-4" aria-labelledby="next">
      <div className="min-w-0 flex-1">
        <h2 id="next" className="text-16 font-semibold">
          今天没有要处理的
        </h2>
        <p className="text-13 text-ink-2">
          {soonest?.time ? (
            <>
              下一笔放款 <Amount yuan={soonest.amount} />，{shortAt(soonest.time)} 到账
            </>
          ) : (
            '轮到您操作的订单、提问和议价会显示在这里。'
          )}
        </p>
      </div>
      {soonest?.time && <ButtonLink to="/center/mywallets">看冻结明细</ButtonLink>}
    </section>
  );
}

/** 接下来: the most urgent item with its button, and the following ones. The server decides which and in what order. */
export function NextCard({ data: { next, holds, now } }: { data: HomeData }) {
  if (!next) return null;
  const { first, others } = next;
  if (!first) return <Nothing holds={holds} />;
  const hasRing = first.due !== null && Date.parse(first.due) - Date.parse(now) < RING_MINUTES * 60_000;
  const isNumberedFromOne = others.some(({ isDone }) => isDone);
  return (
    <section className="overflow-hidden rounded-card border border-attn-line bg-panel" aria-labelledby="next">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2.5 bg-attn-bg px-5 py-4.5 max-md:px-4 max-md:py-3.5">
        <div className="min-w-0 flex-1">
          <p className="text-12 font-semibold text-attn">
            {/* A step in progress, such as 正在换绑手机, does not show who has to act. */}
            {first.isSetup ? '接下来' : '接下来，轮到您'}
          </p>
          <h2 id="next" className="text-20 font-semibold max-md:text-16">
            {first.title}
          </h2>
          <p className="line-clamp-2 text-13 text-ink-2">
            {first.text}
            {first.due && !hasRing && <>，{shortAt(first.due)} 前</>}
          </p>
        </div>
        {hasRing && first.due && <HandoverClock due={first.due} minutes={RING_MINUTES} />}
        <ButtonLink to={first.to} kind="primary" size="lg" className="max-md:w-full">
          {first.action}
        </ButtonLink>
      </div>
      {others.length > 0 && (
        <ol className="grid auto-cols-fr border-t border-attn-line md:grid-flow-col">
          {others.map((item, i) => (
            <Other key={item.key} item={item} n={i + (isNumberedFromOne ? 1 : 2)} isCurrent={item.key === first.key} />
          ))}
        </ol>
      )}
    </section>
  );
}
