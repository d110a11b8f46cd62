import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { rememberSearch, useSearchHistory } from '#web/lib/history.ts';
import { defaultType, type SearchState, searchPath } from '#web/lib/search-state.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { typeName } from '#web/ui/tag.tsx';
import type { SearchPart } from './search-bar.tsx';
import SearchPanels from './search-panels.tsx';

/** The five-part search as a sheet for phones: the keyword first, the parts one at a time below. */
export default function SearchSheet({ initial, onClose }: { initial: SearchState; onClose: () => void }) {
  const navigate = useNavigate();
  const history = useSearchHistory();
  const [state, setState] = useState(initial);
  const [part, setPart] = useState<SearchPart>(initial.game ? 'area' : 'game');
  const go = (target: SearchState) => {
    rememberSearch(target);
    onClose();
    void navigate(searchPath(target));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(state);
  };
  const pick = (change: Partial<SearchState>) => {
    if ('game' in change) {
      setState({
        ...state,
        area: null,
        server: null,
        typeId: change.game ? defaultType(change.game.id) : null,
        ...change,
      });
      setPart(change.game ? 'area' : 'game');
    } else if ('area' in change) {
      setState({ ...state, server: null, ...change });
      setPart(change.area ? 'server' : 'type');
    } else {
      setState({ ...state, ...change });
      setPart('type');
    }
  };
  const parts: readonly [key: SearchPart, words: string, off: boolean][] = [
    ['game', state.game?.name ?? '游戏', false],
    ['area', state.area?.name ?? '大区', !state.game],
    ['server', state.server?.name ?? '服务器', !state.area],
    ['type', state.typeId === null ? '类型' : typeName(state.typeId), false],
  ];
  return (
    <Dialog title="搜索" shape="sheet" onClose={onClose}>
      <form onSubmit={submit} className="flex gap-2">
        <input
          autoFocus
          className="input"
          placeholder="关键词、商品编号"
          aria-label="关键词或商品编号"
          value={state.keyWord}
          maxLength={60}
          enterKeyHint="search"
          onChange={(event) => setState({ ...state, keyWord: event.target.value })}
        />
        <Button type="submit" kind="primary" size="lg" aria-label="搜索" icon>
          <Search className="icon" aria-hidden="true" />
        </Button>
      </form>
      {history.length > 0 && (
        <p className="mt-3 flex flex-wrap gap-2 text-13">
          <span className="text-ink-3">最近</span>
          {history.map((past) => (
            <button key={past.game?.id} type="button" className="text-link" onClick={() => go(past)}>
              {past.game?.name}
            </button>
          ))}
        </p>
      )}
      <div className="tabs mt-2 -ml-4 -mr-4">
        {parts.map(([key, words, off]) => (
          <button
            key={key}
            type="button"
            className="tab"
            aria-selected={part === key}
            role="tab"
            disabled={off}
            onClick={() => setPart(key)}
          >
            {words}
          </button>
        ))}
      </div>
      <div className="min-h-72" role="listbox" aria-label="选项">
        <SearchPanels key={part} part={part} state={state} onPick={pick} />
      </div>
    </Dialog>
  );
}
