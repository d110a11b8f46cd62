import { GoodsStatus } from '#contract/rules/statuses.ts';
import { HandCoins, Headset, Heart, MessageCircleQuestion } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { Link, type MetaFunction, useLoaderData, useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { cookie } from '#web/lib/session/cookies.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { hydratedLater, LateBoundary } from '#web/lib/loading/hydrated-later.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { serverOnlyDataOf, ServedPart } from '#web/lib/loading/served-part.tsx';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useFavourite } from '#web/parts/goods/favourite.tsx';
import type { PhoneHandle } from '#web/parts/site/phone-shell.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { agreedOf } from './detail/ask/agreed.ts';
import { Below } from './detail/below.tsx';
import {
  BuyButton,
  BuyRow,
  Delivery,
  Discounts,
  GuaranteeRow,
  Heading,
  PriceBox,
  type Purchase,
  Quantity,
} from './detail/buy-box.tsx';
import { ClosedBox } from './detail/closed-box.tsx';
import { Gallery } from './detail/gallery/gallery.tsx';
import { type Choice, orderPath, totalOf } from './detail/terms/guarantee.ts';
import type { DetailData, loader } from './detail/loader.ts';
import { PriceLine } from './detail/price-line.tsx';
import { ShareButton } from './detail/terms/share.tsx';

/** Only in some listings: readable before their scripts, which load after the page's, have arrived. */
const CoinBox = hydratedLater(() => import('./detail/coin-box.tsx'));
const TimeSaleLine = hydratedLater(() => import('./detail/time-sale-line.tsx'));
/** Static content. */
const Facts = hydratedLater(() => import('./detail/facts.tsx'));
/** Only services have it. */
const ServiceBox = lazyWithRetry(
  () => import('#subjects/services/web/parts/service/service-box.lazy.tsx'),
  <div className="mt-3 min-h-64 rounded-control border border-line" aria-hidden="true" />,
);
/** Only companions have hours. */
const SlotCalendar = lazyWithRetry(
  () => import('#subjects/services/web/parts/companion/slot-calendar.lazy.tsx'),
  <div className="mt-3 min-h-64" aria-hidden="true" />,
);
/** Most listings have no bargain. */
const BargainLine = lazyWithRetry(
  () => import('./detail/ask/bargain-line.tsx'),
  <PriceLine label="议价">
    <span className="text-ink-3">…</span>
  </PriceLine>,
);
const CouponDialog = lazyWithRetry(() => import('./detail/coupon-dialog.tsx'));
const AskDialog = lazyWithRetry(() => import('./detail/ask/ask-dialog.tsx'));
const BargainDialog = lazyWithRetry(() => import('./detail/ask/bargain-dialog.tsx'));

export { loader } from './detail/loader.ts';

export const handle: { phone: PhoneHandle } = { phone: { back: true, ownBar: true } };

export const meta: MetaFunction<typeof loader> = (args) => {
  const data = args.loaderData as DetailData | undefined;
  if (!data?.goods) return pageMeta(args, { title: '商品详情', noindex: true });
  const { goods } = data;
  const details = goods.chips.map(({ label, value }) => `${label} ${value}`).join('，');
  return pageMeta(args, {
    title: `${goods.bigTitle} - ${goods.gameName}${goods.goodsTypeStr}`,
    description: `全包价 ${grouped(goods.allInPrice)} 元。${details}`.slice(0, 150),
    image: `/og/goods/${goods.goodsSn}.jpg`,
    imageSize: [1200, 630],
    noindex: goods.status !== GoodsStatus.OnSale,
    canonicalPath: goods.pageUrl || undefined,
    canonicalUrl: goods.canonicalUrl,
    // For search engines, which receive the complete page.
    jsonLd: serverOnlyDataOf(data)?.jsonLd,
  });
};

/** Stores the views of a visitor without an account in this browser; its script loads after the page's own. */
function useViewed({ goods, signedIn }: DetailData): void {
  useEffect(() => {
    if (!signedIn) void import('#web/lib/lists/viewed.ts').then(({ rememberGoods }) => rememberGoods(goods));
  }, [goods, signedIn]);
}

function usePurchase(data: DetailData): Purchase {
  const { goods, guarantees } = data;
  const [choice, setChoice] = useState<Choice>({});
  const [num, setNum] = useState(1);
  const chosen = guarantees.filter(({ id, kind }) => choice[kind] === id);
  const closed = data.closed?.label ?? null;
  const agreed = agreedOf(data);
  return {
    choice,
    num,
    chosen,
    agreed,
    total: agreed
      ? totalOf(agreed.allInPrice, agreed.price, 1, chosen)
      : totalOf(goods.allInPrice, goods.price, num, chosen),
    to: closed ? null : orderPath(goods.goodsSn, choice, agreed ? 1 : num, agreed?.bargainId),
    closed,
    setChoice,
    setNum,
  };
}

function BuyBar({
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
  onAsk: (() => void) | null;
  onBargain: (() => void) | null;
}) {
  const extra = fenOf(purchase.total) > fenOf(purchase.agreed?.allInPrice ?? data.goods.allInPrice);
  return (
    <div className="buy-bar">
      {onAsk ? (
        <button type="button" onClick={onAsk}>
          <MessageCircleQuestion className="icon" aria-hidden="true" />
          问卖家
        </button>
      ) : (
        <Link to={`/customerService?goodsSn=${data.goods.goodsSn}`} className="buy-bar-link">
          <Headset className="icon" aria-hidden="true" />
          客服
        </Link>
      )}
      <button type="button" aria-pressed={followed} onClick={onFollow}>
        <Heart
          className={cx('icon', followed && 'text-danger')}
          fill={followed ? 'currentColor' : 'none'}
          aria-hidden="true"
        />
        {followed ? '已收藏' : '收藏'}
      </button>
      {onBargain && (
        <button type="button" onClick={onBargain}>
          <HandCoins className="icon" aria-hidden="true" />
          议价
        </button>
      )}
      <span className="ml-auto text-right text-11 leading-4 text-ink-3">
        {extra ? '合计，含包赔' : purchase.agreed ? '成交全包价' : '全包价'}
        <Amount yuan={purchase.total} className="block text-14 font-semibold text-ink" />
      </span>
      <BuyButton purchase={purchase} className="min-w-36 max-[359px]:min-w-0" />
    </div>
  );
}

/** One listing: description, all-in price, verified attributes with their time, the seller, and the hand-over. */
export default function GoodsDetail() {
  const data = useLoaderData() as DetailData;
  return <Detail key={data.goods.goodsSn} data={data} />;
}

function Breadcrumbs({ data }: { data: DetailData }) {
  const { goods } = data;
  return (
    <div className="flex items-center gap-4 text-12 text-ink-3 max-md:hidden">
      <div className="min-w-0 flex-1">
        <Breadcrumb
          items={[
            { label: '首页', to: '/' },
            { label: goods.goodsTypeStr, to: data.typeList },
            { label: goods.gameName, to: data.gameList },
            { label: goods.crossName || goods.goodsSn },
          ]}
        />
      </div>
      <Link
        to={`/customerService?goodsSn=${goods.goodsSn}`}
        className="hit inline-flex items-center gap-1 hover:text-link"
      >
        <Headset className="icon size-3.5" aria-hidden="true" />
        问客服
      </Link>
      <ShareButton goods={goods} />
    </div>
  );
}

/** The lines of the price that only some listings have. */
const Coin = memo(function Coin({ data }: { data: DetailData }) {
  return (
    data.goods.coin && (
      <LateBoundary>
        <CoinBox data={data} />
      </LateBoundary>
    )
  );
});
const TimeSale = memo(function TimeSale({ data }: { data: DetailData }) {
  return (
    <LateBoundary>
      <TimeSaleLine data={data} />
    </LateBoundary>
  );
});

/**
 * The decision criteria of a service's buyer apart from the price: a companion's hours, or a booster's stages and
 * deposits.
 */
function Chosen({ data: { service } }: { data: DetailData }) {
  if (!service) return null;
  if (!service.companion) return <ServiceBox offer={service} />;
  return service.closed === null ? (
    <div className="text-13">
      <SlotCalendar goodsSn={service.goodsSn} />
    </div>
  ) : null;
}

function Detail({ data }: { data: DetailData }) {
  const { goods } = data;
  useViewed(data);
  const purchase = usePurchase(data);
  const { followed, toggle } = useFavourite(goods.goodsSn, goods.followed);
  const [bargaining, setBargaining] = useState(false);
  const [coupons, setCoupons] = useState(false);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  // A visitor returns to this listing after the log-in; an offer needs a signed-in user.
  const openBargain = () => {
    if (cookie('token')) setBargaining(true);
    else void navigate(`/login?returnUrl=${encodeURIComponent(goods.pageUrl)}`);
  };
  const onBargain = goods.bargainOpen && purchase.to && !data.bargain?.mine?.acts.length ? openBargain : null;
  const more = serverOnlyDataOf(data);
  const all = more && { ...goods, ...more.goods };
  const [query] = useSearchParams();
  const first = query.get('ask') === 'inspection' ? '可以先申请平台验号吗？' : '';
  // The checkout leads here to ask for an inspection.
  const isHydrated = useHydrated();
  const [pressed, setAsking] = useState<boolean | null>(null);
  const asking = pressed ?? (isHydrated && first !== '');
  const onAsk = goods.isMine || goods.status !== GoodsStatus.OnSale || !data.questions ? null : () => setAsking(true);
  const sale = data.timeSale?.sale;
  const hasTimeSale = sale ? sale.state !== 'over' : false;
  const buying = { data, purchase, followed, onFollow: toggle, onAsk, onBargain };
  return (
    <div className="detail">
      <Breadcrumbs data={data} />
      <section className="panel detail-top">
        <Gallery
          pictures={goods.pictures}
          title={goods.bigTitle}
          seed={goods.goodsSn}
          hue={goods.hue}
          badge={`${data.watermark} ${goods.goodsSn}`}
        />
        <div className="detail-buy">
          {hasTimeSale && (
            <div className="mb-3 max-md:-order-1">
              <TimeSale data={data} />
            </div>
          )}
          <Heading goods={goods} />
          <PriceBox goods={goods} unit={data.service?.unit} />
          <Coin data={data} />
          <div>
            {!hasTimeSale && data.timeSale?.own && !data.timeSale.own.closed && <TimeSale data={data} />}
            {!data.service && <Delivery data={data} />}
            {purchase.to ? (
              <>
                {!purchase.agreed && <Quantity data={data} purchase={purchase} />}
                <GuaranteeRow data={data} purchase={purchase} />
                <Discounts data={data} onOpen={() => setCoupons(true)} />
              </>
            ) : (
              data.closed && <ClosedBox closed={data.closed} reason={goods.isMine ? goods.rejectReason : null} />
            )}
            {data.bargain && (data.bargain.mine ?? data.bargain.offers > 0) && <BargainLine data={data} />}
            <BuyRow {...buying} />
          </div>
          <Chosen data={data} />
        </div>
        <div className="detail-facts">
          <ServedPart of={data} name={`facts ${goods.goodsSn}`}>
            {all && <Facts goods={all} />}
          </ServedPart>
          {data.service?.companion && (
            <div className="max-md:px-4 max-md:pb-4">
              <ServiceBox offer={data.service} />
            </div>
          )}
        </div>
      </section>
      <Below data={data} />
      <BuyBar {...buying} />
      {asking && onAsk && (
        <AskDialog
          goods={goods}
          first={first}
          onClose={() => setAsking(false)}
          onAsked={() => {
            setAsking(false);
            void revalidate();
          }}
        />
      )}
      {coupons && (
        <CouponDialog discounts={data.discounts} signedIn={data.signedIn} onClose={() => setCoupons(false)} />
      )}
      {bargaining && (
        <BargainDialog
          goods={goods}
          rule={data.bargain}
          onClose={() => setBargaining(false)}
          onDone={() => {
            setBargaining(false);
            void revalidate();
          }}
        />
      )}
    </div>
  );
}
