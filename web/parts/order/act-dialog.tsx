import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { newIdempotencyKey } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';
import type { AskingAct, OrderAct } from './act-kinds.ts';
import { asFailure, failureWords } from './failures.ts';
import { intentDone, intentKey, isOutcomeOpen } from './intent-key.ts';

/** Seconds that are left of a reading time. */
function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft((n) => n - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}

/** Asks once, says what follows, sends, and stays open with the words of a refusal; what was typed is kept. */
export function ActDialog({
  orderId,
  act,
  kind,
  onClose,
  onDone,
}: {
  orderId: number;
  act: OrderAct;
  kind: AskingAct;
  onClose: () => void;
  onDone: () => void;
}) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const left = useSecondsLeft(kind.readSeconds ?? 0);

  const send = async () => {
    if (left > 0) return toast('请仔细阅读弹窗内容', 'warn');
    const words = reason.trim() || undefined;
    const intent = `${act.act}:${orderId}`;
    setBusy(true);
    setError(null);
    try {
      await kind.send(orderId, words, intentKey(intent, { orderId, reason: words }, newIdempotencyKey));
      intentDone(intent);
      toast(kind.done, 'ok');
      onDone();
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!isOutcomeOpen(failure)) intentDone(intent);
      setError(failureWords(failure));
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={act.label}
      onClose={busy ? () => {} : onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            再想想
          </Button>
          <Button
            kind={kind.danger ? 'danger' : 'primary'}
            busy={busy}
            className={cx(left > 0 && 'opacity-60')}
            onClick={() => void send()}
          >
            {act.label}
            {left > 0 && `（${left}）`}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-14 font-medium">{act.confirm ?? kind.question}</p>
        <p className="text-13 text-ink-2">{kind.consequence}</p>
        {kind.reasonLabel && (
          <Field label={kind.reasonLabel}>
            {(control) => (
              <Textarea
                {...control}
                value={reason}
                maxLength={200}
                rows={3}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        )}
        {error && (
          <p className="field-error" role="alert">
            <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}
