import { Link } from 'react-router';
import { reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import type { Data } from '#contract/endpoint.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { Panel } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { REVIEWS_SHOWN } from './first-data.ts';

/** The listings pending review for longest, each a link to its decision; for staff without the trade panels. */
export function ReviewPanel({ initial }: { initial: Data<typeof reviewGoodsList> | null }) {
  const state = usePanel(reviewGoodsList, { pageSize: REVIEWS_SHOWN }, { everyMs: 60_000, initial });
  return (
    <Panel
      title="最早提交的商品"
      of={state}
      minHeight={200}
      aside={
        <Link to="/backstage/goods" className="link">
          开始审核
        </Link>
      }
    >
      {({ list }) =>
        list.length === 0 ? (
          <EmptyState title="没有待审核的商品">卖家发布或修改商品后会出现在这里。</EmptyState>
        ) : (
          <ul className="px-4 py-1 text-13">
            {list.map((goods) => (
              <li key={goods.goodsSn} className="border-b border-line-soft last:border-b-0">
                <Link
                  to={`/backstage/goods?sn=${goods.goodsSn}`}
                  className="flex items-baseline gap-3 py-2 hover:text-link"
                >
                  <b className="flex-none font-medium">{goods.gameName}</b>
                  <span className="min-w-0 flex-1 truncate">{goods.bigTitle}</span>
                  {goods.flags[0] && (
                    <span className="flex-none text-12 text-attn max-md:hidden">{goods.flags[0].text}</span>
                  )}
                  <Amount yuan={goods.price} className="flex-none" />
                  <TimeLabel at={goods.submitTime} className="w-20 flex-none text-right text-12 text-ink-3" />
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}
