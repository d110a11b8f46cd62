import { useState } from 'react';
import { paySettlement, rejectSettlement, requestSettlement } from '#subjects/promotions/contract/staff-campaigns.ts';
import type { StaffSettlement } from '#subjects/ledger/contract/list-ledger.ts';
import { call } from '#web/lib/api/api.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export type SettlementAction = { kind: 'ask' } | { kind: 'pay' | 'refuse'; item: StaffSettlement };

/** Requests a settlement, or records that finance paid one or sent it back. */
export function SettlementDialog({
  action,
  dists,
  onDone,
  onClose,
}: {
  action: SettlementAction;
  dists: readonly { distId: number; name: string; balance: string }[];
  onDone: () => void;
  onClose: () => void;
}) {
  const [distId, setDistId] = useState(dists[0]?.distId ?? 0);
  const dist = dists.find((one) => one.distId === distId);
  if (action.kind === 'ask') {
    return (
      <ReasonDialog
        title="申请结算佣金"
        action="提交申请"
        question={
          <>
            可结算 <Amount yuan={dist?.balance ?? '0.00'} className="font-semibold" />
            ，最低 100 元，由财务打款到合同约定的对公账户。
          </>
        }
        reasonLabel="结算金额（元）"
        isReasonNeeded
        isReasonShort
        send={async (amount) => {
          await call(requestSettlement, { distId, amount }, { quiet: true });
          toast('已提交，等待财务打款', 'ok');
        }}
        onDone={onDone}
        onClose={onClose}
      >
        {dists.length > 1 && (
          <Field label="分销商">
            {(control) => (
              <Select {...control} value={distId} onChange={(event) => setDistId(Number(event.target.value))}>
                {dists.map((one) => (
                  <option key={one.distId} value={one.distId}>
                    {one.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </ReasonDialog>
    );
  }
  const { item, kind } = action;
  const isPay = kind === 'pay';
  return (
    <ReasonDialog
      title={isPay ? '登记佣金已打款' : '退回佣金结算'}
      action={isPay ? '确认已打款' : '退回'}
      question={
        <>
          {item.distName} <Amount yuan={item.amount} className="font-semibold" />
          {isPay && item.needsSecond && !item.firstBy && '。金额较大，需另一位同事复核后入账'}
        </>
      }
      reasonLabel={isPay ? '银行回单号' : '退回原因'}
      isReasonNeeded
      isReasonShort={isPay}
      send={async (note) => {
        if (!isPay) {
          await call(rejectSettlement, { settlementSn: item.settlementSn, reason: note }, { quiet: true });
          toast('已退回', 'ok');
          return;
        }
        const result = await call(paySettlement, { settlementSn: item.settlementSn, receiptNo: note }, { quiet: true });
        toast(result.needsSecond ? '已初审，等待另一位同事复核' : '已入账', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
