import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { jumpPath } from '#web/lib/pages/external-link.ts';
import type { Advert } from './advert.ts';

const ReminderDialog = lazyWithRetry(() => import('./reminder-dialog.lazy.tsx'));

/**
 * An advert's link: one with a reminder opens the reminder dialog, one to another site goes through the warning page.
 */
export function AdvertLink({
  advert,
  className,
  children,
}: {
  advert: Advert;
  className?: string | undefined;
  children: ReactNode;
}) {
  const [reading, setReading] = useState(false);
  const to = jumpPath(advert.htUrl);
  return (
    <>
      <Link
        to={to}
        className={className}
        {...(advert.remind && {
          'aria-haspopup': 'dialog' as const,
          onClick: (event) => {
            event.preventDefault();
            setReading(true);
          },
        })}
      >
        {children}
      </Link>
      {reading && <ReminderDialog advert={advert} to={to} onClose={() => setReading(false)} />}
    </>
  );
}
