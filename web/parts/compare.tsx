import { Scale } from 'lucide-react';
import { useState } from 'react';
import type { GoodsCard } from '#contract/goods.ts';
import { clearCompared, MAX_COMPARED, toggleCompared, useCompared } from '#web/lib/compare-store.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { GoodsPicture } from './goods-parts.tsx';

const CompareTable = lazyWithRetry(() => import('./compare-table.lazy.tsx'));
const WhyHere = lazyWithRetry(() => import('./why-here.lazy.tsx'));

/** Tells on demand why a listing stands where it does. */
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

/** The bar of compared listings at the bottom of the screen; appears with the first choice. */
export function CompareBar() {
  const items = useCompared();
  const [open, setOpen] = useState(false);
  if (items.length === 0) return null;
  return (
    <aside className="compare-bar" aria-label="商品对比">
      <b className="font-semibold">
        对比 {items.length} / {MAX_COMPARED}
      </b>
      <ul className="flex gap-4 max-md:hidden">
        {items.map((goods) => (
          <li key={goods.goodsSn} className="flex items-center gap-2">
            <GoodsPicture goods={{ ...goods, pictureNum: 0 }} width={48} height={32} className="w-12" />
            <Price yuan={goods.allInPrice} size="sm" />
          </li>
        ))}
      </ul>
      <span className="ml-auto flex gap-2">
        <Button kind="ghost" onClick={clearCompared}>
          清空
        </Button>
        <Button kind="primary" disabled={items.length < 2} onClick={() => setOpen(true)}>
          并排对比
        </Button>
      </span>
      {open && <CompareTable items={items} onClose={() => setOpen(false)} />}
    </aside>
  );
}

/** The row of companions, loaded from here since this file names the scripts that load later. */
export const companionRow = () => import('./service/companion-rows.lazy.tsx');
