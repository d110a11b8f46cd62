import { approveWithdraw, rejectWithdraw } from '#subjects/payments/contract/staff-money.ts';
import type { StaffWithdrawal } from '#subjects/payments/contract/list-money.ts';
import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { call } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export type Deciding = { kind: 'approve' | 'refuse'; item: StaffWithdrawal };

const TONES: Readonly<Record<number, 'attn' | 'safe'>> = {
  [WithdrawalStatus.Paying]: 'attn',
  [WithdrawalStatus.Paid]: 'safe',
} satisfies Partial<Record<WithdrawalStatus, 'attn' | 'safe'>>;

/** The state of a withdrawal, with the step it waits for. */
export function WithdrawalState({ item }: { item: StaffWithdrawal }) {
  if (item.status === WithdrawalStatus.Pending) {
    return item.firstBy ? <Tag tone="attn">待复核</Tag> : <Tag tone="attn">{item.statusName}</Tag>;
  }
  const tone = TONES[item.status];
  return <Tag {...(tone && { tone })}>{item.statusName}</Tag>;
}

/** The two decisions on a pending withdrawal; nothing on any other. */
export function Decide({ item, onDecide }: { item: StaffWithdrawal; onDecide: (d: Deciding) => void }) {
  if (item.status !== WithdrawalStatus.Pending) return null;
  return (
    <>
      <span className="inline-flex gap-2">
        <Button size="sm" kind="danger" onClick={() => onDecide({ kind: 'refuse', item })}>
          退回
        </Button>
        <Button size="sm" kind="primary" disabled={item.isMine} onClick={() => onDecide({ kind: 'approve', item })}>
          {item.firstBy ? '复核通过' : '通过'}
        </Button>
      </span>
      <OtherPerson isMine={item.isMine} label="您已初审" />
    </>
  );
}

/** Asks for confirmation once and submits the decision. Above the limit the first approval only records it. */
export function DecideDialog({
  deciding,
  onDone,
  onClose,
}: {
  deciding: Deciding;
  onDone: () => void;
  onClose: () => void;
}) {
  const { kind, item } = deciding;
  const who = (
    <>
      {item.nickName}（{item.realNameMask ?? '未实名'}）提现 <Amount yuan={item.amount} className="font-semibold" /> 到
      {item.accountType} {item.accountMask}。
    </>
  );
  if (kind === 'refuse')
    return (
      <ReasonDialog
        title="退回提现"
        action="退回"
        danger
        question={<>{who}退回后金额回到用户的可用余额，用户能看到原因。</>}
        reasons={['收款账户信息有误，请核对后重新提交', '收款人与实名信息不一致', '账户存在异常，请联系客服核实']}
        reasonLabel="退回原因"
        isReasonNeeded
        send={async (reason) => {
          await call(rejectWithdraw, { withdrawSn: item.withdrawSn, reason }, { quiet: true });
          toast('已退回，金额回到用户余额', 'ok');
        }}
        onDone={onDone}
        onClose={onClose}
      />
    );
  return (
    <ReasonDialog
      title={item.firstBy ? '复核提现' : '通过提现'}
      action={item.firstBy ? '复核通过' : '通过'}
      question={
        <>
          {who}
          {item.needsSecond && !item.firstBy
            ? '金额较大，通过后还需另一位同事复核才会打款。'
            : '通过后立即打款，不能撤回。'}
        </>
      }
      send={async () => {
        const { needsSecond } = await call(approveWithdraw, { withdrawSn: item.withdrawSn }, { quiet: true });
        toast(needsSecond ? '已初审，等待另一位同事复核' : '已通过，正在打款', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
