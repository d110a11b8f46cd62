import { Heart, Lock, Minus, Plus, ScanLine, ShieldCheck } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { distEnsureList } from '#subjects/orders/contract/site-figures.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { protectionText } from '#subjects/orders/rules/protection.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { durationText, fenOf, grouped } from '#web/lib/format/format.ts';
import { call } from '#web/lib/api/api.ts';
import { hydratedLater } from '#web/lib/loading/hydrated-later.tsx';
import { serverOnlyDataOf, ServedPart } from '#web/lib/loading/served-part.tsx';
import { inspectedText } from '#web/parts/goods/goods-parts.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { bandText, PriceBand, shownBand } from '#web/ui/forms/price-band.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { Agreed } from './ask/agreed.ts';
import { type Choice, choose, type Guarantee, guaranteePrice, type Terms } from './terms/guarantee.ts';
import { ShareButton } from './terms/share.tsx';
import type { DetailData } from './loader.ts';
import { PriceLine } from './price-line.tsx';

/** Collapsed until a guarantee is chosen. */
const GuaranteeTerms = hydratedLater(() => import('./terms/guarantee-terms.tsx'));

/** The buyer's choices on this page. */
export interface Purchase {
  choice: Choice;
  num: number;
  chosen: readonly Guarantee[];
  /** The price agreed between the viewer and the seller. */
  agreed: Agreed | null;
  total: string;
  /** URL of the order page; null when the listing cannot be bought. */
  to: string | null;
  /** Why it cannot be bought. */
  closed: string | null;
  setChoice: (choice: Choice) => void;
  setNum: (num: number) => void;
}

/** Type, title, number, region, listing date and views. */
export function Heading({ goods }: { goods: DetailData['goods'] }) {
  return (
    <div>
      <h1 className="text-20 leading-7 font-semibold text-pretty max-md:text-16 max-md:leading-6">
        <TypeTag typeId={goods.goodsTypeId} name={goods.goodsTypeStr} className="mr-2 align-[3px]" />
        {goods.bigTitle}
      </h1>
      <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-3">
        <span className="inline-flex gap-1">
          编号 <CopyButton text={goods.goodsSn} label="商品编号" />
        </span>
        {goods.crossName && <span>{goods.crossName}</span>}
        <span>
          上架 <TimeLabel at={goods.createTime} />
        </span>
        {goods.views > 0 && <span>浏览 {grouped(goods.views)}</span>}
        {goods.follows > 0 && <span>收藏 {grouped(goods.follows)}</span>}
        <ShareButton goods={goods} className="ml-auto md:hidden" />
      </p>
    </div>
  );
}

/** The price among similar sales: the band when it is meaningful, otherwise a sentence. */
function Reference({ goods }: { goods: DetailData['goods'] }) {
  const band = shownBand(goods.band);
  if (!band)
    return (
      <p className="self-center text-12 text-ink-3">
        {goods.band
          ? `同类成交 ${grouped(goods.band.samples)} 件，价格跨度大，不作参考`
          : '同类成交不足 30 件，暂无参考价，可参考下方的同类成交。'}
      </p>
    );
  const record = goods.priceRecord;
  return (
    <div className="min-w-0">
      <p className="mb-1 flex justify-between gap-2 text-12">
        <b className={cx('font-semibold', band.outlier ? 'text-attn' : 'text-ink')}>{bandText(band)}</b>
        <span className="text-ink-3">同类 {grouped(band.samples)} 件成交，近半年</span>
      </p>
      <PriceBand price={goods.price} band={band} labels />
      {record && (
        <p className="mt-0.5 text-12 text-ink-3">
          {Number(record.month.slice(5))} 月的成交有 {record.percent}% 在估价的高低价之间
        </p>
      )}
      {band.outlier && (
        <p className="mt-1 text-12 text-attn">与同类成交相差较大，请先核对商品信息和验号记录，也可以问卖家原因。</p>
      )}
    </div>
  );
}

/** The all-in price with its breakdown, and its position among comparable sales. */
export function PriceBox({ goods, unit }: { goods: DetailData['goods']; unit: string | undefined }) {
  const last = goods.priceChanges.at(-1);
  const drop = last && fenOf(last.to) < fenOf(last.from) ? last : null;
  return (
    <div className="price-box">
      <div>
        <p className="flex items-baseline gap-2">
          <Price yuan={goods.allInPrice} size="xl" />
          <span className="text-12 text-ink-3">全包价{unit && `，每${unit}`}</span>
        </p>
        <dl className="price-parts">
          <dt>商品价</dt>
          <dd>
            <Amount yuan={goods.price} />
          </dd>
          <dt>买家服务费</dt>
          <dd>
            <Amount yuan={goods.serviceFee} />
          </dd>
          {drop && (
            <>
              <dt>
                <time dateTime={drop.changeTime}>{fullTime(Date.parse(drop.changeTime)).slice(5, 10)}</time> 降价，原价
              </dt>
              <dd>
                <Amount yuan={drop.from} />
              </dd>
            </>
          )}
        </dl>
      </div>
      {accountTypes.includes(goods.goodsTypeId) && <Reference goods={goods} />}
    </div>
  );
}

