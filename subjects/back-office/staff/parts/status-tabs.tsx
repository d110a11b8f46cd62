import { useSearchParams } from 'react-router';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';

/** Tabs as links, with counts; other filters are kept. An empty key removes this filter. */
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
    <LinkTabs
      label={label}
      className="admin-tabs"
      items={items.map(({ key, text, count }) => {
        const next = new URLSearchParams(search);
        next.set(name, key);
        return { key, label: text, to: `?${next.toString()}`, isCurrent: key === current, count };
      })}
    />
  );
}
