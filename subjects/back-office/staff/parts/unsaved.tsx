import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { AskToDiscard } from '#web/ui/overlays/dialog.tsx';
import { askToStay } from '#web/ui/forms/use-unsent.ts';

/** Forms of the page with unsaved content: the router calls only the last blocker, which responds for all of them. */
const unsaved = new Set<symbol>();

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Asks for confirmation before leaving a page with an unsaved form: by a link, by going back, or by closing the window.
 * `saved` is the content on the server; `busy` means that the form is being sent, after which the page may navigate.
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
    window.addEventListener('beforeunload', askToStay);
    return () => {
      unsaved.delete(form);
      window.removeEventListener('beforeunload', askToStay);
    };
  }, [isUnsaved]);
  if (state !== 'blocked') return null;
  return <AskToDiscard of="page" onDiscard={proceed} onStay={reset} />;
}

/** Closes an inline form; like a dialog, it asks for confirmation when there is unsaved input. */
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
