import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '../class-names.ts';

/** A wide part, usually a table, that scrolls sideways. While it can scroll it is a tab stop, so that the arrow keys move it. */
export function ScrollX({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  const part = useRef<HTMLElement>(null);
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const outer = part.current;
    if (!outer) return undefined;
    const observer = new ResizeObserver(() => setScrollable(outer.scrollWidth > outer.clientWidth));
    for (const element of [outer, ...outer.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={part}
      aria-label={label}
      tabIndex={isScrollable ? 0 : undefined}
      className={cx('overflow-x-auto', className)}
    >
      {children}
    </section>
  );
}
