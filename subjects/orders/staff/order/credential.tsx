import { useState } from 'react';
import {
  type staffOrderDetail,
  staffReveal,
  staffRevealSecond,
  staffSealAgain,
} from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { isInProgress } from '../../rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type OpenedForm, SealedViewer } from '../../web/parts/handover/sealed-viewer.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { useOrderReload } from './reload.ts';

type Order = Data<typeof staffOrderDetail>;

/** Opens a step's encrypted credential for the assigned agent; above the limit a colleague's approval is requested first. */
export function CredentialOpener({
  order,
  step,
  isBeside = false,
}: {
  order: Order;
  step: { step: number; title: string };
  /** The form opens inline and not over the page. */
  isBeside?: boolean;
}) {
  const reload = useOrderReload();
  const [form, setForm] = useState<OpenedForm | null>(null);
  const [isRequesting, setRequesting] = useState(false);
  const { busy, error, send } = useMutation(staffReveal, {
    done: ({ waits: isPending, form: opened }) => {
      if (isPending) setRequesting(true);
      else setForm(opened);
    },
  });
  const close = () => {
    setForm(null);
    reload();
  };
  const access = order.sealAccess;
  if (!access?.isMine) return <span className="text-12 text-ink-3">密封信息由负责本单的客服打开</span>;
  const mustRequest = access.needsSecond && access.allowedUntil === null;
  if (mustRequest && access.asked)
    return <span className="text-12 text-attn">{access.asked.by}已申请打开，等待另一位同事复核</span>;
  const open = () => {
    if (mustRequest) setRequesting(true);
    else void send({ orderId: order.id, step: step.step });
  };
  return (
    <>
      <Button size="sm" kind="tonal" busy={busy} onClick={open}>
        {mustRequest ? '申请打开密封信息' : '打开密封信息'}
      </Button>
      {access.allowedUntil && (
        <span className="text-12 text-ink-3">复核同意，{shortAt(access.allowedUntil)} 前可打开</span>
      )}
      <FormError>{error}</FormError>
      {form && <SealedViewer form={form} onClose={close} isBeside={isBeside} />}
      {isRequesting && (
        <ReasonDialog
          title="申请打开密封信息"
          action="提交复核"
          question="本单金额较大，打开密封信息需另一位同事同意；同意后 24 小时内有效，每次打开都会告知买卖双方。"
          reasons={['核对登录', '卖家反映资料有误，需要复核']}
          reasonLabel="原因"
          isReasonNeeded
          send={async (reason, options) => {
            await call(staffReveal, { orderId: order.id, step: step.step, reason }, options);
          }}
          onDone={() => {
            toast('已提交，等待另一位同事复核', 'ok');
            setRequesting(false);
            reload();
          }}
          onClose={() => setRequesting(false)}
        />
      )}
    </>
  );
}

/** Requires the seller to submit a checked form again, which reopens the check. */
export function SealAgain({ order, step }: { order: Order; step: { step: number; title: string } }) {
  const reload = useOrderReload();
  const [isAsking, setAsking] = useState(false);
  const isChecked = order.handover.some((s) => s.key === 'check_login' && s.step > step.step && s.state === 'done');
  if (!isChecked || order.tradedTypeId === RECYCLED_ACCOUNT || !isInProgress(order.status)) return null;
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        要求重新提交
      </Button>
      {isAsking && (
        <ReasonDialog
          title={`要求重新提交「${step.title}」`}
          action="要求重新提交"
          question="卖家更新后要重新核对登录；核对完成前买家不能打开，货款由平台托管。"
          reasons={['买家登录不上', '密码已变，需要更新']}
          reasonLabel="原因"
          isReasonNeeded
          send={async (reason, options) => {
            await call(staffSealAgain, { orderId: order.id, step: step.step, reason }, options);
          }}
          onDone={() => {
            toast('已要求卖家重新提交', 'ok');
            setAsking(false);
            reload();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The second person's decision on a colleague's request to open a credential. */
export function OpeningReview({ order }: { order: Order }) {
  const reload = useOrderReload();
  const [decision, setDecision] = useState<'allow' | 'refuse' | null>(null);
  const request = order.sealAccess?.asked;
  if (!request) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-attn-line bg-attn-bg px-4 py-2.5 text-13">
      <span className="min-w-0 flex-1">
        <b className="font-semibold">{request.by}</b>申请打开密封信息：{request.reason}
      </span>
      {request.isMine || !order.canAct ? (
        <span className="text-12 text-ink-3">等待另一位同事复核</span>
      ) : (
        <>
          <Button size="sm" onClick={() => setDecision('refuse')}>
            退回
          </Button>
          <Button size="sm" kind="primary" onClick={() => setDecision('allow')}>
            同意打开
          </Button>
        </>
      )}
      {decision && (
        <ReasonDialog
          title={decision === 'allow' ? '同意打开密封信息' : '退回打开申请'}
          action={decision === 'allow' ? '同意打开' : '退回'}
          question={
            decision === 'allow'
              ? `同意后${request.by}在 24 小时内可以打开本单的密封信息，您自己不能。请先看过订单与申请原因。`
              : '退回后需要重新申请。'
          }
          reasons={decision === 'allow' ? ['已看订单，核对登录需要'] : ['原因不清楚', '现在不需要打开']}
          reasonLabel="原因"
          isReasonNeeded
          send={async (reason, options) => {
            await call(staffRevealSecond, { orderId: order.id, decision, reason }, options);
          }}
          onDone={() => {
            toast(decision === 'allow' ? '已同意' : '已退回', 'ok');
            setDecision(null);
            reload();
          }}
          onClose={() => setDecision(null)}
        />
      )}
    </div>
  );
}
