import { Search } from 'lucide-react';
import { type FormEvent, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { rememberSearch, useSearchHistory } from '#web/lib/lists/history.ts';
import { type SearchState, searchPath, withChoice } from '#web/lib/lists/search-state.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import type { SearchPart } from './search-part.ts';
import SearchPanels from './search-panels.lazy.tsx';
import { useSuggestionBox } from './suggestions.tsx';
import { PhoneLinks } from '../site/phone-links.lazy.tsx';

/** The next part to choose after a choice. */
function nextPart(change: Partial<SearchState>): SearchPart {
  if ('game' in change) return change.game ? 'area' : 'game';
  return 'area' in change && change.area ? 'server' : 'type';
}

function PartTabs({
  state,
  part,
  onPart,
}: {
  state: SearchState;
  part: SearchPart;
  onPart: (part: SearchPart) => void;
}) {
  const parts: readonly [key: SearchPart, words: string, off: boolean][] = [
    ['game', state.game?.name ?? '游戏', false],
    ['area', state.area?.name ?? '大区', !state.game],
    ['server', state.server?.name ?? '服务器', !state.area],
    ['type', state.typeId === null ? '类型' : goodsTypeName(state.typeId), false],
  ];
  return (
    <div className="tabs -mx-4 mt-2" role="tablist" aria-label="搜索条件">
      {parts.map(([key, text, off]) => (
        <button
          key={key}
          type="button"
          className="tab"
          role="tab"
          aria-selected={part === key}
          disabled={off}
          onClick={() => onPart(key)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

function Recent({ onPick }: { onPick: (state: SearchState) => void }) {
  const history = useSearchHistory();
  if (history.length === 0) return null;
  return (
    <p className="mt-3 flex flex-wrap gap-2 text-13">
      <span className="text-ink-3">最近</span>
      {history.map((past) => (
        <button key={past.game?.id} type="button" className="text-link" onClick={() => onPick(past)}>
          {past.game?.name}
        </button>
      ))}
    </p>
  );
}

/** The five-part search as a sheet for phones: the keyword at the top, the parts one at a time below. */
export default function SearchSheet({ initial, onClose }: { initial: SearchState; onClose: () => void }) {
  const navigate = useNavigate();
  const [state, setState] = useState(initial);
  const [part, setPart] = useState<SearchPart>(initial.game ? 'area' : 'game');
  const box = useSuggestionBox('sheet-suggestions', state.keyWord, state.game?.id, onClose);
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
    setState(withChoice(state, change));
    setPart(nextPart(change));
  };
  return (
    <Dialog title="搜索" asksFirst={false} shape="sheet" onClose={onClose}>
      <form onSubmit={submit} className="flex gap-2" role="search">
        <span className="relative min-w-0 flex-1">
          <input
            className="input"
            data-focus-first
            placeholder="关键词、商品编号"
            aria-label="关键词或商品编号"
            value={state.keyWord}
            maxLength={60}
            autoComplete="off"
            enterKeyHint="search"
            onChange={(event) => setState({ ...state, keyWord: event.target.value })}
            {...box.field}
          />
          {box.list}
        </span>
        <Button type="submit" kind="primary" size="lg" aria-label="搜索" icon>
          <Search className="icon" aria-hidden="true" />
        </Button>
      </form>
      <Recent onPick={go} />
      <PhoneLinks frequent onClose={onClose} />
      <PartTabs state={state} part={part} onPart={setPart} />
      <div className="-mx-2 min-h-72" role="listbox" aria-label="选项">
        <Suspense fallback={<Skeleton className="m-2 h-64" />}>
          <SearchPanels key={part} part={part} state={state} onPick={pick} focuses={false} />
        </Suspense>
      </div>
      <PhoneLinks frequent={false} onClose={onClose} />
    </Dialog>
  );
}
