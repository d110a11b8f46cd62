import { Link, useLocation, useRevalidator } from 'react-router';
import type { couponCampaignList } from '#subjects/promotions/contract/coupon.ts';
import type { Data } from '#contract/endpoint.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Ticket } from './ticket.tsx';
import { type ReceiveError, useReceive } from './use-receive.ts';

export type Campaign = Data<typeof couponCampaignList>['list'][number];

/** Why a coupon could not be claimed, with a link to resolve it where there is one. */
export function ReceiveErrorText({ error }: { error: ReceiveError | null }) {
  const { pathname } = useLocation();
  if (!error) return null;
  return (
    <FormError>
      {error.words}
      {error.verify && (
        <Link className="link" to={`/center/myself/identityAuthentication?returnUrl=${encodeURIComponent(pathname)}`}>
          去实名认证
        </Link>
      )}
    </FormError>
  );
}

/** Coupons that can be claimed by everyone now. A visitor's button leads to the log-in, which returns here. */
export function Campaigns({ list, signedIn }: { list: readonly Campaign[]; signedIn: boolean }) {
  const { revalidate } = useRevalidator();
  const { pathname } = useLocation();
  const { busy, error, receive } = useReceive(() => void revalidate());
  return (
    <>
      <ReceiveErrorText error={error} />
      <ul className="grid gap-3 md:grid-cols-2" aria-label="可领取的优惠券">
        {list.map((k) => (
          <li key={k.code}>
            <Ticket
              kindName={k.kindName}
              amount={k.amount}
              minimum={k.minimum}
              name={k.name}
              past={k.left === 0 && !k.received}
              terms={
                <>
                  <span className="whitespace-nowrap">
                    领取后 {k.validDays} 天内有效{k.left > 0 && '，'}
                  </span>
                  {k.left > 0 && <span className="whitespace-nowrap">剩 {grouped(k.left)} 张</span>}
                </>
              }
            >
              {k.received ? (
                <ButtonLink size="sm" to="/wares">
                  去使用
                </ButtonLink>
              ) : k.left === 0 ? (
                <Button size="sm" disabled>
                  已领完
                </Button>
              ) : signedIn ? (
                <Button
                  size="sm"
                  kind="tonal"
                  busy={busy === k.code}
                  aria-label={`领取 ${k.name}`}
                  onClick={() => void receive(k.code)}
                >
                  领取
                </Button>
              ) : (
                <ButtonLink size="sm" kind="tonal" to={`/login?returnUrl=${encodeURIComponent(pathname)}`}>
                  登录领取
                </ButtonLink>
              )}
            </Ticket>
          </li>
        ))}
      </ul>
    </>
  );
}
