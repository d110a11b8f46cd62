import { Search } from 'lucide-react';
import { Form, Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData, useSubmit } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import { gameTypeNames } from '#contract/rules/catalogue.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/lists/search-state.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/states.tsx';

/** Game type filter: all, 1 or 2 (product.md 9). */
const TYPES: readonly [value: string, label: string][] = [['', '全部'], ...Object.entries(gameTypeNames)];

export async function loader(args: LoaderFunctionArgs) {
  const query = args.url.searchParams;
  const type = /^[12]$/.test(query.get('type') ?? '') ? (query.get('type') ?? '') : '';
  const keyWord = (query.get('keyWord') ?? '').slice(0, 40);
  const { list } = await market(args).call(gameList, { ...(type && { type }), ...(keyWord && { keyWord }) });
  const groups = Object.entries(Object.groupBy(list, (game) => game.initial.toUpperCase() || '#'))
    .map(([initial, games]) => ({ initial, games: games ?? [] }))
    .sort((a, b) => a.initial.localeCompare(b.initial));
  return { type, keyWord, count: list.length, groups };
}

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '全部游戏', description: '按首字母找游戏：账号、游戏币、道具、代练与陪玩' });

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

function Toolbar({ type, keyWord }: Pick<Data, 'type' | 'keyWord'>) {
  const submit = useSubmit();
  const address = (value: string) => {
    const query = new URLSearchParams({ ...(value && { type: value }), ...(keyWord && { keyWord }) });
    return query.size > 0 ? `/allgame?${query}` : '/allgame';
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3">
      <h1 className="text-16 font-semibold">全部游戏</h1>
      <nav aria-label="游戏类型" className="flex gap-1">
        {TYPES.map(([value, label]) => (
          <Link
            key={label}
            to={address(value)}
            preventScrollReset
            className={cx('pick', value === type && 'pick-on')}
            aria-current={value === type || undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Form
        method="get"
        action="/allgame"
        role="search"
        aria-label="找游戏"
        className="relative ml-auto w-56 max-md:ml-0 max-md:w-full"
      >
        {type && <input type="hidden" name="type" value={type} />}
        <Search
          className="icon pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-ink-3"
          aria-hidden="true"
        />
        <input
          name="keyWord"
          defaultValue={keyWord}
          placeholder="游戏名、拼音或简称"
          aria-label="搜索游戏"
          className="input input-sm pl-8!"
          maxLength={40}
          onChange={(event) => void submit(event.currentTarget.form, { replace: true, preventScrollReset: true })}
        />
      </Form>
    </div>
  );
}

function Letter({ initial, games }: Data['groups'][number]) {
  return (
    <div id={`letter-${initial}`} className="break-inside-avoid pb-2">
      <h2 className="px-2 pt-3 pb-1 text-16 font-semibold text-brand-600">{initial}</h2>
      <ul>
        {games.map((game) => (
          <li key={game.id} className="group relative flex items-center gap-3 rounded-control p-2 hover:bg-hover">
            <GameTile name={game.name} hue={game.hue} icon={game.icon} size={44} />
            <span className="min-w-0">
              <Link
                to={searchPath({ ...EMPTY_SEARCH, game: { id: game.id, name: game.name } })}
                className="stretched block truncate font-medium group-hover:text-link"
              >
                {game.name}
              </Link>
              <span className="block truncate text-12 text-ink-3">在售 {grouped(game.onSale)} 件</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** All games by initial letter, narrowed by type and by name, pinyin or abbreviation. */
export default function AllGames() {
  const { type, keyWord, count, groups } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '全部游戏' }]} />
      </div>
      <section className="panel max-md:mt-3">
        <Toolbar type={type} keyWord={keyWord} />
        {groups.length > 1 && (
          <nav aria-label="首字母" className="flex flex-wrap gap-1 border-b border-line-soft px-4 py-2">
            {groups.map(({ initial }) => (
              <a
                key={initial}
                href={`#letter-${initial}`}
                className="grid size-7 place-items-center rounded-control text-13 max-md:size-10 font-medium text-ink-2 hover:bg-sunken hover:text-link"
              >
                {initial}
              </a>
            ))}
          </nav>
        )}
        <div className="game-columns">
          {groups.map((group) => (
            <Letter key={group.initial} {...group} />
          ))}
        </div>
        {count === 0 && (
          <EmptyState title="没有找到这款游戏" action={<ButtonLink to="/allgame">查看全部游戏</ButtonLink>}>
            换个名字、拼音或简称再试。
          </EmptyState>
        )}
      </section>
    </>
  );
}
