import type { ReviewGoods } from '#subjects/goods/contract/staff-review.ts';
import { Button } from '#web/ui/button.tsx';

/** At the foot of the page: what was just approved, with the button that undoes it while the line below runs out. */
export function UndoBar({ listing, onUndo }: { listing: ReviewGoods | null; onUndo: () => void }) {
  return (
    <div role="status" className="undo-bar">
      {listing !== null && (
        <p key={listing.goodsSn}>
          <span className="truncate">已通过「{listing.bigTitle}」，5 秒后上架</span>
          <Button size="sm" onClick={onUndo}>
            撤销 <span className="kbd max-md:hidden">Z</span>
          </Button>
        </p>
      )}
    </div>
  );
}
