import { ChevronDown, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';

/** Above this number of options the row has a search field. */
const SEARCHABLE = 16;
/** Above about this number the options do not fit into two rows. */
const TWO_ROWS = 22;

export interface FilterOption {
  key: string;
  label: string;
  /** URL of the list with this option added or removed. */
  to: string;
  chosen: boolean;
}

/** One filter as a row of choices; long ones collapse after two rows and are searchable. */
export function FilterRow({
  label,
  options,
  extra,
}: {
  label: string;
  options: readonly FilterOption[];
  extra?: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const long = options.length > TWO_ROWS;
  const matching = query
    ? options.filter((option) => option.label.toLowerCase().includes(query.trim().toLowerCase()))
    : options;
  return (
    <div className="filter-row" role="group" aria-label={label}>
      <span className="filter-label">{label}</span>
      <div className={cx('filter-options', long && !open && !query && 'filter-folded')}>
        {matching.map((option) => (
          <Link
            key={option.key}
            to={option.to}
            preventScrollReset
            rel="nofollow"
            className={cx('pick', option.chosen && 'pick-on')}
            aria-current={option.chosen ? 'true' : undefined}
          >
            {option.label}
          </Link>
        ))}
        {matching.length === 0 && <span className="pick text-ink-3">没有“{query}”</span>}
      </div>
      <div className="filter-tools">
        {extra}
        {options.length > SEARCHABLE && (
          <span className="relative">
            <Search
              className="icon pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-ink-3"
              aria-hidden="true"
            />
            <input
              className="input input-sm w-28 pl-7!"
              placeholder={`搜 ${options.length} 项`}
              aria-label={`在${label}中搜索`}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </span>
        )}
        {long && (
          <button type="button" className="pick" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '收起' : '更多'}
            <ChevronDown className={cx('icon size-3.5', open && 'rotate-180')} aria-hidden="true" />
          </button>
        )}
      </div>
    </div>
  );
}
