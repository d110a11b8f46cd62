import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import {
  publishLeague,
  staffLeagueInfo,
  staffLeagueList,
  staffMatchList,
  staffTeamList,
} from '#subjects/content/contract/staff-leagues.ts';
import { matchStatuses } from '../rules/league.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ArticleActions, ArticleStatus, STATUS_OPTIONS } from './content/article-status.tsx';
import { LeagueEditor } from './leagues/league-editor.tsx';
import { LeagueTabs } from './leagues/league-tabs.tsx';
import { TeamTable } from './leagues/team-table.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FilterBar, FilterKeyword, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '赛事', noindex: true });
}

/** The leagues; with `tab=teams` the teams, with `id` the editor of a league with its matches, with `id=new` an empty one. */
export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const none = { edit: null, list: null, teams: null };
  const id = of('id');
  if (id === 'new') return { ...none, edit: { info: await request(staffLeagueInfo, {}), matches: null } };
  if (id !== undefined) {
    const query = { leagueId: id, pageSize: 30, status: matchStatuses.find((key) => key === of('match')) };
    const [info, first] = await Promise.all([request(staffLeagueInfo, { id }), request(staffMatchList, query)]);
    return { ...none, edit: { info, matches: { first, query } } };
  }
  if (of('tab') === 'teams') {
    const query = { keyWord: of('keyWord'), pageSize: 30 };
    return { ...none, teams: { first: await request(staffTeamList, query), query } };
  }
  const query = { status: of('status'), gameId: of('gameId'), keyWord: of('keyWord'), pageSize: 30 };
  return { ...none, list: { first: await request(staffLeagueList, query), query } };
}

type Listed = NonNullable<Awaited<ReturnType<typeof loader>>['list']>;
type League = Listed['first']['list'][number];

function Row({ league }: { league: League }) {
  const to = `/backstage/leagues?id=${league.id}`;
  return (
    <tr>
      <td data-wide="">
        <span className="flex items-center gap-2.5">
          {league.logo && (
            <img src={league.logo} alt="" width={28} height={28} className="size-7 rounded-tag object-cover" />
          )}
          <span>
            <span className="font-medium">{league.name}</span>
            <span className="block text-12 text-ink-3">
              {league.gameName}
              {league.stage && ` · ${league.stage}`}
            </span>
          </span>
        </span>
      </td>
      <td className="whitespace-nowrap">{league.distName}</td>
      <td className="text-12 whitespace-nowrap text-ink-3">
        {league.startDay}
        <span className="block">至 {league.endDay}</span>
      </td>
      <td className="num" data-label="比赛">
        {league.matches}
        {league.overdue > 0 && (
          <span className="block">
            <Tag tone="attn">{league.overdue} 场待录比分</Tag>
          </span>
        )}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="下一场">
        {league.nextTime ? shortAt(league.nextTime) : '没有安排'}
      </td>
      <td>
        <ArticleStatus status={league.status} />
      </td>
      <td className="num" data-label="排序">
        {league.sort}
      </td>
      <td className="num">
        <ArticleActions
          id={league.id}
          name={league.name}
          status={league.status}
          editTo={to}
          send={(input, options) => call(publishLeague, input, options)}
        />
      </td>
    </tr>
  );
}

function LeagueTable({ first, query }: Listed) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffLeagueList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  const create = (
    <ButtonLink to="/backstage/leagues?id=new" size="sm" kind="primary">
      新建赛事
    </ButtonLink>
  );
  return (
    <>
      <div className="admin-head">
        <h1>赛事</h1>
        <p>{countText(first.total, first.totalCapped ?? false)} 个</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={['status', 'gameId', 'keyWord']}>
            <FilterSelect name="status" label="状态" all="全部状态" options={STATUS_OPTIONS} />
            <FilterSelect
              name="gameId"
              label="游戏"
              all="全部游戏"
              options={first.games.map(({ gameId, name }) => [gameId, name])}
            />
            <FilterKeyword placeholder="赛事名称" />
          </FilterBar>
          {create}
        </div>
      </div>
      <LeagueTabs current="leagues" />
      <section className="panel overflow-hidden" aria-label="赛事">
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的赛事" action={create}>
            发布后，网站的赛事页 2 秒内能看到。
          </EmptyState>
        ) : (
          <>
            <AdminTable
              columns={['赛事', '站点', '日期', { num: '比赛' }, '下一场', '状态', { num: '排序' }, { num: '操作' }]}
            >
              {items.map((league) => (
                <Row key={league.id} league={league} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}

/** Leagues with their matches and teams: what /competition shows. */
export default function AdminLeaguesPage() {
  const { edit, list, teams } = useLoaderData<typeof loader>();
  if (edit) return <LeagueEditor key={edit.info.league?.id ?? 'new'} {...edit} />;
  if (teams) return <TeamTable {...teams} />;
  return list && <LeagueTable {...list} />;
}
