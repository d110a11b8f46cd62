import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

export interface TabItem {
  key: string;
  label: ReactNode;
  content: ReactNode;
}

/**
 * Tabs by the ARIA pattern: arrow keys move, the visible panel follows. For tabs with URLs, use links with
 * aria-current.
 */
export function Tabs({ items, label, initial }: { items: readonly TabItem[]; label: string; initial?: string }) {
  const id = useId();
  const [current, setCurrent] = useState(initial ?? items[0]?.key);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = items.findIndex((item) => item.key === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[pressedKey(event)];
    if (to === undefined) return;
    event.preventDefault();
    const next = items[(to + items.length) % items.length];
    if (!next) return;
    setCurrent(next.key);
    document.getElementById(`${id}tab-${next.key}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {items.map(({ key, label: text }) => (
          <button
            key={key}
            id={`${id}tab-${key}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={key === current}
            aria-controls={`${id}panel-${key}`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => setCurrent(key)}
          >
            {text}
          </button>
        ))}
      </div>
      {items.map(({ key, content }) => (
        <div
          key={key}
          id={`${id}panel-${key}`}
          role="tabpanel"
          aria-labelledby={`${id}tab-${key}`}
          hidden={key !== current}
        >
          {content}
        </div>
      ))}
    </>
  );
}
