import { staffListing } from '#subjects/goods/contract/staff-listings.ts';
import type { StaffListing } from '#subjects/goods/contract/list-goods.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Drawer, DrawerPart, DrawerWait, useRecord } from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import { PageLink, useMayOpen } from '#subjects/back-office/staff/parts/page-link.tsx';
import { ReviewBody } from '../review/review-detail.tsx';

/** A listing next to the list, in any state: what buyers see, the reviewers' comparisons, claims on the account. */
export function ListingDrawer({
  row,
  controls,
  onTakeDown,
}: {
  row: StaffListing;
  controls: DrawerControls;
  /** Absent when the caller lacks the permission or the listing is not offered. */
  onTakeDown: (() => void) | undefined;
}) {
  const { data: goods, message, again } = useRecord(staffListing, { goodsSn: row.goodsSn });
  const mayOpen = useMayOpen();
  const orders = `/backstage/orders?keyWord=${row.goodsSn}`;
  const review = row.status === GoodsStatus.Reviewing ? `/backstage/goods?sn=${row.goodsSn}` : null;
  return (
    <Drawer number={row.goodsSn} label="商品编号" page={review} controls={controls}>
      <div className="list-drawer-part">
        <p className="flex flex-wrap items-center gap-2">
          <Tag>{row.statusName}</Tag>
          {row.note && <span className="text-12 text-ink-3">{row.note}</span>}
          <span className="ml-auto flex gap-2">
            {review && (
              <ButtonLink size="sm" kind="primary" to={review}>
                去审核
              </ButtonLink>
            )}
            {mayOpen(orders) && (
              <ButtonLink size="sm" to={orders}>
                订单
              </ButtonLink>
            )}
            {onTakeDown && (
              <Button size="sm" kind="danger" onClick={onTakeDown}>
                下架
              </Button>
            )}
          </span>
        </p>
      </div>
      {goods ? (
        <>
          <div className="grid gap-4 p-4">
            <ReviewBody goods={goods} />
          </div>
          {goods.claims.length > 0 && (
            <DrawerPart title="这个账号的理赔">
              <ul className="grid gap-1 text-13">
                {goods.claims.map((claim) => (
                  <li key={claim.claimSn}>
                    <PageLink to={`/backstage/claims/${claim.claimSn}`}>
                      {claim.claimSn} {claim.reasonName}，{claim.statusName}，{grouped(claim.amount)} 元
                    </PageLink>
                  </li>
                ))}
              </ul>
            </DrawerPart>
          )}
        </>
      ) : (
        <DrawerWait message={message} onRetry={again} />
      )}
    </Drawer>
  );
}
