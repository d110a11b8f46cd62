import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Header of a detail page: a link back to the list, and the title. */
export function BackHead({ to, name, children }: { to: string; name: string; children: ReactNode }) {
  return (
    <div className="admin-head">
      <Link to={to} className="hit inline-flex items-center gap-1 text-13 text-ink-2 hover:text-link">
        <ChevronLeft className="icon" aria-hidden="true" />
        {name}
      </Link>
      {children}
    </div>
  );
}
