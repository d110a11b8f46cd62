import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { staffDisputeDetail, staffDisputeFirstResponse } from '#subjects/disputes/contract/staff-disputes.ts';
import type { StaffDispute } from '#subjects/disputes/contract/list-cases.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { CaseClocks } from '../../web/parts/cases/case-clocks.tsx';
import { CaseEvidenceList, CaseRulings, CaseStatements } from '../../web/parts/cases/case-record.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ListClock } from '#subjects/back-office/staff/list/list-clock.tsx';
import { Drawer, DrawerFacts, DrawerPerson, DrawerWait, useRecord } from '#subjects/back-office/staff/list/drawer.tsx';
import type { DrawerControls } from '#subjects/back-office/staff/list/list-page.tsx';
import type { AdminFile } from './admin-file.ts';
import { OrderLink } from '#subjects/back-office/staff/list/case-cells.tsx';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';

function Head({ row, file, onDone }: { row: StaffDispute; file: AdminFile; onDone: () => void }) {
  const { busy, error, send } = useMutation(staffDisputeFirstResponse, {
    done: () => {
      toast('已受理', 'ok');
      onDone();
    },
  });
  return (
    <div className="list-drawer-part">
      <div className="flex items-start gap-2">
        <h1 className="text-16 font-semibold">{file.statusName}</h1>
        {file.escalated && file.status !== 'closed' && <Tag tone="danger">已升级</Tag>}
        {file.draft && <Tag tone="attn">{file.draft.by}的裁决待复核</Tag>}
        <span className="ml-auto">{row.deadline && <ListClock end={row.deadline} from={row.openTime} />}</span>
      </div>
      <p className="text-12 text-ink-2">
        {file.waits}
        {file.staffName ? `，${staffLabel(file.staffName)}负责` : '，还没有客服'}
      </p>
      <p className="flex flex-wrap items-center gap-2">
        {file.acts.includes('look') && (
          <Button size="sm" kind="primary" busy={busy} onClick={() => void send({ disputeSn: file.disputeSn })}>
            {file.staffName ? '接手' : '受理'}
          </Button>
        )}
        <ButtonLink size="sm" to={`/backstage/disputes/${file.disputeSn}`}>
          {file.acts.includes('rule') || file.acts.includes('second') ? '裁决' : '看案卷'}
        </ButtonLink>
        {file.hint && <span className="text-12 text-ink-3">{file.hint}</span>}
      </p>
      <FormError>{error}</FormError>
    </div>
  );
}

function Facts({ file }: { file: AdminFile }) {
  const debts = [
    ['买家', file.debts.buyer],
    ['卖家', file.debts.seller],
  ].flatMap(([who, yuan]) => (fenOf(yuan ?? '0') > 0 ? [`${who}欠款 ${grouped(yuan ?? '')} 元`] : []));
  return (
    <DrawerFacts
      facts={[
        ['原因', file.reasonName],
        ['诉求', file.wantAmount ? `${file.wantName} ${grouped(file.wantAmount)} 元` : file.wantName],
        ['商品价', <Amount key="price" yuan={file.goodsPrice} className="font-semibold" />],
        ['订单', <OrderLink key="order" sn={file.orderSn} />],
        ['站点', file.distName],
        ['欠款', debts.length > 0 ? <span className="text-danger">{debts.join('，')}</span> : '没有'],
      ]}
    />
  );
}

/** A dispute next to the list: its state, its parties, their statements and evidence. The ruling is made on its page. */
export function DisputeDrawer({ row, controls }: { row: StaffDispute; controls: DrawerControls }) {
  const { data: file, message, again } = useRecord(staffDisputeDetail, { disputeSn: row.disputeSn });
  const { revalidate } = useRevalidator();
  const [now] = useState(() => new Date().toISOString());
  const onDone = () => {
    again();
    void revalidate();
  };
  return (
    <Drawer number={row.disputeSn} label="申诉编号" page={`/backstage/disputes/${row.disputeSn}`} controls={controls}>
      {file ? (
        <>
          <Head row={row} file={file} onDone={onDone} />
          <div className="list-people">
            <DrawerPerson
              role={file.openerSide === 'buyer' ? '买家，发起' : '买家'}
              name={file.buyerName}
              id={file.buyerId}
            />
            <DrawerPerson
              role={file.openerSide === 'seller' ? '卖家，发起' : '卖家'}
              name={file.sellerName}
              id={file.sellerId}
            />
          </div>
          {file.related.length > 0 && (
            <div className="list-drawer-part">
              <LinkBadges links={file.related} />
            </div>
          )}
          <Facts file={file} />
          <div className="list-flat">
            <CaseClocks clocks={file.clocks} now={now} />
            <CaseRulings rulings={file.rulings} viewer="staff" />
            <CaseStatements statements={file.statements} />
            <CaseEvidenceList evidence={file.evidence} />
          </div>
        </>
      ) : (
        <DrawerWait message={message} onRetry={again} />
      )}
    </Drawer>
  );
}
