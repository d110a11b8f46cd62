import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { staffSearch } from '#subjects/back-office/contract/overview.ts';
import { call } from '#web/lib/api/api.ts';
import { isApiFailure } from '#web/lib/api/api-failure.ts';
import { readFailureMessage } from '#web/lib/api/call-errors.ts';
import { cx } from '#web/ui/class-names.ts';
import { useModal } from '#web/ui/overlays/use-modal.ts';
import type { AdminGroup } from './admin-menu.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

/** A search runs once typing has paused for this long, so that partial numbers are not searched. */
const REST_MS = 350;

interface Entry {
  key: string;
  title: string;
  note: string;
  state: string;
  to: string;
}
interface Section {
  name: string;
  items: readonly Entry[];
}

/** Pages of the menu whose name contains the typed text; without a keyword the first dozen. */
function pagesFor(menu: readonly AdminGroup[], q: string): Section[] {
  const items = menu.flatMap(({ name, items: pages }) =>
    pages.map((page) => ({ key: page.to, title: page.name, note: name, state: '', to: page.to })),
  );
  const found = q === '' ? items.slice(0, 12) : items.filter(({ title }) => title.includes(q)).slice(0, 5);
  return found.length === 0 ? [] : [{ name: '页面', items: found }];
}

interface Found {
  q: string;
  groups: readonly Section[];
  failure: string | null;
}

const NOTHING: Found = { q: '', groups: [], failure: null };

/** The market's results for the keyword, once typing has paused. */
function useFound(q: string): Found & { isSearching: boolean } {
  const [found, setFound] = useState<Found>(NOTHING);
  useEffect(() => {
    if (q.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call(staffSearch, { q }, { quiet: true, signal: stop.signal }).then(
        ({ groups }) => setFound({ q, groups, failure: null }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setFound({ q, groups: [], failure: isApiFailure(error) ? readFailureMessage(error) : '没有查到，请重试' });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q]);
  return { ...(found.q === q ? found : NOTHING), isSearching: q.length >= 2 && found.q !== q };
}

/** The search dialog: one field, grouped answers, arrows and Enter. */
export default function SearchDialog({ menu, onClose }: { menu: readonly AdminGroup[]; onClose: () => void }) {
  const ref = useModal();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const q = typed.trim();
  const { groups, failure, isSearching } = useFound(q);
  const sections = [...(isSearching ? [] : groups), ...pagesFor(menu, q)];
  const entries = sections.flatMap(({ items }) => items);
  const current = Math.min(at, Math.max(0, entries.length - 1));
  useEffect(() => {
    field.current?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current, listId]);
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    void navigate(entry.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (pressedKey(event) === 'Enter') {
      event.preventDefault();
      if (!isSearching) go(entries[current]);
    } else if (pressedKey(event) === 'ArrowDown' || pressedKey(event) === 'ArrowUp') {
      event.preventDefault();
      const step = pressedKey(event) === 'ArrowDown' ? 1 : -1;
      setAt((current + step + entries.length) % Math.max(1, entries.length));
    }
  };
  let index = -1;
  return (
    <dialog
      ref={ref}
      className="dialog find-all"
      aria-label="查找"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="find-all-field">
        <Search className="icon text-ink-3" aria-hidden="true" />
        <input
          ref={field}
          value={typed}
          maxLength={60}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${current}` : undefined}
          aria-label="订单号、完整手机号、商品编号、会话号、用户编号、收款账户或昵称"
          placeholder="订单号、完整手机号、商品编号、会话号、用户、收款账户"
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={listId} role="listbox" aria-label="结果" className="find-all-list">
        {sections.map(({ name, items }) => (
          <div key={name} role="group" aria-label={name}>
            <p aria-hidden="true">{name}</p>
            {items.map((entry) => {
              index += 1;
              const own = index;
              return (
                <div
                  key={entry.key}
                  id={`${listId}-${own}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === current}
                  className="find-all-item"
                  onPointerMove={() => setAt(own)}
                  onClick={() => go(entry)}
                  onKeyDown={onKeyDown}
                >
                  <b className="truncate font-medium">{entry.title}</b>
                  <span className="truncate text-12 text-ink-3">{entry.note}</span>
                  <span className={cx('ml-auto text-12 whitespace-nowrap', entry.state ? 'text-ink-2' : 'text-ink-4')}>
                    {entry.state || '打开'}
                  </span>
                </div>
              );
            })}
          </div>
        ))}
        <p role="status" className="px-4 py-2 text-12 text-ink-3">
          {isSearching
            ? '正在查找…'
            : (failure ??
              (q.length >= 2 && groups.length === 0
                ? '没有找到。编号和手机号要写完整，昵称从第一个字写起。'
                : '手机号和收款账户要写完整，查到的和没查到的都会留下记录。'))}
        </p>
      </div>
    </dialog>
  );
}
