import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** The end of a list with cursor paging: a button for more, an error, or, after the last of several pages, an end message. */
export function ListEnd({
  next,
  busy,
  error,
  onMore,
}: {
  next: string | null;
  busy: boolean;
  error: string | null;
  onMore: () => void;
}) {
  const [hasPages, setHasPages] = useState(next !== null);
  if (next !== null && !hasPages) setHasPages(true);
  if (!hasPages && error === null) return null;
  return (
    <div
      className="flex flex-wrap items-center justify-center gap-3 border-t border-line-soft py-3 text-13 text-ink-3"
      aria-live="polite"
    >
      {error && <span className="text-danger">{error}</span>}
      {next ? (
        <Button size="sm" busy={busy} onClick={onMore}>
          {error ? '重试' : '继续看'}
        </Button>
      ) : (
        <span>没有更多了</span>
      )}
    </div>
  );
}
