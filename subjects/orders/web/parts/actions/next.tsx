import type { ReactNode } from 'react';

/** One of the next steps after a payment. */
export function Next({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 py-3">
      <span className="mt-0.5 text-link" aria-hidden="true">
        {icon}
      </span>
      <div className="grid gap-0.5">
        <b className="text-14 font-medium">{title}</b>
        <span className="text-13 text-ink-2">{children}</span>
      </div>
    </li>
  );
}
