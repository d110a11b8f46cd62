import { Info, Scale } from 'lucide-react';
import { useState } from 'react';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { comparedType, MAX_COMPARED, toggleCompared, useCompared } from '#web/lib/lists/compare-store.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

const Bar = lazyWithRetry(() => import('./compare-bar.lazy.tsx'));
const WhyHere = lazyWithRetry(() => import('./why-here.lazy.tsx'));

/** Explains on demand how a list is ordered: once for all its rows. */
export function WhyButton({ goods }: { goods: readonly GoodsCard[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="why-order" onClick={() => setOpen(true)}>
        <Info className="icon size-3.5" aria-hidden="true" />
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
        const result = toggleCompared(goods);
        if (result === 'full') toast(`最多对比 ${MAX_COMPARED} 件`, 'warn');
        if (result === 'replaced') toast('只能对比同一游戏的同类商品，已换成新的一组', 'ok');
      }}
    >
      <Scale className="icon" aria-hidden="true" />
      对比
    </button>
  );
}

/** The bar of compared listings at the bottom of a list that could contain them; appears, and is loaded, with the first choice. */
export function CompareBar({ gameId, typeId }: { gameId: number | null; typeId: number | null }) {
  const items = useCompared();
  const [first] = items;
  const belongs =
    first &&
    (gameId === null || first.gameId === gameId) &&
    (typeId === null || comparedType(first.goodsTypeId) === comparedType(typeId));
  return belongs ? <Bar items={items} /> : null;
}
