import { grouped } from '#web/lib/format/format.ts';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { answerMilestone, serviceAct, serviceCancel, serviceProgress } from '#subjects/services/contract/services.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ServiceOrder } from './service-order.ts';
import { CONFIRM_IS_FINAL } from './service-note.ts';
import { SplitTerms } from './splits.tsx';

/** The booster reports the running stage with pictures; at 100 it is submitted. */
export function ProgressDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const now = service.milestones.find(({ state }) => state !== 'accepted');
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, errors, busy, submit } = useMutation(serviceProgress, {
    fields: ['percent', 'pictures', 'note'],
    check: ({ percent }) => ({
      percent:
        /^\d{1,3}$/.test(String(percent)) && Number(percent) >= 1 && Number(percent) <= 100
          ? undefined
          : '应为 1 至 100',
      pictures: pictures.length === 0 ? '请上传进度截图' : undefined,
    }),
    revalidates: true,
    done: () => {
      toast('进度已提交', 'ok');
      onClose();
    },
  });
  const read = (element: HTMLFormElement) => {
    const text = textsOf(element);
    return {
      orderId: String(service.orderId),
      seq: String(now?.seq ?? 1),
      percent: text('percent'),
      note: text('note'),
      pictures: pictures.map(({ key }) => key),
    };
  };
  return (
    <Dialog
      title={`第 ${now?.seq ?? 1} 段：${now?.title ?? ''}`}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button type="submit" form="progress" kind="primary" busy={busy}>
            提交
          </Button>
        </>
      }
    >
      <form id="progress" ref={form} noValidate className="grid gap-4" onSubmit={submit(read)}>
        <Field label="完成百分比" required error={errors.percent} help="填 100 即提交这一段，等买家确认。">
          {(control) => <Input {...control} name="percent" inputMode="numeric" defaultValue={100} className="w-28!" />}
        </Field>
        <EvidenceBox
          pictures={pictures}
          title="进度截图"
          error={errors.pictures}
          help="上传游戏内的截图，双方与客服可见。"
          onChange={setPictures}
        />
        <Field label="说明" error={errors.note}>
          {(control) => <Textarea {...control} name="note" rows={2} maxLength={300} />}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

const REASONS = {
  refuse: { title: '退回这一段', label: '哪里不符', done: '已退回', button: '退回' },
  decline: { title: '不接这笔订单', label: '原因', done: '已退款给买家', button: '不接' },
  giveUp: { title: '放弃订单', label: '原因', done: '订单已结束', button: '放弃订单' },
  stop: { title: '举报并停止', label: '发生了什么', done: '已停止，客服会联系您', button: '立即停止' },
} as const;

/** Asks for the reason of an action against the other party, and shows what the action costs. */
export function ReasonDialog({
  service,
  what,
  seq,
  onClose,
}: {
  service: ServiceOrder;
  what: keyof typeof REASONS;
  seq: number;
  onClose: () => void;
}) {
  const { title, label, done, button } = REASONS[what];
  const orderId = String(service.orderId);
  const { form, errors, busy, submit } = useMutation(
    async ({ reason }: { reason: string }, options: SendOptions) =>
      what === 'refuse'
        ? await call(answerMilestone, { orderId, seq: String(seq), act: 'refuse', reason }, options)
        : await call(serviceAct, { orderId, act: what, reason }, options),
    {
      fields: ['reason'],
      check: ({ reason }) => ({ reason: what !== 'stop' && reason.length < 4 ? '请写明原因，至少 4 个字' : undefined }),
      revalidates: true,
      done: () => {
        toast(done, 'ok');
        onClose();
      },
    },
  );
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton>返回</BackButton>
          <Button type="submit" form="service-reason" kind="danger" busy={busy}>
            {button}
          </Button>
        </>
      }
    >
      <form
        id="service-reason"
        ref={form}
        noValidate
        className="grid gap-3"
        onSubmit={submit((element) => ({ reason: textsOf(element)('reason') }))}
      >
        {what === 'stop' && (
          <p className="text-13 text-attn">立即结束，按已玩的分钟结算，不需要对方同意；客服会收到记录并联系双方。</p>
        )}
        {what === 'giveUp' && service.play === null && (
          <p className="text-13 text-attn">
            {service.waits?.isFree
              ? '买家没有按时提交账号资料，货款全额退回买家，两笔保证金退回您。'
              : `已付款的段不退；其余货款退回买家，效率保证金 ${grouped(service.efficiencyDeposit)} 元归买家。${service.waits?.freeTime ? `${fullAt(service.waits.freeTime)} 起仍没有账号，放弃不扣。` : ''}`}
          </p>
        )}
        <Field label={label} required={what !== 'stop'} error={errors.reason}>
          {(control) => <Textarea {...control} name="reason" rows={3} maxLength={100} />}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

