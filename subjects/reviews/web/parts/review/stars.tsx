import { Star } from 'lucide-react';
import { cx } from '#web/ui/class-names.ts';

/** A score as stars, with its number for screen readers. */
export function Stars({ score, className }: { score: number; className?: string }) {
  return (
    <span className={cx('inline-flex items-center', className)} role="img" aria-label={`${score} 星`}>
      {[1, 2, 3, 4, 5].map((n) => (
        <Star
          key={n}
          className={cx('icon size-3.5', n <= score ? 'text-act' : 'text-ink-4')}
          strokeWidth={1.5}
          fill={n <= score ? 'currentColor' : 'none'}
          aria-hidden="true"
        />
      ))}
    </span>
  );
}
