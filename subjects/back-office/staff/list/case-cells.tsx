/** Cells shared by the lists of cases, holds and transfers: links to the user and the order, the assignee, and the deadline. */
import { Avatar } from '#web/ui/avatar.tsx';
import { ListClock } from './list-clock.tsx';
import { PageLink } from '../parts/page-link.tsx';

/** An order number that links to the order's page. */
export function OrderLink({ sn }: { sn: string }) {
  return (
    <PageLink to={`/backstage/orders/${sn}`} className="hit">
      {sn}
    </PageLink>
  );
}

/** The assignee of a case. */
export function StaffName({ name }: { name: string | null }) {
  if (name === null) return <span className="text-ink-3">未分配</span>;
  return (
    <span className="flex items-center gap-1.5">
      <Avatar name={name.replace(/^客服/, '')} size={20} />
      {name}
    </span>
  );
}

/** The clock of a case with its purpose; a dash when none is running. */
export function CaseDue({ end, from, name }: { end: string | null; from: string; name?: string }) {
  if (end === null) return name ? <span className="text-12 text-ink-3">{name}</span> : null;
  return (
    <span className="case-due">
      <ListClock end={end} from={from} />
      {name && (
        <span className="text-12 text-ink-3" title={name}>
          {name}
        </span>
      )}
    </span>
  );
}