/** Asks for confirmation before a stage is paid, with the amount, since the payment is final. */
export function StageDialog({
  orderId,
  milestone: { seq, title, amount },
  onClose,
}: {
  orderId: number;
  milestone: Pick<ServiceOrder['milestones'][number], 'seq' | 'title' | 'amount'>;
  onClose: () => void;
}) {
  const { revalidate } = useRevalidator();
  return (
    <ConfirmDialog
      title={`确认第 ${seq} 段`}
      action={`确认并付 ${grouped(amount)} 元`}
      question={
        <div className="grid gap-2">
          <p className="text-14 font-medium text-ink">
            {title}已经完成，付 ¥{grouped(amount)} 给打手？
          </p>
          <p>{CONFIRM_IS_FINAL}</p>
        </div>
      }
      intent={`milestone:${orderId}:${seq}`}
      send={(_reason, options) =>
        call(answerMilestone, { orderId: String(orderId), seq: String(seq), act: 'confirm' }, options)
      }
      onDone={() => {
        onClose();
        void revalidate();
      }}
      onClose={onClose}
    />
  );
}

/** Requests a cancellation with the displayed split, or answers the other party's request. */
export function CancelDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const { cancel, splits, viewer } = service;
  const [reason, setReason] = useState(splits[0]?.reason ?? 'plan');
  const { errors, busy, send } = useMutation(serviceCancel, {
    revalidates: 'always',
    done: () => {
      toast('已提交', 'ok');
      onClose();
    },
  });
  const orderId = String(service.orderId);
  const split = cancel?.split ?? splits.find((one) => one.reason === reason);
  const isOwn = cancel?.askedBy === viewer;
  return (
    <Dialog
      title={cancel ? '取消申请' : '协商取消'}
      onClose={onClose}
      footer={
        cancel === null ? (
          <>
            <BackButton>返回</BackButton>
            <Button
              kind="primary"
              busy={busy}
              onClick={() => void send({ orderId, act: 'ask', reason, ...(split && { shownBack: split.buyer }) })}
            >
              按此方案申请
            </Button>
          </>
        ) : isOwn ? (
          <Button busy={busy} onClick={() => void send({ orderId, act: 'withdraw' })}>
            撤回申请
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => void send({ orderId, act: 'decline' })}>
              不同意
            </Button>
            <Button kind="primary" busy={busy} onClick={() => void send({ orderId, act: 'agree' })}>
              同意取消
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-3 text-13">
        {cancel === null && splits.length > 1 && (
          <div className="flex flex-wrap gap-4">
            {splits.map((one) => (
              <Radio
                key={one.reason}
                name="cancel"
                checked={one.reason === reason}
                onChange={() => setReason(one.reason)}
              >
                {one.reasonName}
              </Radio>
            ))}
          </div>
        )}
        {cancel === null && splits.length === 1 && <p>{splits[0]?.reasonName}。</p>}
        {cancel && (
          <p>
            {isOwn ? `您申请取消：${cancel.reason}，等待对方答复。` : `对方申请取消：${cancel.reason}。`}
            {cancel.answerBy && `${fullAt(cancel.answerBy)} 前没有答复，转客服裁决。`}
          </p>
        )}
        {split && <SplitTerms split={split} viewer={viewer} />}
        <p className="text-12 text-ink-3">
          按已确认和已提交的进度计算{viewer === 'buyer' && '，平台佣金由打手承担'}；{cancel && !isOwn ? '您' : '对方'}
          同意后立即生效。
        </p>
        <FormError>{errors.send}</FormError>
      </div>
    </Dialog>
  );
}
