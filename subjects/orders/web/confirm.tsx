import { CircleAlert, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLoaderData, useLocation } from 'react-router';
import { codes } from '#contract/codes.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { isAccountOrder } from '../rules/order-types.ts';
import { protectionText } from '../rules/protection.ts';
import { call } from '#web/lib/api/api.ts';
import { durationText, fenOf } from '#web/lib/format/format.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { pageMeta } from '#web/lib/pages/site.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { CouponChoice } from './parts/money/coupon-choice.tsx';
import { FeeLines } from './parts/money/fee-lines.tsx';
import { GoodsSummary } from './parts/order/goods-line.tsx';
import { bestCoupon, useDiscounts } from './parts/money/use-discounts.ts';
import { type Offer, offerChanges } from './parts/order/offer-changes.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import type { ConfirmData, loader as confirmLoader } from './confirm-loader.ts';
import { GuaranteeChoice } from './guarantee-choice.tsx';
import type { GuaranteeIds } from './guarantee-rules.ts';
import { Quantity } from './quantity.tsx';
import { type OrderProblem, usePlaceOrder, verifyPath } from './use-place-order.ts';
import { useQuote } from './use-quote.ts';

/** Only orders of services use it. */
const ServiceForm = lazyWithRetry(() => import('./service-form.tsx'), <div className="min-h-96" aria-hidden="true" />);

export { loader } from './confirm-loader.ts';

export const handle = { phone: { back: true, ownBar: true, isShort: true } };

type MetaArgs = Parameters<typeof pageMeta>[0];

export function meta(args: MetaArgs) {
  return pageMeta(args, { title: '确认订单', noindex: true });
}

/** Scrolls a notice about the last submission into view: on phones the button is in a bar far from it. */
const intoView = (box: HTMLElement | null) => {
  box?.scrollIntoView({ block: 'nearest' });
};

