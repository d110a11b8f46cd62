import { Gamepad2, Search, Tag } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { suggest } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { termsOf } from '#web/lib/lists/highlight.ts';
import { cx } from '#web/ui/class-names.ts';
import { Highlighted, HighlightContext } from './highlight.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

type Suggestion = Data<typeof suggest>['list'][number];

const PAUSE_MS = 150;
const MAX_QUERY_LENGTH = 40;
const ICONS = { game: Gamepad2, goods: Tag, word: Search } as const;

const NO_TERMS: readonly string[] = [];
const NONE: readonly Suggestion[] = [];

/** Completions of the typed text, requested once typing pauses; failed and outdated responses are ignored. */
function useSuggestions(keyWord: string, gameId: number | undefined, open: boolean): readonly Suggestion[] {
  const [response, setResponse] = useState({ query: '', list: NONE });
  const query = keyWord.trim();
  const isActive = open && query !== '' && query.length <= MAX_QUERY_LENGTH;
  useEffect(() => {
    if (!isActive) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call(
        suggest,
        { keyWord: query, ...(gameId !== undefined && { gameId }) },
        { quiet: true, signal: stop.signal },
      ).then(
        ({ list }) => setResponse({ query, list }),
        () => setResponse({ query, list: NONE }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, gameId, isActive]);
  // While a request is running the last completions stay, unless they belong to different text.
  const isCurrent = response.query !== '' && (query.startsWith(response.query) || response.query.startsWith(query));
  return isActive && isCurrent ? response.list : NONE;
}

/**
 * Suggestions below a keyword: the arrow keys select one, Enter opens it, Escape closes the list. `field` are props for
 * the input, `list` is rendered after it in a positioned box. `onGo` runs before a suggestion is opened.
 */
export function useSuggestionBox(id: string, keyWord: string, gameId: number | undefined, onGo?: () => void) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const items = useSuggestions(keyWord, gameId, open);
  const isOpen = open && items.length > 0;
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const go = (item: Suggestion) => {
    close();
    onGo?.();
    void navigate(item.url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const chosen = items[at];
    if (pressedKey(event) === 'Escape') close();
    else if (pressedKey(event) === 'Enter' && chosen) go(chosen);
    else if (pressedKey(event) === 'ArrowDown') setAt((at + 1) % items.length);
    else if (pressedKey(event) === 'ArrowUp') setAt((at <= 0 ? items.length : at) - 1);
    else return;
    event.preventDefault();
  };
  const field = {
    role: 'combobox',
    'aria-expanded': isOpen,
    'aria-controls': id,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': isOpen && at >= 0 ? `${id}-${at}` : undefined,
    onKeyDown,
    onInput: () => {
      setOpen(true);
      setAt(-1);
    },
    onBlur: close,
  };
  const list = (
    <HighlightContext value={isOpen ? termsOf(keyWord) : NO_TERMS}>
      <ul id={id} role="listbox" aria-label="搜索建议" className="suggestions" hidden={!isOpen}>
        {items.map((item, i) => {
          const Icon = ICONS[item.kind];
          return (
            <li
              key={`${item.kind}${item.url}`}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              className={cx('menu-item', i === at && 'bg-sunken text-ink')}
              // Pointer down must not take the focus from the input before the click arrives.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(item)}
            >
              <Icon className="icon size-3.5 flex-none text-ink-3" aria-hidden="true" />
              <span className="truncate">
                <Highlighted>{item.text}</Highlighted>
              </span>
            </li>
          );
        })}
      </ul>
    </HighlightContext>
  );
  return { field, list, close };
}
