import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';

/** The question before an irreversible action. */
export interface Confirmation {
  title: string;
  /** The action's name, on its button. */
  action: string;
  back?: string;
  /** The consequences of the action. */
  question: ReactNode;
  /** Without a label no reason is requested. */
  reasonLabel?: string | undefined;
  isReasonNeeded?: boolean;
  /** A field of one line, for a number or an amount. */
  isReasonShort?: boolean;
  /** The error when the reason is needed and missing; the label's own by default. */
  missingText?: string | undefined;
  /** Focuses the reason first, where writing it is the main task. */
  startsAtReason?: boolean;
  /** Whether other users see the reason. */
  isReasonPublic?: boolean;
  danger?: boolean;
  /** Additional fields next to the reason: their names in the call, and the missing values. */
  fields?: readonly string[];
  check?: () => FormErrors;
  /** Performs the action; an error that it throws is displayed in the dialog. */
  send: (reason: string, options: SendOptions) => Promise<unknown>;
  /** Saves the idempotency key under this name, so that it survives a reload. */
  intent?: string;
  onDone: () => void;
  onClose: () => void;
}

/** The reason being typed and its submission; an error keeps the input. */
function useReason({
  send,
  onDone,
  intent,
  fields = [],
  check,
  missing,
  isTyped,
}: Pick<Confirmation, 'send' | 'onDone' | 'intent' | 'fields' | 'check'> & {
  missing: string | null;
  isTyped: boolean;
}) {
  const [reason, setReason] = useState('');
  const mutation = useMutation((trimmed: string, options) => send(trimmed, options), {
    ...(intent !== undefined && { intent }),
    fields: ['reason', ...fields],
    // A reason selected from a list has no field.
    check: (trimmed) => ({
      ...check?.(),
      [isTyped ? 'reason' : 'send']: missing !== null && trimmed === '' ? missing : undefined,
    }),
    done: onDone,
  });
  return { ...mutation, reason, setReason };
}

/**
 * Asks for confirmation of an action, with a reason if required. Stays open with error messages next to
 * their fields; the input is kept. `children` are rendered between question and reason, and may set the reason.
 */
export function ConfirmDialog({
  title,
  action: actionLabel,
  back = '返回',
  question,
  reasonLabel,
  isReasonNeeded = false,
  isReasonShort = false,
  missingText,
  startsAtReason = false,
  isReasonPublic = false,
  danger = false,
  fields,
  check,
  send,
  intent,
  onDone,
  onClose,
  children,
}: Confirmation & { children?: (setReason: (text: string) => void, errors: FormErrors) => ReactNode }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // After the dialog has opened, because opening focuses its first control.
  useEffect(() => {
    if (startsAtReason) field.current?.focus();
  }, [startsAtReason]);
  const missing = isReasonNeeded ? (missingText ?? `请填写${reasonLabel ?? '原因'}`) : null;
  const {
    form,
    reason,
    setReason,
    busy,
    errors,
    send: sendReason,
  } = useReason({
    missing,
    isTyped: reasonLabel !== undefined,
    send,
    onDone,
    ...(intent !== undefined && { intent }),
    ...(fields && { fields }),
    ...(check && { check }),
  });
  const submit = () => void sendReason(reason.trim());
  return (
    <Dialog
      title={title}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <BackButton disabled={busy}>{back}</BackButton>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={submit}>
            {actionLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        className="grid grid-cols-[minmax(0,1fr)] gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="text-13 text-ink-2">{question}</div>
        {children?.(setReason, errors)}
        {reasonLabel && (
          <Field label={reasonLabel} required={isReasonNeeded} error={errors.reason}>
            {(control) => (
              <>
                {isReasonShort ? (
                  <Input
                    {...control}
                    ref={field}
                    value={reason}
                    maxLength={60}
                    autoComplete="off"
                    onChange={(event) => setReason(event.target.value)}
                  />
                ) : (
                  <Textarea
                    {...control}
                    ref={field}
                    value={reason}
                    maxLength={200}
                    rows={3}
                    onChange={(event) => setReason(event.target.value)}
                  />
                )}
                {isReasonPublic && <ContactHint text={reason} />}
              </>
            )}
          </Field>
        )}
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
