import type { ReactNode } from 'react';

/** A row of the box: label at the left, value at the right. */
export function PriceLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="mt-3 flex text-13 leading-6 max-md:block">
      <span className="w-16 flex-none text-ink-3">{label}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
