/** The keyboard shortcuts of the back office: each page registers its own, and one dialog shows them all. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

export type KeyHints = readonly (readonly [key: string, what: string])[];

interface Section {
  name: string;
  keys: KeyHints;
}

interface Registry {
  /** Adds a section while its page is open; returns a function that removes it. */
  add: (section: Section) => () => void;
  open: () => void;
}

const RegistryContext = createContext<Registry>({ add: () => () => {}, open: () => {} });

const EVERYWHERE: Section = {
  name: '所有页面',
  keys: [
    ['⌘K', '搜索订单、用户、商品、会话，或去一个页面'],
    ['G 1–9', '打开第几个队列，顺序同首页'],
    ['[', '展开或收起导航'],
    ['?', '快捷键'],
    ['Esc', '关掉最上面的一层'],
  ],
};

/** Registers a page's keys for the list of keys. */
export function useKeyHints(name: string, keys: KeyHints): void {
  const { add } = useContext(RegistryContext);
  const text = JSON.stringify(keys);
  useEffect(() => add({ name, keys: JSON.parse(text) as KeyHints }), [add, name, text]);
}

/** Opens the list of keys. */
export const useOpenKeys = (): (() => void) => useContext(RegistryContext).open;

/** Whether a key press belongs to a field or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function KeysDialog({ sections, onClose }: { sections: readonly Section[]; onClose: () => void }) {
  return (
    <Dialog title="快捷键" onClose={onClose}>
      <div className="grid gap-4 text-13">
        {sections.map(({ name, keys }) => (
          <section key={name} aria-label={name}>
            <h3 className="mb-1 text-12 text-ink-3">{name}</h3>
            <dl className="grid grid-cols-[96px_1fr] gap-y-2">
              {keys.map(([key, what]) => (
                <div key={key} className="contents">
                  <dt>
                    <kbd className="kbd">{key}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Stores the keys registered by the open page; `?` shows them with the keys of every page. */
export function Shortcuts({ children }: { children: ReactNode }) {
  const [sections, setSections] = useState<readonly Section[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [registry] = useState<Registry>(() => ({
    add(section) {
      setSections((now) => [...now, section]);
      return () => setSections((now) => now.filter((one) => one !== section));
    },
    open: () => setOpen(true),
  }));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (pressedKey(event) !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <RegistryContext value={registry}>
      {children}
      {isOpen && <KeysDialog sections={[...sections, EVERYWHERE]} onClose={() => setOpen(false)} />}
    </RegistryContext>
  );
}
