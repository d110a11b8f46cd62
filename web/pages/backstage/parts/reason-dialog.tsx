import { AskDialog, type Asking } from '#web/parts/ask-dialog.tsx';
import { Button } from '#web/ui/button.tsx';

/** Asks a member of staff once more before an act; the reason may be begun from one of the sentences, each taken over whole. */
export function ReasonDialog({ reasons = [], ...asking }: Asking & { reasons?: readonly string[] }) {
  return (
    <AskDialog {...asking} startsAtReason>
      {(setReason) =>
        reasons.length > 0 && (
          <div className="flex flex-wrap gap-1.5">
            {reasons.map((words) => (
              <Button key={words} size="sm" onClick={() => setReason(words)}>
                {words}
              </Button>
            ))}
          </div>
        )
      }
    </AskDialog>
  );
}
