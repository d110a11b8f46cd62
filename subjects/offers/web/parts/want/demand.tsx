import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { getWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export type Wants = Pick<Data<typeof getWantGoodsList>, 'list' | 'demand'>;

/** The demand for a game: number of wants, budgets, the newest wants, and links for both parties. */
export function Demand({
  wants,
  wantTo,
  sellTo,
  also,
}: {
  wants: Wants;
  wantTo: string;
  sellTo: string;
  /** A button beside the one that creates a want. */
  also?: ReactNode;
}) {
  const { list, demand } = wants;
  return (
    <section className="panel mt-4 max-md:mt-3" aria-labelledby="demand">
      <div className="panel-head flex-wrap gap-2 py-2">
        <h2 id="demand" className="text-16 font-semibold">
          求购
        </h2>
        {demand && demand.wants > 0 && demand.medianBudget && (
          <p>
            {demand.wants} 人想买，预算中位 <Amount yuan={demand.medianBudget} />
          </p>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          {also}
          <ButtonLink to={wantTo} size="sm">
            发布求购
          </ButtonLink>
        </span>
      </div>
      {list.length > 0 ? (
        <ul>
          {list.map((want) => (
            <li
              key={want.wantSn}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line-soft px-4 py-2.5 last:border-b-0"
            >
              <span className="grid min-w-0 flex-1 gap-0.5 max-md:basis-full">
                <span className="truncate text-14">{want.bigTitle}</span>
                <span className="flex flex-wrap gap-x-3 text-12 text-ink-3">
                  <span>{want.buyerName}</span>
                  <TimeLabel at={want.createTime} />
                  {want.areaText && <span>{want.areaText}</span>}
                  {want.chips.slice(0, 3).map(({ label, value }) => (
                    <span key={label}>
                      {label} {value}
                    </span>
                  ))}
                  {want.deposit && (
                    <span>
                      已交定金 <Amount yuan={want.deposit} />
                    </span>
                  )}
                </span>
              </span>
              <span className="flex items-baseline gap-1.5">
                <small className="text-12 text-ink-3">预算</small>
                <Price yuan={want.budget} size="sm" />
              </span>
              <Link to={want.isMine ? '/center/buyBlackList' : sellTo} className="link text-13">
                {want.isMine ? '我发布的' : '我有，去发布'}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-4 py-5 text-13 text-ink-3">
          还没有人求购。想要什么，说清条件和预算，符合的新商品会主动来找您。
        </p>
      )}
    </section>
  );
}
