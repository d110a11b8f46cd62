import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asFailure, failureWords } from '#web/parts/order/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/input.tsx';

/** Sentences to start a reason from; a press takes one over whole. */
function Starters({ reasons, onPick }: { reasons: readonly string[]; onPick: (words: string) => void }) {
  if (reasons.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {reasons.map((words) => (
        <Button key={words} size="sm" onClick={() => onPick(words)}>
          {words}
        </Button>
      ))}
    </div>
  );
}

interface Asking {
  title: string;
  act: string;
  /** What follows from the act. */
  question: ReactNode;
  /** Without a label no reason is asked for. */
  reasonLabel?: string;
  /** Sentences to start from. */
  reasons?: readonly string[];
  isReasonNeeded?: boolean;
  danger?: boolean;
  send: (reason: string) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

interface Sending {
  reason: string;
  setReason: (words: string) => void;
  busy: boolean;
  error: string | null;
  submit: () => Promise<void>;
}

/** The reason that is being written and its sending; a refusal leaves both as they were. */
function useSending(opts: {
  missing: string | null;
  send: (reason: string) => Promise<unknown>;
  onDone: () => void;
}): Sending {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    const words = reason.trim();
    if (opts.missing !== null && words === '') return setError(opts.missing);
    setBusy(true);
    setError(null);
    try {
      await opts.send(words);
      opts.onDone();
    } catch (thrown) {
      setError(failureWords(asFailure(thrown)));
      setBusy(false);
    }
  };
  return { reason, setReason, busy, error, submit };
}

/**
 * Asks a member of staff once more before an act, with a reason where the act wants one. A refusal stays in the dialog in words, and
 * what was typed is kept.
 */
export function ReasonDialog({
  title,
  act,
  question,
  reasonLabel,
  reasons = [],
  isReasonNeeded = false,
  danger = false,
  send,
  onDone,
  onClose,
}: Asking) {
  const field = useRef<HTMLTextAreaElement>(null);
  // After the dialog has opened, which puts the focus on its first control.
  useEffect(() => field.current?.focus(), []);
  const missing = isReasonNeeded ? `请填写${reasonLabel ?? '原因'}` : null;
  const { reason, setReason, busy, error, submit } = useSending({ missing, send, onDone });
  return (
    <Dialog
      title={title}
      onClose={busy ? () => {} : onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            返回
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void submit()}>
            {act}
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="text-13 text-ink-2">{question}</div>
        <Starters reasons={reasons} onPick={setReason} />
        {reasonLabel && (
          <Field label={reasonLabel} required={isReasonNeeded}>
            {(control) => (
              <Textarea
                {...control}
                ref={field}
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
      </form>
    </Dialog>
  );
}
