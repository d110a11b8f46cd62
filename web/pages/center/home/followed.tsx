import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { goodsPath } from '#web/lib/pages/paths.ts';
import { fallen, type Followed, isOnSale, stateText } from '#web/parts/goods/followed.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Followed listings: price drops, availability, and a link to buy. */
export function FollowedGoods({ list, total }: { list: readonly Followed[]; total: number }) {
  const falls = list.filter((item) => fallen(item)).length;
  return (
    <section className="panel" aria-labelledby="followed">
      <div className="panel-head">
        <h2 id="followed">我的收藏</h2>
        {falls > 0 && <p>{falls} 件降价</p>}
        {total > 0 && (
          <Link to="/center/buyLikedGoods" className="more">
            全部 {total} 件
            <ChevronRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        )}
      </div>
      {list.length === 0 ? (
        <EmptyState title="还没有收藏商品" action={<ButtonLink to="/wares">去逛逛</ButtonLink>}>
          收藏后降价和重新上架会提醒您。
        </EmptyState>
      ) : (
        <ul>
          {list.map((item) => {
            const fall = fallen(item);
            const to = goodsPath(item.goodsSn, item.goodsTypeId);
            return (
              <li
                key={item.goodsSn}
                className="flex items-center gap-4 border-b border-line-soft px-4 py-2.5 last:border-b-0"
              >
                <GoodsSummary
                  title={item.bigTitle}
                  gameName={item.gameName}
                  typeId={item.goodsTypeId}
                  thumbnail={item.thumbnail}
                  seed={item.goodsSn}
                  to={to}
                  lines={1}
                  className="flex-1"
                >
                  <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
                    <span>{stateText(item.status)}</span>
                    {fall && (
                      <span>
                        降 <Amount yuan={fall} />
                      </span>
                    )}
                  </p>
                </GoodsSummary>
                <Price yuan={item.allInPrice} />
                <ButtonLink to={to} size="sm" className="max-md:hidden">
                  {isOnSale(item) ? '购买' : '查看'}
                </ButtonLink>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
