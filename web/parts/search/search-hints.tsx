import { Link } from 'react-router';
import { useSearchHistory } from '#web/lib/lists/history.ts';
import { EMPTY_SEARCH, type Named, searchPath } from '#web/lib/lists/search-state.ts';

/** Below the search: the first five hot games, and the last two games that this visitor searched for. */
export function SearchHints({ hot }: { hot: readonly Named[] }) {
  const history = useSearchHistory();
  return (
    <div className="-my-1 flex gap-3.5 overflow-hidden py-1 text-12 leading-4.5 whitespace-nowrap text-ink-2">
      <span className="text-ink-3">热搜</span>
      {hot.map((game) => (
        <Link key={game.id} to={searchPath({ ...EMPTY_SEARCH, game })} className="hit hover:text-link">
          {game.name}
        </Link>
      ))}
      {history.length > 0 && <span className="ml-2.5 text-ink-3">最近</span>}
      {history.map((state) => (
        <Link key={state.game?.id} to={searchPath(state)} className="hit hover:text-link">
          {[state.game?.name, state.area?.name].filter(Boolean).join(' ')}
        </Link>
      ))}
    </div>
  );
}
