import { Link2 } from 'lucide-react';
import { Tag } from '#web/ui/tag.tsx';

/** Badges for the reasons why two users of a case may be linked. Renders nothing without a link. */
export function LinkBadges({ links, of = '买卖双方' }: { links: readonly string[]; of?: string }) {
  if (links.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center gap-1.5" role="note" aria-label={`${of}有关联：${links.join('、')}`}>
      <Link2 className="icon text-danger" aria-hidden="true" />
      {links.map((link) => (
        <Tag key={link} tone="danger">
          {link}
        </Tag>
      ))}
    </span>
  );
}
