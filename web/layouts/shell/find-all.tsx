import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import type { AdminGroup } from './admin-menu.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

const SearchDialog = lazyWithRetry(() => import('./find-all.lazy.tsx'));

/** The search over everything: a button in the bar, and Cmd or Ctrl with K from anywhere. */
export function FindAll({ menu }: { menu: readonly AdminGroup[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey ||
        pressedKey(event).toLowerCase() !== 'k'
      )
        return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className="admin-search" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Search className="icon" aria-hidden="true" />
        <span className="truncate">订单、手机号、商品、会话、用户、收款账户</span>
        <kbd className="ml-auto max-md:hidden">⌘K</kbd>
      </button>
      {open && <SearchDialog menu={menu} onClose={() => setOpen(false)} />}
    </>
  );
}
