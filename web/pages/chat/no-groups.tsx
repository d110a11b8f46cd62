import { MessageSquare } from 'lucide-react';
import type { Belong } from '#contract/rules/parties.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { noGroups } from './no-groups-text.ts';

/** Says what the tab of `status` looked for, and leads the party on. */
export function NoGroups({ status, party }: { status: number; party: Belong }) {
  const { title, text, to, label } = noGroups(status, party);
  return (
    <EmptyState
      title={title}
      icon={<MessageSquare className="icon size-8" strokeWidth={1.25} />}
      action={<ButtonLink to={to}>{label}</ButtonLink>}
    >
      {text}
    </EmptyState>
  );
}
