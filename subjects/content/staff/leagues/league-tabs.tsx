import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';

/** Leagues and teams are two parts of one page. */
export function LeagueTabs({ current }: { current: 'leagues' | 'teams' }) {
  return (
    <LinkTabs
      label="赛事的部分"
      className="admin-tabs"
      items={[
        { key: 'leagues', label: '赛事', to: '/backstage/leagues', isCurrent: current === 'leagues' },
        { key: 'teams', label: '战队', to: '/backstage/leagues?tab=teams', isCurrent: current === 'teams' },
      ]}
    />
  );
}
