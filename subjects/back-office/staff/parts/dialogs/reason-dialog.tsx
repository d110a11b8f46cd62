import type { ReactNode } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { ConfirmDialog, type Confirmation } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';

/**
 * Confirmation dialog for a staff action. `reasons` are sentences that fill the reason field. `children` are extra fields, above the
 * reason; as a function they receive the errors of `fields` and `check`.
 */
export function ReasonDialog({
  reasons = [],
  children,
  ...dialog
}: Confirmation & { reasons?: readonly string[]; children?: ReactNode | ((errors: FormErrors) => ReactNode) }) {
  return (
    <ConfirmDialog {...dialog} startsAtReason>
      {(setReason, errors) => (
        <>
          {typeof children === 'function' ? children(errors) : children}
          {reasons.length > 0 && (
            <div className="flex flex-wrap gap-1.5">
              {reasons.map((text) => (
                <Button
                  key={text}
                  size="sm"
                  className="h-auto! max-w-full py-1 text-start whitespace-normal!"
                  onClick={() => setReason(text)}
                >
                  {text}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