function Notice({
  children,
  tone = 'attn',
  isResponse = false,
}: {
  children: ReactNode;
  tone?: 'attn' | 'danger';
  /** Whether it is the response to a submission. */
  isResponse?: boolean;
}) {
  return (
    <div
      ref={isResponse ? intoView : undefined}
      className={cx(
        'flex scroll-mb-20 gap-2 rounded-control border px-3 py-2 text-13',
        tone === 'attn' ? 'border-attn-line bg-attn-bg text-attn' : 'border-danger-line bg-danger-bg text-danger',
      )}
      role="alert"
    >
      <CircleAlert className="icon mt-0.5" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** Shows the requirements that the user must meet before placing an order. */
function EligibilityNotice({ data }: { data: ConfirmData }) {
  if (data.isVerified && data.isAdult) return null;
  return (
    <Notice>
      {data.isVerified
        ? '根据国家规定，未满 18 周岁不能交易。'
        : '下单前需完成实名认证，约 1 分钟，信息加密保存；认证后回到本页继续下单。'}
    </Notice>
  );
}

/** The risks of the purchase, shown before the choice, with possible remedies. */
function RiskLine({ data: { goods, ensures }, guaranteed }: { data: ConfirmData; guaranteed: boolean }) {
  if (!goods.isUninspected) return null;
  return (
    <p className="mx-4 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn">
      <span className="inline-flex items-center gap-2 font-medium">
        <CircleAlert className="icon" aria-hidden="true" />
        {goods.isNewSeller ? '卖家新手，商品未验号' : '商品未验号，信息由卖家填写'}
      </span>
      <Link to={`${goods.pageUrl}?ask=inspection`} className="link">
        请卖家申请验号
      </Link>
      {ensures.length > 0 && !guaranteed && (
        <a href="#guarantees" className="link">
          加包赔
        </a>
      )}
    </p>
  );
}

function ProblemNotice({ problem, changes }: { problem: OrderProblem | null; changes: readonly string[] }) {
  if (!problem) return null;
  return (
    <Notice tone={problem.changed ? 'attn' : 'danger'} isResponse>
      {problem.message}
      {problem.changed && changes.length > 0 && (
        <ul className="mt-1 list-disc pl-4.5">
          {changes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {problem.link && (
        <>
          {'　'}
          <Link to={problem.link.to} className="link font-medium">
            {problem.link.label}
          </Link>
        </>
      )}
    </Notice>
  );
}

function offerOf({ goods }: ConfirmData, totalPrice: string): Offer {
  return { bigTitle: goods.bigTitle, price: goods.price, totalPrice, stock: goods.stock, attrs: goods.attrs };
}

/** The differences between what the buyer last saw and the current listing. */
function useChanges(data: ConfirmData, total: string | null): { changes: string[]; agree: () => void } {
  const [agreed, setAgreed] = useState<Offer | null>(null);
  const changes = agreed && total ? offerChanges(agreed, offerOf(data, total)) : [];
  return { changes, agree: () => setAgreed(total === null ? null : offerOf(data, total)) };
}

/** A listing that cannot be ordered: the reason, and a link. */
function NotForSale({ data, base, msg }: { data: ConfirmData; base: string; msg: string }) {
  if (data.unpaidSn) {
    return (
      <EmptyState
        title="您已下过这件商品的订单"
        action={
          <ButtonLink to={`${base}/pay?orderSn=${data.unpaidSn}`} kind="primary">
            去付款
          </ButtonLink>
        }
      >
        商品正为您保留，付款前可随时取消。
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={msg}
      action={
        <>
          <ButtonLink to={data.goods.pageUrl}>回商品页</ButtonLink>
          <ButtonLink to="/wares" kind="primary">
            看看其他商品
          </ButtonLink>
        </>
      }
    />
  );
}

function Form({ data, base }: { data: ConfirmData; base: string }) {
  const { goods, ensures, isVerified, isAdult } = data;
  const [goodsNum, setNum] = useState(data.choice.goodsNum);
  const [ids, setIds] = useState<GuaranteeIds>(data.choice);
  /** The buyer's own choice of a coupon, 0 for none; null while the best one is used. */
  const [picked, setCoupon] = useState<number | null>(null);
  const { bargainId } = data.choice;
  const order = { goodsSn: goods.goodsSn, goodsNum, ensureId: ids.ensureId, fixEnsureId: ids.fixEnsureId, bargainId };
  const discountInput = { ...order, bargainId: bargainId || undefined };
  const discounts = useDiscounts(
    JSON.stringify(discountInput),
    async (signal) => await call(findDiscount, discountInput, { quiet: true, signal }),
    data.discounts,
  );
  const guaranteed = ids.ensureId > 0 || ids.fixEnsureId > 0;
  // A coupon is used only while it applies: a changed quantity or guarantee may exclude it.
  const chosen = discounts.list.filter(({ couponId }) => couponId === picked);
  const couponId = bestCoupon(picked === null ? discounts.list : chosen, guaranteed);
  const input = { ...order, couponId };
  const { quote, stale, error, again, retry } = useQuote(input, data.quote);
  const { busy, problem, submitOrder } = usePlaceOrder(base);
  const { changes, agree } = useChanges(data, quote?.totalPrice ?? null);
  const changed = problem?.changed === true;

  // The loader has run again; the quote must be renewed for the new listing data.
  const againRef = useRef(again);
  useEffect(() => {
    againRef.current = again;
  });
  useEffect(() => {
    if (changed) void againRef.current();
  }, [changed]);

  if (!quote) return <NotForSale data={data} base={base} msg={error?.msg ?? '暂时不能下单'} />;
  const goodsPart = quote.lines.find(({ code }) => code === 'goods')?.amount ?? goods.price;
  const closed = !isVerified || !isAdult || stale || error !== null;
  const submit = () => {
    agree();
    void submitOrder(input, quote);
  };
  // An unverified user sees the next step in place of a disabled button: on phones the notice may be off the screen.
  const button = (className?: string) =>
    isVerified ? (
      <Button kind="primary" size="lg" busy={busy} disabled={closed} className={className} onClick={submit}>
        提交订单
      </Button>
    ) : (
      <ButtonLink to={verifyPath(base)} kind="primary" size="lg" className={className}>
        去实名认证
      </ButtonLink>
    );
  return (
    <>
      <GoodsSummary
        title={goods.bigTitle}
        gameName={goods.gameName}
        typeId={goods.goodsTypeId}
        typeName={goods.goodsTypeStr}
        thumbnail={goods.thumbnail}
        seed={goods.goodsSn}
        to={goods.pageUrl}
        className="px-4 py-4"
      >
        <p className="flex flex-wrap gap-x-4 text-12 text-ink-3">
          {goods.crossName && <span>{goods.crossName}</span>}
          <span>卖家 {goods.sellerName}</span>
          {bargainId > 0 ? (
            <span>
              议价成交价 <Amount yuan={goodsPart} className="text-ink" />
              ，标价 <Amount yuan={goods.price} />
            </span>
          ) : (
            <Amount yuan={goods.price} />
          )}
        </p>
      </GoodsSummary>
      <RiskLine data={data} guaranteed={guaranteed} />
      {bargainId === 0 && !isAccountOrder(goods.goodsTypeId) && goods.stock > 1 && (
        <Quantity value={goodsNum} stock={goods.stock} onChange={setNum} />
      )}
      {ensures.length > 0 && (
        <GuaranteeChoice
          ensures={ensures}
          goodsFen={bargainId > 0 ? fenOf(goodsPart) : fenOf(goods.price) * goodsNum}
          ids={ids}
          onChange={setIds}
        />
      )}
      <CouponChoice
        list={discounts.list}
        couponId={couponId}
        onPick={setCoupon}
        onReceived={discounts.again}
        isAuto={picked === null}
      />
      <div className="border-t border-line-soft px-4 py-3.5" aria-busy={stale}>
        <FeeLines lines={quote.lines} total={quote.totalPrice} totalLabel="合计应付" />
      </div>
      <div className="grid gap-3 border-t border-line-soft px-4 py-4">
        <EligibilityNotice data={data} />
        <ProblemNotice problem={problem} changes={changes} />
        {error && !isError(error, codes.GOODS_CHANGED) && <QuoteError msg={error.msg} onRetry={retry} />}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="flex max-w-100 gap-1.5 text-12 text-ink-3">
            <Lock className="icon mt-px size-3.5" aria-hidden="true" />
            货款先由平台托管；卖家 {goods.shipHours} 小时内发货。{protectionText(goods.protection)}。
          </p>
          <div className="max-md:hidden">{button('min-w-44')}</div>
        </div>
      </div>
      <div className="fixed inset-x-0 bottom-0 z-30 flex items-center gap-3 border-t border-line bg-panel px-4 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))] md:hidden">
        <span className="grid">
          <small className="text-12 text-ink-3">合计应付</small>
          <Price yuan={quote.totalPrice} size="lg" />
        </span>
        {button('ml-auto min-w-36')}
      </div>
    </>
  );
}

/** A total that could not be computed: no order is placed without it, so it can be requested again. */
function QuoteError({ msg, onRetry }: { msg: string; onRetry: () => void }) {
  return (
    <Notice tone="danger" isResponse>
      <span className="flex flex-wrap items-center justify-between gap-2">
        {msg}，合计还没有算出来
        <Button size="sm" onClick={onRetry}>
          重试
        </Button>
      </span>
    </Notice>
  );
}

/** The order confirmation: listing, quantity, guarantee, total, and one button. */
export default function ConfirmPage() {
  const data = useLoaderData<typeof confirmLoader>();
  const { pathname } = useLocation();
  const base = pathname.replace(/\/order\/?$/, '').replace(/^\/goods$/, `/goods/${data.goods.goodsSn}`);
  return (
    <div className="mx-auto max-w-180">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '商品详情', to: data.goods.pageUrl }, { label: '确认订单' }]}
        />
      </div>
      <section className="panel max-md:my-3" aria-labelledby="confirm">
        <div className="panel-head">
          <h1 id="confirm" className="text-16 font-semibold">
            确认订单
          </h1>
          <p>提交后为您保留 {durationText(data.goods.payMinutes)}</p>
        </div>
        {data.service && data.isOnSale ? (
          <ServiceForm key={data.goods.goodsSn} data={data} offer={data.service} base={base} />
        ) : data.isOnSale ? (
          <Form key={data.goods.goodsSn} data={data} base={base} />
        ) : (
          <NotForSale data={data} base={base} msg="商品已被他人下单或已下架" />
        )}
      </section>
    </div>
  );
}
