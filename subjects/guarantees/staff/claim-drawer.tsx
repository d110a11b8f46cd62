import { useState } from 'react';
import { staffClaimDetail } from '#subjects/guarantees/contract/staff-claims.ts';
import type { Data } from '#contract/endpoint.ts';
import type { StaffClaim } from '#subjects/guarantees/contract/list-claims.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { ClaimSteps } from '#subjects/disputes/web/parts/cases/claim-steps.tsx';
import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import {
  Drawer,
  DrawerFacts,
  DrawerPart,
  DrawerPerson,
  DrawerWait,
  useRecord,
} from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import { OrderLink } from '#subjects/back-office/staff/list/case-cells.tsx';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';

type File = Data<typeof staffClaimDetail>;

/** A link to the claim's page, labelled with the pending action. */
function nextAction({ acts: actions }: File): string {
  if (actions.includes('second')) return '复核';
  if (actions.includes('accept')) return '受理';
  return actions.includes('pay') ? '裁定' : '看案卷';
}

function Body({ row, file }: { row: StaffClaim; file: File }) {
  const [now] = useState(() => new Date().toISOString());
  return (
    <>
      <div className="list-drawer-part">
        <div className="flex items-start gap-2">
          <h1 className="text-16 font-semibold">{file.statusName}</h1>
          <Tag>{file.tierName}</Tag>
          {file.draft && <Tag tone="attn">{file.draft.by}的处理待复核</Tag>}
          <span className="ml-auto">{row.deadline && <ListClock end={row.deadline} from={row.openTime} />}</span>
        </div>
        <p className="text-12 text-ink-2">
          {file.staffName ? `${staffLabel(file.staffName)}负责` : '还没有客服'}
          {file.escalations.length > 0 && `，没有自动赔付：${file.escalations.join('；')}`}
        </p>
        <p className="flex flex-wrap items-center gap-2">
          <ButtonLink size="sm" kind="primary" to={`/backstage/claims/${file.claimSn}`}>
            {nextAction(file)}
          </ButtonLink>
        </p>
        <ClaimClock clock={file.clock} now={now} />
      </div>
      <div className="list-people">
        <DrawerPerson role="申请人" name={file.userName} id={file.userId} />
        <DrawerPerson role="卖家" name={file.sellerName} id={file.sellerId} />
      </div>
      {file.related.length > 0 && (
        <div className="list-drawer-part">
          <LinkBadges links={file.related} />
        </div>
      )}
      <DrawerFacts
        facts={[
          ['申请', <Amount key="asked" yuan={file.asked} className="font-semibold" />],
          ['该原因最多', <Amount key="limit" yuan={file.limit} />],
          ['商品价', <Amount key="price" yuan={file.price} />],
          ['保障上限', <Amount key="max" yuan={file.payoutMax} />],
          ['卖家未放出的货款', <Amount key="held" yuan={file.held} />],
          ['订单', <OrderLink key="order" sn={file.orderSn} />],
        ]}
      />
      <DrawerPart title="申请内容" note={file.reasonName}>
        <p className="break-words whitespace-pre-line">{file.explain}</p>
        <Proof pictures={file.pictures} />
      </DrawerPart>
      <div className="list-flat">
        <ClaimSteps steps={file.steps} />
      </div>
    </>
  );
}

/** A claim next to the list: its state, the claimed amount and the amount covered. It is decided on its page. */
export function ClaimDrawer({ row, controls }: { row: StaffClaim; controls: DrawerControls }) {
  const { data, message, again } = useRecord(staffClaimDetail, { claimSn: row.claimSn });
  return (
    <Drawer number={row.claimSn} label="理赔编号" page={`/backstage/claims/${row.claimSn}`} controls={controls}>
      {data ? <Body row={row} file={data} /> : <DrawerWait message={message} onRetry={again} />}
    </Drawer>
  );
}
