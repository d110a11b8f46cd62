import { ChevronDown, Search } from 'lucide-react';
import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { rememberSearch } from '#web/lib/lists/history.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { type SearchState, searchPath, withChoice } from '#web/lib/lists/search-state.ts';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { useSuggestionBox } from './suggestions.tsx';
import type { SearchPart } from './search-part.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

const PLACEHOLDER = (
  <div className="grid w-72 gap-2 p-4">
    <Skeleton className="h-8" />
    <Skeleton className="h-5 w-2/3" />
    <Skeleton className="h-5 w-1/2" />
  </div>
);

const Panels = lazyWithRetry(() => import('./search-panels.lazy.tsx'), PLACEHOLDER);

function Part({
  part,
  label,
  value,
  disabled = false,
  state,
  onChange,
}: {
  part: SearchPart;
  label: string;
  value: string | undefined;
  disabled?: boolean;
  state: SearchState;
  onChange: (change: Partial<SearchState>) => void;
}) {
  return (
    <Popover
      label={label}
      kind="listbox"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className="search-part"
          data-chosen={value ? '' : undefined}
          disabled={disabled}
          aria-label={`${label}${value ? `：${value}` : ''}`}
        >
          <span>{value ?? label}</span>
          <ChevronDown className="icon" aria-hidden="true" />
        </button>
      )}
    >
      {(close): ReactNode => (
        <Suspense fallback={PLACEHOLDER}>
          <Panels
            part={part}
            state={state}
            onPick={(change) => {
              onChange(change);
              close();
            }}
          />
        </Suspense>
      )}
    </Popover>
  );
}

/**
 * Game, area, server, goods type and keyword in one control. `/` focuses the keyword from anywhere on the page. Without
 * scripts only the keyword works, as a plain form.
 */
export function SearchBar({ initial }: { initial: SearchState }) {
  const navigate = useNavigate();
  const [state, setState] = useState(initial);
  const keyWord = useRef<HTMLInputElement>(null);
  const box = useSuggestionBox('search-suggestions', state.keyWord, state.game?.id);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        pressedKey(event) !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        target.closest('input,textarea,select,[contenteditable]')
      )
        return;
      event.preventDefault();
      keyWord.current?.focus();
      keyWord.current?.select();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  const change = (part: Partial<SearchState>) => setState((before) => withChoice(before, part));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    box.close();
    rememberSearch(state);
    void navigate(searchPath(state));
  };

  return (
    <form className="search" role="search" aria-label="搜商品" action="/wares" method="get" onSubmit={submit}>
      <Part part="game" label="选择游戏" value={state.game?.name} state={state} onChange={change} />
      <Part part="area" label="大区" value={state.area?.name} disabled={!state.game} state={state} onChange={change} />
      <Part
        part="server"
        label="服务器"
        value={state.server?.name}
        disabled={!state.area}
        state={state}
        onChange={change}
      />
      <Part
        part="type"
        label="商品类型"
        value={state.typeId === null ? undefined : goodsTypeName(state.typeId)}
        state={state}
        onChange={change}
      />
      {state.game && <input type="hidden" name="gid" value={state.game.id} />}
      <span className="search-words">
        <input
          ref={keyWord}
          name="keyWord"
          value={state.keyWord}
          onChange={(event) => change({ keyWord: event.target.value })}
          placeholder="输入关键词、商品编号，按 / 搜索"
          aria-label="关键词或商品编号"
          maxLength={60}
          autoComplete="off"
          enterKeyHint="search"
          {...box.field}
        />
        {box.list}
      </span>
      <button type="submit" className="search-go">
        <Search className="icon" aria-hidden="true" />
        搜索
      </button>
    </form>
  );
}
