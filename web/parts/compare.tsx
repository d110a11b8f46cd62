import { Scale } from 'lucide-react';
import { useState } from 'react';
import type { GoodsCard } from '#contract/goods.ts';
import { MAX_COMPARED, toggleCompared, useCompared } from '#web/lib/compare-store.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/toast-store.ts';

const Bar = lazyWithRetry(() => import('./compare-bar.lazy.tsx'));
const WhyHere = lazyWithRetry(() => import('./why-here.lazy.tsx'));

/** Explains on demand why a listing has its position. */
export function WhyButton({ goods }: { goods: GoodsCard }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="why hover:text-link" title="为什么排在这里" onClick={() => setOpen(true)}>
        排序说明
      </button>
      {open && <WhyHere goods={goods} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Adds a listing to the comparison, up to four. */
export function CompareButton({ goods }: { goods: GoodsCard }) {
  const chosen = useCompared().some(({ goodsSn }) => goodsSn === goods.goodsSn);
  return (
    <button
      type="button"
      className={cx('inline-flex items-center gap-1 hover:text-link', chosen && 'text-link')}
      aria-pressed={chosen}
      onClick={() => {
        if (!toggleCompared(goods)) toast(`最多对比 ${MAX_COMPARED} 件`, 'warn');
      }}
    >
      <Scale className="icon" aria-hidden="true" />
      对比
    </button>
  );
}

/** The bar of compared listings at the bottom of the screen; appears, and is loaded, with the first choice. */
export function CompareBar() {
  const items = useCompared();
  return items.length > 0 ? <Bar items={items} /> : null;
}
