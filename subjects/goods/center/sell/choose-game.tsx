import { COMPUTER_GAME } from '#contract/rules/catalogue.ts';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { GameTile } from '../../web/parts/cover/cover.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { SellGame } from './sell-loader.ts';

function sellPath(gameId: number, typeId: number): string {
  return `/center/sell?gameId=${gameId}&gt=${typeId}`;
}

function matches(game: SellGame, query: string): boolean {
  return game.name.toLowerCase().includes(query) || game.code.toLowerCase().startsWith(query);
}

function GameCard({ game }: { game: SellGame }) {
  return (
    <li className="grid content-start gap-2.5 rounded-control border border-line-soft p-3">
      <h2 className="flex items-center gap-2.5 text-14 font-semibold">
        <GameTile name={game.name} icon={game.icon} size={32} className="rounded-control!" />
        {game.name}
        <span className="ml-auto text-12 font-normal text-ink-3">
          {game.gameType === COMPUTER_GAME ? '端游' : '手游'}
        </span>
      </h2>
      <ul className="flex flex-wrap gap-1.5" aria-label={`${game.name}的商品类型`}>
        {game.types.map(({ id, name }) => (
          <li key={id}>
            <Link
              to={sellPath(game.id, id)}
              className="inline-flex h-8 items-center rounded-control border border-line-strong px-2 text-13 text-ink-2 hover:border-brand-500 hover:bg-brand-50 hover:text-brand-800 max-md:h-10"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** The first step of publishing: game and type. Each choice has its own URL. */
export function ChooseGame({ games }: { games: readonly SellGame[] }) {
  const id = useId();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const sorted = games.toSorted((a, b) => (a.hot || 999) - (b.hot || 999));
  const visible = wanted === '' ? sorted : sorted.filter((game) => matches(game, wanted));
  return (
    <section className="panel" aria-labelledby={`${id}title`}>
      <div className="panel-head flex-wrap py-2">
        <h1 id={`${id}title`} className="text-16 font-semibold">
          发布商品
        </h1>
        <p>选择游戏和要卖的内容；账号由您交付，寄售账号由平台保管并代您交付</p>
        <span className="relative max-md:w-full md:ml-auto">
          <Search
            className="icon pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-ink-3"
            aria-hidden="true"
          />
          <Input
            small
            type="search"
            className="pl-8! md:w-52!"
            placeholder="搜索游戏"
            aria-label="搜索游戏"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </span>
      </div>
      {visible.length > 0 ? (
        <ul className="grid gap-3 p-4 md:grid-cols-2 xl:grid-cols-3">
          {visible.map((game) => (
            <GameCard key={game.id} game={game} />
          ))}
        </ul>
      ) : (
        <EmptyState title="没有找到这个游戏">换个名字试试；平台还没有的游戏，可以联系客服申请上线。</EmptyState>
      )}
    </section>
  );
}
