import { UserStatus } from '#contract/rules/statuses.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import { call } from '#web/lib/api/api.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

/** Restricts an account, or lifts the restriction. */
export function StatusDialog({
  user,
  onDone,
  onClose,
}: {
  user: { userId: string; nickName: string; status: number };
  onDone: () => void;
  onClose: () => void;
}) {
  const isLifting = user.status === UserStatus.Restricted;
  return (
    <ReasonDialog
      title={isLifting ? '解除限制' : '限制账号'}
      action={isLifting ? '解除限制' : '限制账号'}
      danger={!isLifting}
      question={
        isLifting
          ? `${user.nickName} 将恢复下单、发布、提现等全部操作。`
          : `${user.nickName} 将不能下单、付款、发布、提现和发消息，仍可登录查看；已有订单和资金不受影响。`
      }
      reasons={isLifting ? ['申诉成立', '误操作'] : ['涉嫌欺诈', '多次恶意取消', '发布违规内容']}
      reasonLabel="原因"
      isReasonNeeded
      send={(reason) =>
        call(setUserStatus, { userId: user.userId, status: isLifting ? '1' : '2', reason }, { quiet: true })
      }
      onDone={() => {
        toast(isLifting ? '已解除限制' : '已限制账号', 'ok');
        onDone();
      }}
      onClose={onClose}
    />
  );
}
