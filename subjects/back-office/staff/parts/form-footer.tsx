import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { BackButton } from '#web/ui/overlays/dialog.tsx';

/**
 * The buttons of a form in a dialog: back, which is disabled during submission, and submit. Without `form` (the form's
 * id) the buttons belong to the enclosing form, or to none when `onSend` submits.
 */
export function FormFooter({
  form,
  busy,
  danger = false,
  disabled,
  onSend,
  children,
}: {
  form?: string;
  busy: boolean;
  danger?: boolean;
  disabled?: boolean;
  onSend?: () => void;
  /** The label of the button that submits. */
  children: ReactNode;
}) {
  return (
    <>
      <BackButton disabled={busy}>返回</BackButton>
      <Button
        kind={danger ? 'danger' : 'primary'}
        type={onSend ? 'button' : 'submit'}
        form={form}
        busy={busy}
        disabled={disabled}
        onClick={onSend}
      >
        {children}
      </Button>
    </>
  );
}
