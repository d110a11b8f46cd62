import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { removeMatch, staffMatchList, type staffLeagueInfo } from '#subjects/content/contract/staff-leagues.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import { matchStatuses, matchStatusNames } from '../../rules/league.ts';
import { call } from '#web/lib/api/api.ts';
import { countText } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { TeamMark } from '#web/parts/team-mark.tsx';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FilterBar, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { MatchDialog } from './match-dialog.tsx';

type Match = Data<typeof staffMatchList>['list'][number];
type Info = Data<typeof staffLeagueInfo>;

const TONES = {
  playing: { tone: 'danger' },
  over: { tone: 'safe' },
  waiting: {},
  postponed: { tone: 'attn' },
} as const;

function Row({ match, onAction }: { match: Match; onAction: (action: 'edit' | 'remove') => void }) {
  const { home, away } = match;
  const shows = match.status === 'over' || match.status === 'playing' || home.score + away.score > 0;
  return (
    <tr>
      <td data-wide="">
        <span className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-3">
          <span className="flex min-w-0 items-center justify-end gap-2 text-right">
            <span className="truncate">{home.name}</span>
            <TeamMark name={home.name} logo={home.logo} size={24} />
          </span>
          <b className="min-w-12 text-center text-14 font-semibold">
            {shows ? `${home.score} : ${away.score}` : <span className="text-12 font-normal text-ink-3">VS</span>}
          </b>
          <span className="flex min-w-0 items-center gap-2">
            <TeamMark name={away.name} logo={away.logo} size={24} />
            <span className="truncate">{away.name}</span>
          </span>
        </span>
      </td>
      <td className="whitespace-nowrap">{shortAt(match.startTime)}</td>
      <td className="num" data-label="局数">
        BO{match.bestOf}
      </td>
      <td>
        {match.isOverdue ? (
          <Tag tone="attn">待录比分</Tag>
        ) : (
          <Tag {...TONES[match.status]}>{matchStatusNames[match.status]}</Tag>
        )}
      </td>
      <td className="num">
        <span className="inline-flex gap-2">
          <Button size="sm" onClick={() => onAction('edit')}>
            {match.isOverdue || match.status === 'playing' ? '录比分' : '编辑'}
          </Button>
          <Button size="sm" kind="ghost" onClick={() => onAction('remove')}>
            删除
          </Button>
        </span>
      </td>
    </tr>
  );
}

/** The matches of a league: entered, scored and removed here. */
export function MatchList({
  league,
  teams,
  first,
  query,
}: {
  league: NonNullable<Info['league']>;
  teams: Info['teams'];
  first: Data<typeof staffMatchList>;
  query: Input<typeof staffMatchList>;
}) {
  const { revalidate } = useRevalidator();
  const [acting, setActing] = useState<{ act: 'add' } | { act: 'edit' | 'remove'; match: Match } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffMatchList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  const done = (text: string) => {
    setActing(null);
    toast(text, 'ok');
    void revalidate();
  };
  const add = (
    <Button size="sm" kind="primary" disabled={teams.length < 2} onClick={() => setActing({ act: 'add' })}>
      新建比赛
    </Button>
  );
  return (
    <section className="panel mt-4 overflow-hidden" aria-labelledby="matches">
      <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 id="matches" className="text-14 font-semibold">
          比赛
        </h2>
        <span className="text-12 text-ink-3">{countText(first.total, first.totalCapped ?? false)} 场，北京时间</span>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={['match']} preserve={['id']}>
            <FilterSelect
              name="match"
              label="状态"
              all="全部状态"
              options={matchStatuses.map((key) => [key, matchStatusNames[key]])}
            />
          </FilterBar>
          {items.length > 0 && add}
        </div>
      </div>
      {items.length === 0 ? (
        <EmptyState title={query.status ? '没有这个状态的比赛' : '还没有比赛'} action={add}>
          {teams.length < 2 ? '先在「战队」里建好两支战队。' : '录入对阵和时间，打完后填比分。'}
        </EmptyState>
      ) : (
        <>
          <AdminTable columns={['对阵', '开赛', { num: '局数' }, '状态', { num: '操作' }]}>
            {items.map((match) => (
              <Row key={match.id} match={match} onAction={(action) => setActing({ act: action, match })} />
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {acting && acting.act !== 'remove' && (
        <MatchDialog
          league={league}
          teams={teams}
          match={acting.act === 'edit' ? acting.match : null}
          onDone={() => done('已保存')}
          onClose={() => setActing(null)}
        />
      )}
      {acting?.act === 'remove' && (
        <ReasonDialog
          title="删除比赛"
          action="删除"
          danger
          question={`${acting.match.home.name} 对 ${acting.match.away.name}，${shortAt(acting.match.startTime)}。改期请改时间或标为延期；录错了才删除。`}
          send={(_, options) => call(removeMatch, { id: acting.match.id, version: acting.match.version }, options)}
          onDone={() => done('已删除')}
          onClose={() => setActing(null)}
        />
      )}
    </section>
  );
}
