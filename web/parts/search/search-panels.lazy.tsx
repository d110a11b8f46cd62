import { type KeyboardEvent, use, useState } from 'react';
import { goodsTypeIds, goodsTypeName } from '#contract/rules/catalogue.ts';
import { type Area, type Game, loadAreas, loadGames } from '#subjects/games/web/parts/games/catalogue.ts';
import type { SearchState } from '#web/lib/lists/search-state.ts';
import { cx } from '#web/ui/class-names.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import type { SearchPart } from './search-part.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

type Pick = (change: Partial<SearchState>) => void;

/**
 * The result of a request, null when it failed, and a function to retry. Suspends until the result is available: a component that suspends in its
 * first rendering loses its state, so `load` must return the same promise until a retry.
 */
function useLoaded<T>(load: (again: boolean) => Promise<T>): [value: T, again: () => void] {
  const [promise, setPromise] = useState(() => load(false));
  return [use(promise), () => setPromise(load(true))];
}

/** Arrow keys move between the options; ArrowDown in the search field moves to the first. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')];
  const at = options.indexOf(document.activeElement as HTMLElement);
  const inField = document.activeElement instanceof HTMLInputElement;
  const moves: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 };
  if (!inField) Object.assign(moves, { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: options.length - 1 });
  const to = moves[pressedKey(event)];
  if (to === undefined || options.length === 0) return;
  event.preventDefault();
  options[(to + options.length) % options.length]?.focus();
}

function Option({
  label,
  selected,
  onPick,
  wide = false,
}: {
  label: string;
  selected: boolean;
  onPick: () => void;
  wide?: boolean;
}) {
  return (
    <button
      type="button"
      role="option"
      aria-selected={selected}
      className={cx('menu-item', wide && 'col-span-full', selected && 'bg-brand-100 font-medium text-brand-800')}
      onClick={onPick}
    >
      {label}
    </button>
  );
}

/** Whether a game matches the typed text: by name, code or initial. */
function matchesGame(game: Game, query: string): boolean {
  const text = query.trim().toLowerCase();
  return (
    text === '' ||
    game.name.toLowerCase().includes(text) ||
    game.code.startsWith(text) ||
    game.initial.toLowerCase() === text
  );
}

function GamePanel({ state, onPick, focuses }: { state: SearchState; onPick: Pick; focuses: boolean }) {
  const [games, again] = useLoaded(loadGames);
  const [query, setQuery] = useState('');
  if (!games) return <ErrorState onRetry={again} />;
  const found = games.filter((game) => matchesGame(game, query));
  const pick = (game: Game) => onPick({ game: { id: game.id, name: game.name } });
  return (
    <div className="w-[640px] max-w-full p-3 max-md:px-2" role="presentation" onKeyDown={walk}>
      <input
        autoFocus={focuses}
        className="input input-sm mb-2"
        placeholder="搜游戏名或首字母"
        aria-label="搜索游戏"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const first = found[0];
          if (pressedKey(event) === 'Enter' && first) {
            event.preventDefault();
            pick(first);
          }
        }}
      />
      <div className="grid max-h-96 grid-cols-2 gap-1 overflow-auto md:grid-cols-4">
        {query === '' && state.game && (
          <Option label="不限游戏" selected={false} wide onPick={() => onPick({ game: null })} />
        )}
        {found.map((game) => (
          <button
            key={game.id}
            type="button"
            role="option"
            aria-selected={game.id === state.game?.id}
            className={cx('menu-item', game.id === state.game?.id && 'bg-brand-100 text-brand-800')}
            onClick={() => pick(game)}
          >
            <GameTile name={game.name} hue={game.hue} icon={game.icon} size={24} className="flex-none rounded-tag!" />
            <span className="truncate">{game.name}</span>
          </button>
        ))}
        {found.length === 0 && <p className="col-span-full p-4 text-center text-13 text-ink-3">没有找到这款游戏</p>}
      </div>
    </div>
  );
}

function AreaPanel({
  state,
  onPick,
  part,
  focuses,
}: {
  state: SearchState;
  onPick: Pick;
  part: 'area' | 'server';
  focuses: boolean;
}) {
  const gameId = state.game?.id ?? 0;
  const [areas, again] = useLoaded((anew) => loadAreas(gameId, anew));
  const [query, setQuery] = useState('');
  if (!areas) return <ErrorState onRetry={again} />;
  const options =
    part === 'area'
      ? areas.map((area: Area) => ({ id: area.specialId, name: area.specialName }))
      : (areas.find((area) => area.specialId === state.area?.id)?.secondOptions ?? []).map((server) => ({
          id: server.twoSpecialId,
          name: server.twoSpecialName,
        }));
  const current = state[part]?.id;
  const found = options.filter(({ name }) => name.includes(query.trim()));
  return (
    <div className="w-[420px] max-w-[calc(100vw-32px)] p-3" role="presentation" onKeyDown={walk}>
      {options.length > 12 && (
        <input
          autoFocus={focuses}
          className="input input-sm mb-2"
          placeholder={part === 'area' ? '搜大区' : '搜服务器'}
          aria-label={part === 'area' ? '搜索大区' : '搜索服务器'}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <div className="grid max-h-80 grid-cols-3 gap-1 overflow-auto">
        <Option label="不限" selected={current === undefined} onPick={() => onPick({ [part]: null })} />
        {found.map((option) => (
          <Option
            key={option.id}
            label={option.name}
            selected={option.id === current}
            onPick={() => onPick({ [part]: option })}
          />
        ))}
      </div>
    </div>
  );
}

function TypePanel({ state, onPick }: { state: SearchState; onPick: Pick }) {
  const [games] = useLoaded(loadGames);
  const game = games?.find(({ id }) => id === state.game?.id);
  const types: readonly [id: number, name: string][] = game
    ? Object.entries(game.goodsTypeAndNameMap).map(([id, name]) => [Number(id), name])
    : goodsTypeIds.map((id) => [id, goodsTypeName(id)]);
  return (
    <div className="grid w-64 grid-cols-2 gap-1 p-2" role="presentation" onKeyDown={walk}>
      {types.map(([id, name]) => (
        <Option key={id} label={name} selected={id === state.typeId} onPick={() => onPick({ typeId: id })} />
      ))}
    </div>
  );
}

/**
 * The panel of one part of the search; loaded when the first panel is opened. Its field takes the focus only in a separate box: next to the
 * keyword it would receive the text being typed there.
 */
export default function SearchPanels({
  part,
  state,
  onPick,
  focuses = true,
}: {
  part: SearchPart;
  state: SearchState;
  onPick: Pick;
  focuses?: boolean;
}) {
  if (part === 'game') return <GamePanel state={state} onPick={onPick} focuses={focuses} />;
  if (part === 'type') return <TypePanel state={state} onPick={onPick} />;
  return <AreaPanel state={state} onPick={onPick} part={part} focuses={focuses} />;
}
