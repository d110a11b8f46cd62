import { Link } from 'react-router';
import { isGameCoin } from '#contract/rules/catalogue.ts';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Ratios } from '#web/parts/goods/ratios.tsx';
import type { DetailData } from './loader.ts';

/** Only coin listings have it, so its script is not among the page's initial ones. */
const RatioChart = lazyWithRetry(
  () => import('#web/parts/charts/ratio-chart.lazy.tsx'),
  <div className="mt-3 h-40" aria-hidden="true" />,
);

/** Details of a coin listing: amount, ratio both ways, delivery, and the area's ratio of 90 days. */
function CoinBox({ data }: { data: DetailData }) {
  const { goods, ratioHistory } = data;
  if (!goods.coin) return null;
  const { amountText, ratioText, unitPriceText, deliveryText } = goods.coin;
  const storefront = `/fastGold/fastGoldOrder?gid=${goods.gameId}${goods.areaId === null ? '' : `&areaId=${goods.areaId}`}`;
  return (
    <section className="mt-3 rounded-control border border-line px-4 py-3" aria-label={`${goods.goodsTypeStr}比例`}>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-2 text-13">
        <Ratios ratioText={ratioText} unitPriceText={unitPriceText} />
        <span className="grid">
          <span className="text-12 text-ink-3">每件数量</span>
          <b className="font-semibold">{amountText}</b>
        </span>
        {deliveryText && (
          <span className="grid">
            <span className="text-12 text-ink-3">交货方式</span>
            <span>{deliveryText}</span>
          </span>
        )}
        {isGameCoin(goods.goodsTypeId) && (
          <Link to={storefront} className="link hit ml-auto text-12">
            同区按份购买
          </Link>
        )}
      </div>
      {ratioHistory && ratioHistory.list.length > 1 && <RatioChart history={ratioHistory} className="mt-3" />}
    </section>
  );
}

export default keptWhenLost(CoinBox);
