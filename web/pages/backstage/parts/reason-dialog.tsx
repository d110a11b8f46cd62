import type { ReactNode } from 'react';
import { ConfirmDialog, type Confirmation } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';

/**
 * Asks a member of staff once more before an act; the reason may be begun from one of the sentences, each taken over whole. `children` are
 * what else the act needs, drawn above the reason.
 */
export function ReasonDialog({
  reasons = [],
  children,
  ...dialog
}: Confirmation & { reasons?: readonly string[]; children?: ReactNode }) {
  return (
    <ConfirmDialog {...dialog} startsAtReason>
      {(setReason) => (
        <>
          {children}
          {reasons.length > 0 && (
            <div className="flex flex-wrap gap-1.5">
              {reasons.map((text) => (
                <Button key={text} size="sm" onClick={() => setReason(text)}>
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
