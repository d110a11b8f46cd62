import { CalendarX2 } from 'lucide-react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { jumpPath } from '#web/lib/pages/external-link.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { TeamMark } from '#web/parts/team-mark.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { noMatches } from './no-matches.ts';

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) ?? '';
  const day = /^\d{4}-\d{2}-\d{2}$/.test(of('day')) ? of('day') : undefined;
  const leagueId = /^[1-9]\d{0,5}$/.test(of('leagueId')) ? of('leagueId') : undefined;
  const query = { pageSize: 30, ...(day && { day }), ...(leagueId && { leagueId }) };
  return {
    query,
    day: day ?? null,
    leagueId: leagueId ?? null,
    first: await market(args).call(getLeagueMatchList, query),
  };
}

export const meta: MetaFunction = (args) => pageMeta(args, { title: '赛事', description: '热门游戏联赛的赛程与比分' });

type Matches = Data<typeof getLeagueMatchList>;
type Match = Matches['list'][number];

const TONES = { playing: { tone: 'danger' }, over: {}, waiting: {}, postponed: { tone: 'attn' } } as const;
const WEEKDAYS = ['日', '一', '二', '三', '四', '五', '六'];

/** A China date as 11-22 周日. */
function dayLabel(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return `${day.slice(5)} 周${WEEKDAYS[at.getUTCDay()] ?? ''}`;
}

function Team({ team, won, side }: { team: Match['home']; won: boolean; side: 'home' | 'away' }) {
  return (
    <span className={cx('flex min-w-0 items-center gap-2.5', side === 'home' && 'flex-row-reverse text-right')}>
      <TeamMark name={team.shortName} logo={team.logo} />
      <span className={cx('truncate', won ? 'font-semibold' : 'text-ink-2')}>{team.name}</span>
    </span>
  );
}

function Row({ match }: { match: Match }) {
  const { home, away, status } = match;
  const isOver = status === 'over';
  const shows = isOver || status === 'playing';
  return (
    <li className="match">
      <p className="match-when">
        <time dateTime={match.startTime} className="font-medium text-ink">
          {match.startTime.slice(11, 16)}
        </time>
        <Tag {...TONES[status]}>{match.statusName}</Tag>
        <span className="truncate">
          {match.leagueName}
          {match.stage && ` · ${match.stage}`} · BO{match.bestOf}
        </span>
      </p>
      <Link to={`/wares?gt=1&gid=${match.gameId}`} className="match-goods">
        {match.gameName}账号
      </Link>
      <Team team={home} won={isOver && home.score > away.score} side="home" />
      <span className="min-w-14 text-center text-16 font-semibold">
        {shows ? (
          <>
            {home.score}
            <span className="mx-1 text-ink-4">:</span>
            {away.score}
          </>
        ) : (
          <span className="text-13 font-normal text-ink-3">VS</span>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-2">
        <Team team={away} won={isOver && away.score > home.score} side="away" />
        {match.watchUrl && (
          <a
            href={jumpPath(match.watchUrl)}
            target="_blank"
            rel="noopener nofollow"
            className="link hit ml-auto flex-none text-12"
          >
            观看
          </a>
        )}
      </span>
    </li>
  );
}

function Choices({ data, day, leagueId }: { data: Matches; day: string | null; leagueId: string | null }) {
  const to = (next: { day: string | null; leagueId: string | null }) => {
    const query = new URLSearchParams({
      ...(next.day && { day: next.day }),
      ...(next.leagueId && { leagueId: next.leagueId }),
    }).toString();
    return query === '' ? '/competition' : `/competition?${query}`;
  };
  return (
    <div className="grid gap-1 border-b border-line-soft px-4 py-2 text-13">
      <nav aria-label="日期" className="-ml-2 flex gap-1 overflow-x-auto">
        {[{ day: null, matches: 0 }, ...data.days].map((d) => (
          <Link
            key={d.day ?? 'next'}
            to={to({ day: d.day, leagueId })}
            className="pick flex-none"
            aria-current={d.day === day ? 'page' : undefined}
            preventScrollReset
          >
            {d.day ? dayLabel(d.day) : '今天起'}
          </Link>
        ))}
      </nav>
      <nav aria-label="赛事" className="-ml-2 flex flex-wrap gap-x-1">
        {[{ leagueId: null, name: '全部赛事', logo: null }, ...data.leagues].map((l) => (
          <Link
            key={l.leagueId ?? 'all'}
            to={to({ day, leagueId: l.leagueId === null ? null : String(l.leagueId) })}
            className="pick gap-1.5"
            aria-current={(l.leagueId === null ? null : String(l.leagueId)) === leagueId ? 'page' : undefined}
            preventScrollReset
          >
            {l.logo && (
              <img src={l.logo} alt="" width={18} height={18} className="size-4.5 flex-none rounded-tag object-cover" />
            )}
            {l.name}
          </Link>
        ))}
      </nav>
    </div>
  );
}

/** Matches grouped by day. */
function Days({ items }: { items: readonly Match[] }) {
  const days = [...new Set(items.map((m) => m.startTime.slice(0, 10)))];
  return days.map((day) => (
    <section key={day} aria-label={dayLabel(day)}>
      <h2 className="bg-sunken px-4 py-1.5 text-12 font-semibold text-ink-2">{dayLabel(day)}</h2>
      <ul>
        {items
          .filter((m) => m.startTime.startsWith(day))
          .map((match) => (
            <Row key={match.id} match={match} />
          ))}
      </ul>
    </section>
  ));
}

/** League matches: when, who, how it ended. */
export default function CompetitionPage() {
  const { query, day, leagueId, first } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(getLeagueMatchList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '赛事' }]} />
      </div>
      <section className="panel mb-8 overflow-hidden max-md:mt-3" aria-labelledby="matches">
        <div className="panel-head">
          <h1 id="matches" className="text-16 font-semibold">
            赛事
          </h1>
          <p>时间为北京时间</p>
        </div>
        <Choices data={first} day={day} leagueId={leagueId} />
        {items.length === 0 ? (
          <EmptyState
            title={noMatches(day, leagueId)}
            icon={<CalendarX2 className="icon size-8" strokeWidth={1.25} />}
            action={
              day === null && leagueId === null ? (
                <ButtonLink to="/news" size="sm">
                  看看公告
                </ButtonLink>
              ) : (
                <ButtonLink to="/competition" size="sm">
                  查看今天起的比赛
                </ButtonLink>
              )
            }
          />
        ) : (
          <>
            <Days items={items} />
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
