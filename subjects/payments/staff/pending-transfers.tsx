import { useId, useState } from 'react';
import {
  closeRefund,
  type PendingTransfer,
  pendingTransfers,
  refundOutcomes,
} from '#subjects/payments/contract/staff-pending.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { Panel } from '#subjects/back-office/staff/parts/panel.tsx';
import { usePanel } from '#subjects/back-office/staff/parts/use-panel.ts';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

type Outcome = keyof typeof refundOutcomes;

const OUTCOME_NOTES: Readonly<Record<Outcome, string>> = {
  buyer: '商户平台显示已退给买家：结束退款，冻结的金额记为已退出',
  us: '商户平台显示已退回我方账户：金额转回买家余额',
};

/** Registers the result that the channel's merchant centre shows; a second person confirms the same result. */
function CloseDialog({
  refund,
  onDone,
  onClose,
}: {
  refund: PendingTransfer;
  onDone: () => void;
  onClose: () => void;
}) {
  const { asked } = refund;
  const [outcome, setOutcome] = useState<Outcome | ''>(asked?.outcome ?? '');
  const [reason, setReason] = useState('');
  const formId = useId();
  const { form, busy, errors, submit } = useMutation(closeRefund, {
    fields: ['outcome', 'reason'],
    check: (body) => ({
      outcome: (body.outcome as string) === '' ? '请选择退款的实际结果' : undefined,
      reason: body.reason === '' ? '请填写在商户平台看到的内容' : undefined,
    }),
    done: ({ closed }) => {
      toast(closed ? '退款已结束' : '已登记，等另一位同事复核', 'ok');
      onDone();
    },
  });
  const body = () => ({ refundNo: refund.sn, outcome: outcome as Outcome, reason: reason.trim() });
  return (
    <Dialog
      title={asked ? '复核退款结果' : '登记退款结果'}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy} danger>
          {asked ? '复核' : '登记'}
        </FormFooter>
      }
    >
      <form id={formId} ref={form} className="grid gap-3" noValidate onSubmit={submit(body)}>
        <p className="text-13 text-ink-2">
          {refund.channelName}退款 {refund.sn}，<Amount yuan={refund.amount} />：{refund.meaning}。
          {asked && `${asked.name}登记为“${asked.outcomeName}”：${asked.reason}。`}
          请先在商户平台核对这笔退款。
        </p>
        <FieldGroup legend="实际结果" error={errors.outcome}>
          {() =>
            (Object.keys(refundOutcomes) as Outcome[]).map((key) => (
              <label key={key} className="flex items-start gap-2 text-13">
                <input
                  type="radio"
                  name="outcome"
                  checked={outcome === key}
                  disabled={asked !== null}
                  onChange={() => setOutcome(key)}
                />
                <span>
                  {refundOutcomes[key]}
                  <span className="block text-12 text-ink-3">{OUTCOME_NOTES[key]}</span>
                </span>
              </label>
            ))
          }
        </FieldGroup>
        <Field label="核对说明" required error={errors.reason}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

/** Refunds and payouts that wait for a result for more than an hour, with the channel's reason; nothing when there are none. */
export function PendingTransfers({
  initial,
  canClose,
}: {
  initial: Data<typeof pendingTransfers> | null;
  canClose: boolean;
}) {
  const state = usePanel(pendingTransfers, {}, { initial });
  const [chosen, setChosen] = useState<PendingTransfer | null>(null);
  // Usually there are none: a loading panel would shift the page twice.
  if (state.failure === null && (state.data?.list.length ?? 0) === 0) return null;
  return (
    <>
      <Panel
        title="超过一小时没有结果的退款和打款"
        note="每分钟自动重试"
        of={state}
        minHeight={80}
        className="m-4 max-md:m-2"
      >
        {({ list }) => (
          <ul className="person-rows">
            {list.map((row) => (
              <li key={`${row.kind}${row.sn}`}>
                <span className="min-w-0">
                  <b className="font-medium">
                    {row.channelName}
                    {row.kind === 'refund' ? '退款' : '打款'} {row.sn}
                  </b>
                  <span className="block text-12 text-ink-3">
                    <UserLink id={row.userId}>{row.nickName}</UserLink>，{fullAt(row.sinceTime)} 起
                  </span>
                  <span className="block text-12 text-attn">
                    {row.meaning}
                    {row.code !== '' && row.code !== row.meaning && `（${row.code}）`}
                  </span>
                </span>
                <span className="ml-auto text-right">
                  <Amount yuan={row.amount} className="font-semibold" />
                  {row.canClose && canClose && (
                    <span className="block">
                      <Button size="sm" disabled={row.asked?.isMine === true} onClick={() => setChosen(row)}>
                        {row.asked ? '复核结果' : '登记结果'}
                      </Button>
                      <OtherPerson isMine={row.asked?.isMine === true} label="您已登记" />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {chosen && (
        <CloseDialog
          refund={chosen}
          onDone={() => {
            setChosen(null);
            state.reload();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