function GuaranteeTile({
  guarantee,
  price,
  on,
  onClick,
}: {
  guarantee: Guarantee;
  price: string;
  on: boolean;
  onClick: () => void;
}) {
  return (
    <button type="button" className={cx('guarantee', on && 'guarantee-on')} aria-pressed={on} onClick={onClick}>
      <b>{guarantee.name}</b>
      <span>
        {guarantee.rateText}
        {guarantee.baseText !== guarantee.rateText && (
          <small className="ml-1 text-12 text-ink-3">按本单风险，基准 {guarantee.baseText}</small>
        )}
      </span>
      <Amount yuan={guaranteePrice(guarantee, price)} />
    </button>
  );
}

/** The terms of the guarantees on offer: as the server rendered them, until a chosen guarantee expands them. */
function GuaranteesTerms({ data, choice }: { data: DetailData; choice: Choice }) {
  const { gameId, goodsTypeId } = data.goods;
  const sent = serverOnlyDataOf(data)?.terms ?? null;
  const [loaded, setLoaded] = useState<readonly Terms[] | null>(null);
  const chosen = Object.values(choice);
  const isAwaited = chosen.length > 0 && !sent && !loaded;
  useEffect(() => {
    if (!isAwaited) return undefined;
    let isCurrent = true;
    // Without the script the list stays collapsed.
    call(distEnsureList, { gameId, goodsTypeId }, { quiet: true }).then(
      ({ list }) => isCurrent && setLoaded(list),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isAwaited, gameId, goodsTypeId]);
  const list = sent ?? loaded;
  return (
    <ServedPart of={data} name={`terms ${data.goods.goodsSn}`}>
      {list && <GuaranteeTerms list={list} chosen={chosen} />}
    </ServedPart>
  );
}

/** The available guarantees, none selected at first; coverage and exclusions of the last selected one in plain language. */
export function GuaranteeRow({ data, purchase }: { data: DetailData; purchase: Purchase }) {
  const { goods, guarantees } = data;
  const { choice, chosen, setChoice } = purchase;
  const later = useDeferredValue(choice);
  if (data.service) return null;
  if (!goods.ensureOpen)
    return <PriceLine label="包赔">该商品不支持包赔，{protectionText(goods.protection)}。</PriceLine>;
  if (guarantees.length === 0) return null;
  const last = chosen.at(-1);
  return (
    <PriceLine label="包赔">
      <div className="guarantees" role="group" aria-label="包赔">
        <button
          type="button"
          className={cx('guarantee', chosen.length === 0 && 'guarantee-none')}
          aria-pressed={chosen.length === 0}
          onClick={() => setChoice({})}
        >
          <b>不选</b>
          <span>自担找回风险</span>
        </button>
        {guarantees.map((guarantee) => (
          <GuaranteeTile
            key={guarantee.id}
            guarantee={guarantee}
            price={goods.price}
            on={choice[guarantee.kind] === guarantee.id}
            onClick={() => setChoice(choose(choice, guarantee))}
          />
        ))}
      </div>
      <p className="mt-2 text-12 leading-5 text-ink-3" aria-live="polite">
        {last ? (
          <>
            {last.coverText}
            {last.exclusions.length > 0 && `；不赔：${last.exclusions.join('、')}。`}
          </>
        ) : (
          '默认不购买，下单时可更改。'
        )}
      </p>
      <GuaranteesTerms data={data} choice={later} />
    </PriceLine>
  );
}

/** Quantity, for listings with stock only. */
export function Quantity({ data, purchase }: { data: DetailData; purchase: Purchase }) {
  const { stock } = data.goods;
  if (stock <= 1) return null;
  const { num, setNum } = purchase;
  const set = (value: number) => setNum(Math.min(stock, Math.max(1, Math.round(value) || 1)));
  return (
    <PriceLine label="数量">
      <span className="inline-flex items-center gap-2">
        <Button icon size="sm" aria-label="减少" disabled={num <= 1} onClick={() => set(num - 1)}>
          <Minus className="icon" aria-hidden="true" />
        </Button>
        <Input
          small
          className="w-20 text-center"
          inputMode="numeric"
          aria-label="数量"
          value={num}
          onChange={(event) => set(Number(event.target.value))}
        />
        <Button icon size="sm" aria-label="增加" disabled={num >= stock} onClick={() => set(num + 1)}>
          <Plus className="icon" aria-hidden="true" />
        </Button>
        <span className="text-12 text-ink-3">{data.service ? data.service.unit : `库存 ${grouped(stock)}`}</span>
      </span>
    </PriceLine>
  );
}

/** Available discounts; none is selected at first. A click opens the coupons with their terms. */
export function Discounts({ data, onOpen }: { data: DetailData; onOpen: () => void }) {
  if (data.discounts.length === 0) return null;
  const mine = data.discounts.filter(({ received }) => received).length;
  return (
    <PriceLine label="可用券">
      <span className="inline-flex flex-wrap items-center gap-1.5 align-middle">
        {data.discounts.slice(0, 3).map(({ code, name, couponId }) => (
          <span key={`${code}${couponId ?? ''}`} className="chip chip-tint">
            {name}
          </span>
        ))}
        <button type="button" className="link hit text-12" onClick={onOpen}>
          {mine > 0 ? `${mine} 张可用，查看` : '领券'}
        </button>
        <span className="text-12 text-ink-3">下单时自动选最省的一张，可改</span>
      </span>
    </PriceLine>
  );
}

/** Shows the delivering party and the deadline. */
export function Delivery({ data }: { data: DetailData }) {
  const { goods, averageShipMinutes } = data;
  return (
    <PriceLine label="交付">
      {goods.isOfficialSell ? '平台客服交付' : '卖家交付，平台客服全程在群'}
      {averageShipMinutes !== null && (
        <>
          ，全站平均 <b className="font-semibold">{durationText(averageShipMinutes)}</b>
        </>
      )}
      <span className="text-ink-3">，承诺 {goods.shipHours} 小时内</span>
    </PriceLine>
  );
}

/** The total, the purchase button, and the protections. On phones the bottom bar replaces it. */
export function BuyRow({
  data,
  purchase,
  followed,
  onFollow,
  onAsk,
  onBargain,
}: {
  data: DetailData;
  purchase: Purchase;
  followed: boolean;
  onFollow: () => void;
  /** Null when nothing can be asked: one's own listing, or one that is not on sale. */
  onAsk: (() => void) | null;
  /** Null when the seller takes no offers. */
  onBargain: (() => void) | null;
}) {
  const { goods } = data;
  const { total, chosen, agreed } = purchase;
  const sum = agreed ? '成交价合计' : '合计';
  const inspected = inspectedText(goods.inspectedTime);
  return (
    <>
      <div className="mt-4 flex items-center gap-2 border-t border-line pt-4 max-md:hidden">
        <p className="mr-auto">
          <span className="block text-12 leading-4 text-ink-3">
            {chosen.length > 0 ? `${sum}，含${chosen.map(({ name }) => name).join('、')}` : sum}
          </span>
          <Price yuan={total} size="lg" />
        </p>
        <Button size="lg" icon aria-pressed={followed} aria-label={followed ? '取消收藏' : '收藏'} onClick={onFollow}>
          <Heart
            className={cx('icon size-5', followed && 'text-danger')}
            fill={followed ? 'currentColor' : 'none'}
            aria-hidden="true"
          />
        </Button>
        {onAsk && (
          <Button size="lg" className="w-24" onClick={onAsk}>
            问卖家
          </Button>
        )}
        {onBargain && (
          <Button size="lg" kind="tonal" className="w-24" onClick={onBargain}>
            议价
          </Button>
        )}
        <BuyButton purchase={purchase} className="w-40" />
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-12 text-ink-2 [&_.icon]:text-safe">
        <li className="inline-flex items-center gap-1">
          <Lock className="icon size-3.5" aria-hidden="true" />
          货款托管，验收后放款
        </li>
        {inspected && (
          <li className="inline-flex items-center gap-1">
            <ScanLine className="icon size-3.5" aria-hidden="true" />
            {inspected}
          </li>
        )}
        <li className="inline-flex items-center gap-1">
          <ShieldCheck className="icon size-3.5" aria-hidden="true" />
          {protectionText(goods.protection)}
        </li>
      </ul>
    </>
  );
}

/** The primary button; replaced by the reason when the listing cannot be bought. */
export function BuyButton({
  purchase: { to, closed, agreed },
  className,
}: {
  purchase: Pick<Purchase, 'to' | 'closed' | 'agreed'>;
  className?: string;
}) {
  if (!to) {
    return (
      <span className={cx(buttonClass({ size: 'lg' }), className)} aria-disabled="true" role="status">
        {closed}
      </span>
    );
  }
  return (
    <Link to={to} className={cx(buttonClass({ kind: 'primary', size: 'lg' }), className)}>
      {agreed ? '按成交价购买' : '立即购买'}
    </Link>
  );
}
