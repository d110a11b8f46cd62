import { newIdempotencyKey } from '#web/lib/api/api.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ActionChoice } from './action-choice.tsx';
import type { ConfirmedAction, OrderAction } from './action-kinds.ts';
import { asFailure } from '#web/lib/api/call-errors.ts';
import { intentDone, intentKey, isOutcomeOpen } from '#web/lib/api/intent-key.ts';

/**
 * Asks for confirmation of an action on an order, states its consequences, and sends it with an idempotency key that
 * survives a lost response.
 */
export default function ActionDialog({
  orderId,
  action,
  kind,
  onClose,
  onDone,
}: {
  orderId: number;
  action: OrderAction;
  kind: ConfirmedAction;
  onClose: () => void;
  onDone: () => void;
}) {
  const intent = `${action.act}:${orderId}`;
  const send = async (reason: string) => {
    const text = reason || undefined;
    try {
      await kind.send(orderId, text, intentKey(intent, { orderId, reason: text }, newIdempotencyKey));
    } catch (thrown) {
      if (!isOutcomeOpen(asFailure(thrown))) intentDone(intent);
      throw thrown;
    }
    intentDone(intent);
    toast(kind.done, 'ok');
  };
  return (
    <ConfirmDialog
      title={action.label}
      action={action.label}
      back="再想想"
      question={
        <div className="grid gap-3">
          <p className="text-14 font-medium text-ink">{action.confirm ?? kind.question}</p>
          <p>{kind.consequence}</p>
        </div>
      }
      reasonLabel={kind.reasonLabel}
      isReasonPublic
      isReasonNeeded={kind.choice?.isNeeded ?? false}
      missingText={kind.choice && `请选择${kind.choice.label}`}
      danger={kind.danger ?? false}
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      {(choose) => kind.choice && <ActionChoice {...kind.choice} onChoose={choose} />}
    </ConfirmDialog>
  );
}
