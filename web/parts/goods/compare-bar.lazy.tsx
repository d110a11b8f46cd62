import { useState } from 'react';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { clearCompared, MAX_COMPARED } from '#web/lib/lists/compare-store.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Button } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { GoodsPicture } from './goods-parts.tsx';

const CompareTable = lazyWithRetry(() => import('./compare-table.lazy.tsx'));

/** The content of the bar of compared listings, and the table that it opens. */
export default function CompareBarContent({ items }: { items: readonly GoodsCard[] }) {
  const [open, setOpen] = useState(false);
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
