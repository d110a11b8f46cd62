import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';

export interface Todo {
  label: string;
  count: number;
  to: string;
}

/** Pending items as numbers with links; zeros are greyed out. */
export function TodoCounts({ items, label }: { items: readonly Todo[]; label: string }) {
  return (
    <nav className="panel flex overflow-hidden" aria-label={label}>
      {items.map(({ label: text, count, to }, index) => (
        <Link
          key={text}
          to={to}
          className={cx(
            'grid min-w-0 flex-1 gap-0.5 py-3 hover:bg-hover max-md:justify-items-center md:px-4',
            index > 0 && 'border-l border-line-soft',
          )}
        >
          <b className={cx('text-20 font-semibold', count > 0 ? 'text-brand-700' : 'text-ink-4')}>
            {count > 999 ? '999+' : count}
          </b>
          <span className="text-12 whitespace-nowrap text-ink-3">{text}</span>
        </Link>
      ))}
    </nav>
  );
}
