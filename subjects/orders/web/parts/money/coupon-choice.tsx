import { fenOf, grouped } from '#web/lib/format/format.ts';
import { minimumText, shortYuan } from '#subjects/promotions/web/parts/promo/coupon-text.ts';
import { useReceive } from '#subjects/promotions/web/parts/promo/use-receive.ts';
import { ReceiveErrorText } from '#subjects/promotions/web/parts/promo/campaigns.tsx';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import type { Discount } from './use-discounts.ts';

/** One of the user's own coupons: the discount, or why it does not apply. */
function Row({
  coupon,
  checked,
  best,
  onPick,
}: {
  coupon: Discount;
  checked: boolean;
  best: boolean;
  onPick: () => void;
}) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <Radio name="coupon" checked={checked} disabled={!coupon.usable} onChange={onPick}>
        {coupon.name}
        {best && <Tag className="ml-1.5">最省</Tag>}
        <small className="ml-1.5 text-12 text-ink-3">
          {coupon.kindName}，{coupon.reason ?? minimumText(coupon.minimum)}
        </small>
      </Radio>
      {coupon.usable && (
        <span className="flex-none">
          <Amount yuan={coupon.takes} sign="-" />
        </span>
      )}
    </div>
  );
}

/** The text of the heading: the used coupon, or the possible saving. */
function Saving({
  own,
  free,
  used,
  isAuto,
}: {
  own: readonly Discount[];
  free: readonly Discount[];
  used: Discount | undefined;
  isAuto: boolean;
}) {
  if (used)
    return (
      <>
        {isAuto ? '已自动选用最省的一张' : '已用'}，省 <Amount yuan={used.takes} />
        ，可取消
      </>
    );
  const usable = [...own.filter((c) => c.usable), ...free];
  if (usable.length === 0) return <>暂无可用</>;
  const most = usable.reduce((best, one) => (fenOf(one.takes) > fenOf(best.takes) ? one : best));
  return (
    <>
      可用 {usable.length} 张，最多省 <Amount yuan={most.takes} />
    </>
  );
}

/**
 * The coupons for this order: the best is preselected and can be removed (decision 585). Coupons that can still be
 * claimed are listed below with their button.
 */
export function CouponChoice({
  list,
  couponId,
  onPick,
  onReceived,
  isAuto,
}: {
  list: readonly Discount[];
  couponId: number;
  onPick: (couponId: number) => void;
  onReceived: () => void;
  /** The buyer has chosen none: the best one is used. */
  isAuto: boolean;
}) {
  const { busy, error, receive } = useReceive(onReceived);
  const own = list.filter((c) => c.couponId !== null);
  const free = list.filter((c) => c.couponId === null && c.usable);
  if (own.length === 0 && free.length === 0) return null;
  const best = own.find((c) => c.usable)?.couponId;
  const closed = own.filter((c) => !c.usable);
  const row = (coupon: Discount) => (
    <Row
      key={coupon.couponId}
      coupon={coupon}
      checked={coupon.couponId === couponId}
      best={coupon.couponId === best}
      onPick={() => onPick(coupon.couponId ?? 0)}
    />
  );
  return (
    <section className="border-t border-line-soft px-4 py-3.5" aria-label="优惠券">
      <h2 className="mb-2 text-13 font-medium">
        优惠券
        <span className="ml-2 font-normal text-ink-3">
          <Saving
            own={own}
            free={free}
            used={own.find((c) => c.couponId === couponId && couponId !== 0)}
            isAuto={isAuto}
          />
        </span>
      </h2>
      {own.length > 0 && (
        <div className="grid gap-1.5 text-13" role="radiogroup" aria-label="使用哪张优惠券">
          <div>
            <Radio name="coupon" checked={couponId === 0} onChange={() => onPick(0)}>
              不使用
            </Radio>
          </div>
          {own.filter((c) => c.usable).map(row)}
        </div>
      )}
      {closed.length > 0 && (
        <details className="mt-2 text-13">
          <summary className="cursor-pointer text-12 text-ink-3">{closed.length} 张暂不可用</summary>
          <ul className="mt-1.5 grid gap-1.5">{closed.map(row)}</ul>
        </details>
      )}
      {free.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2" aria-label="可领取的优惠券">
          {free.map((c) => (
            <li key={c.code}>
              <Button size="sm" busy={busy === c.code} onClick={() => void receive(c.code)}>
                领取 {c.name}，省 {grouped(shortYuan(c.takes))} 元
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ReceiveErrorText error={error} />
    </section>
  );
}
