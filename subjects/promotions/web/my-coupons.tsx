import { CouponStatus } from '#contract/rules/statuses.ts';
import { type LoaderFunctionArgs, Link, type MetaFunction, useLoaderData } from 'react-router';
import { couponCampaignList, userCouponList } from '#subjects/promotions/contract/coupon.ts';
import type { Data } from '#contract/endpoint.ts';
import { call as ask } from '#web/lib/api/api.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Campaigns } from './parts/promo/campaigns.tsx';
import { Ticket } from './parts/promo/ticket.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

const PAGE = 20;
const TABS = [
  { status: CouponStatus.Usable, label: '可使用', empty: '没有可用的优惠券' },
  { status: CouponStatus.Used, label: '已使用', empty: '还没有用过优惠券' },
  { status: CouponStatus.Expired, label: '已过期', empty: '没有过期的优惠券' },
] as const;

export const handle = { phone: { back: true, refresh: true } };
export const meta: MetaFunction = (args) => pageMeta(args, { title: '我的优惠券', noindex: true });

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const statusParam = args.url.searchParams.get('status');
  const tab = TABS.find(({ status }) => String(status) === statusParam) ?? TABS[0];
  const [first, campaigns] = await Promise.all([
    call(userCouponList, { status: tab.status, pageSize: PAGE }),
    tab.status === CouponStatus.Usable ? optional(call(couponCampaignList, {})) : null,
  ]);
  return { status: tab.status, first, free: (campaigns?.list ?? []).filter((k) => !k.received && k.left > 0) };
}

type Coupons = Data<typeof userCouponList>;
type Coupon = Coupons['list'][number];

function CouponAction({ coupon }: { coupon: Coupon }) {
  if (coupon.status === CouponStatus.Usable)
    return (
      <ButtonLink size="sm" to="/wares">
        去使用
      </ButtonLink>
    );
  if (coupon.orderSn)
    return (
      <Link to={orderPath(coupon.orderSn)} className="link text-12 whitespace-nowrap">
        查看订单
      </Link>
    );
  return <Tag>{coupon.statusName}</Tag>;
}

function List({ first, status }: { first: Coupons; status: (typeof TABS)[number]['status'] }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => ask(userCouponList, { status, pageSize: PAGE, cursor }, { quiet: true }),
    ({ couponId }) => couponId,
  );
  if (items.length === 0) {
    return (
      <EmptyState
        title={TABS.find((tab) => tab.status === status)?.empty ?? ''}
        action={
          <ButtonLink kind="primary" to="/lotterydraw">
            去抽奖领券
          </ButtonLink>
        }
      >
        每天可免费抽奖，也有可以直接领取的优惠券。
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="grid gap-3 p-4 md:grid-cols-2" aria-label="优惠券">
        {items.map((coupon) => (
          <li key={coupon.couponId}>
            <Ticket
              {...coupon}
              past={coupon.status !== CouponStatus.Usable}
              terms={`${fullAt(coupon.expireTime)} 前有效`}
            >
              <CouponAction coupon={coupon} />
            </Ticket>
          </li>
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** The user's coupons by state */
export default function MyCoupons() {
  const { status, first, free } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '抽奖与领券', to: '/lotterydraw' }, { label: '我的优惠券' }]}
        />
      </div>
      <div className="grid gap-4 max-md:my-3">
        <section className="panel" aria-labelledby="coupons">
          <div className="panel-head">
            <h1 id="coupons" className="text-16 font-semibold">
              我的优惠券
            </h1>
            <Link to="/lotterydraw" className="more">
              抽奖与领券
            </Link>
          </div>
          <LinkTabs
            label="优惠券状态"
            items={TABS.map((tab) => ({
              key: tab.label,
              label: tab.label,
              to: `/lotterydraw/myCoupon?status=${tab.status}`,
              isCurrent: tab.status === status,
              count: first.counts[String(tab.status)],
            }))}
          />
          <List key={status} first={first} status={status} />
        </section>
        {free.length > 0 && (
          <section className="panel" aria-labelledby="free">
            <div className="panel-head">
              <h2 id="free">还可以领取</h2>
            </div>
            <div className="grid gap-3 p-4">
              <Campaigns list={free} signedIn />
            </div>
          </section>
        )}
      </div>
    </>
  );
}
