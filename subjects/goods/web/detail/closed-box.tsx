import { ButtonLink } from '#web/ui/button.tsx';
import type { Closed } from './closed.ts';

/** Replaces the purchase box: why the listing cannot be bought, and where to go next. */
export function ClosedBox({ closed: { text, to, toLabel }, reason }: { closed: Closed; reason: string | null }) {
  return (
    <div className="closed-box">
      <p className="min-w-0 flex-1">
        {text}
        {reason && (
          <span className="mt-1 block text-ink">
            <b className="font-semibold">原因：</b>
            {reason}
          </span>
        )}
      </p>
      <ButtonLink to={to} size="sm">
        {toLabel}
      </ButtonLink>
    </div>
  );
}
