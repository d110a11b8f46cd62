import { Link, useSearchParams } from 'react-router';

/** Tabs that are addresses, with their counts; the other filters stay. An empty key is the list without this filter. */
export function StatusTabs({
  name,
  label,
  items,
}: {
  name: string;
  label: string;
  items: readonly { key: string; text: string; count?: number | undefined }[];
}) {
  const [search] = useSearchParams();
  const current = search.get(name) ?? items[0]?.key ?? '';
  return (
    <nav className="tabs office-tabs" aria-label={label}>
      {items.map(({ key, text, count }) => {
        const next = new URLSearchParams(search);
        next.set(name, key);
        return (
          <Link
            key={key}
            to={`?${next.toString()}`}
            className="tab"
            aria-current={key === current ? 'page' : undefined}
          >
            {text}
            {count !== undefined && count > 0 && <span className="text-12 font-normal text-ink-3">{count}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
