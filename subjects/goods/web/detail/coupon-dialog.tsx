import { useLocation, useRevalidator } from 'react-router';
import { grouped } from '#web/lib/format/format.ts';
import { ReceiveErrorText } from '#subjects/promotions/web/parts/promo/campaigns.tsx';
import { Ticket } from '#subjects/promotions/web/parts/promo/ticket.tsx';
import { useReceive } from '#subjects/promotions/web/parts/promo/use-receive.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { DetailData } from './loader.ts';

type Discount = DetailData['discounts'][number];

function CouponAction({
  coupon,
  signedIn,
  busy,
  onReceive,
}: {
  coupon: Discount;
  signedIn: boolean;
  busy: boolean;
  onReceive: () => void;
}) {
  const { pathname } = useLocation();
  if (coupon.received) return <span className="text-12 text-safe">已有</span>;
  if (!signedIn)
    return (
      <ButtonLink size="sm" kind="tonal" to={`/login?returnUrl=${encodeURIComponent(pathname)}`}>
        登录领取
      </ButtonLink>
    );
  return (
    <Button size="sm" kind="tonal" busy={busy} onClick={onReceive}>
      领取
    </Button>
  );
}

/** Coupons for this listing: those that the viewer owns, and those that can be claimed here. */
export default function CouponDialog({
  discounts,
  signedIn,
  onClose,
}: {
  discounts: readonly Discount[];
  signedIn: boolean;
  onClose: () => void;
}) {
  const { revalidate } = useRevalidator();
  const { busy, error, receive } = useReceive(() => void revalidate());
  return (
    <Dialog title="可用优惠券" onClose={onClose}>
      <ul className="grid gap-3">
        {discounts.map((coupon) => (
          <li key={`${coupon.code}${coupon.couponId ?? ''}`}>
            <Ticket
              {...coupon}
              terms={coupon.reason ?? (coupon.usable ? `本件可省 ${grouped(coupon.takes)} 元` : '')}
              past={!coupon.usable}
            >
              <CouponAction
                coupon={coupon}
                signedIn={signedIn}
                busy={busy === coupon.code}
                onReceive={() => void receive(coupon.code)}
              />
            </Ticket>
          </li>
        ))}
      </ul>
      <ReceiveErrorText error={error} />
      <p className="mt-3 text-12 text-ink-3">确认订单时自动选最省的一张，可以改选或不用；每单限用一张。</p>
    </Dialog>
  );
}
