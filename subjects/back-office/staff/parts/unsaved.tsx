import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { AskToDiscard } from '#web/ui/dialog.tsx';

/** Forms of the page that have unsaved content: the router asks the last blocker alone, which answers for all. */
const unsaved = new Set<symbol>();

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Asks before a page with a form is left whose content was not saved: by a link, by going back, by closing the window. `saved` is what the
 * server has, `busy` that it is being sent, after which the page may lead on.
 */
export function Unsaved({ saved, entered, busy }: { saved: unknown; entered: unknown; busy: boolean }) {
  const isUnsaved = !busy && !isSame(saved, entered);
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      unsaved.size > 0 && (from.pathname !== to.pathname || from.search !== to.search),
  );
  useEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol('form');
    unsaved.add(form);
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
  if (state !== 'blocked') return null;
  return <AskToDiscard of="page" onDiscard={proceed} onStay={reset} />;
}

/** Closes a form that lies open in a page; as a dialog does, it asks first when something was entered that is not saved. */
export function CancelButton({
  saved,
  entered,
  busy,
  onCancel,
}: {
  saved: unknown;
  entered: unknown;
  busy: boolean;
  onCancel: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="ghost" disabled={busy} onClick={() => (isSame(saved, entered) ? onCancel() : setAsking(true))}>
        取消
      </Button>
      {isAsking && <AskToDiscard of="dialog" onDiscard={onCancel} onStay={() => setAsking(false)} />}
    </>
  );
}
