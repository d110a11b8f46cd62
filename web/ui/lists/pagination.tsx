import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { buttonClass } from '../button.tsx';

/** The page numbers to display around the current one: first, last, two on either side, and null for a gap. */
function visiblePages(page: number, last: number): (number | null)[] {
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, last].filter((n) => n >= 1 && n <= last);
  const sorted = [...new Set(near)].sort((a, b) => a - b);
  return sorted.flatMap((n, i) => (i > 0 && n - (sorted[i - 1] ?? 0) > 1 ? [null, n] : [n]));
}

/** Numbered pages, for short lists; each page is a link made by `hrefOf`. */
export function Pagination({ page, pages, hrefOf }: { page: number; pages: number; hrefOf: (page: number) => string }) {
  if (pages <= 1) return null;
  const arrow = (to: number, label: string, Icon: typeof ChevronLeft) =>
    to >= 1 && to <= pages ? (
      <Link to={hrefOf(to)} className={buttonClass({ icon: true })} aria-label={label}>
        <Icon className="icon" aria-hidden="true" />
      </Link>
    ) : null;
  return (
    <nav aria-label="分页" className="flex flex-wrap items-center justify-center gap-1 py-5">
      {arrow(page - 1, '上一页', ChevronLeft)}
      {visiblePages(page, pages).map((n, i) =>
        n === null ? (
          <span key={`gap${i}`} className="px-1 text-ink-3">
            …
          </span>
        ) : (
          <Link
            key={n}
            to={hrefOf(n)}
            className={buttonClass({ icon: true, kind: n === page ? 'primary' : 'plain' })}
            aria-current={n === page ? 'page' : undefined}
            aria-label={`第 ${n} 页`}
          >
            {n}
          </Link>
        ),
      )}
      {arrow(page + 1, '下一页', ChevronRight)}
    </nav>
  );
}
