import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { cx } from '#web/ui/class-names.ts';

const ShareDialog = lazyWithRetry(() => import('./share-dialog.lazy.tsx'));

/** Shares the listing. */
export function ShareButton({
  goods,
  className,
}: {
  goods: { goodsSn: string; bigTitle: string; pageUrl: string };
  className?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={cx('hit inline-flex items-center gap-1 hover:text-link', className)}
        onClick={() => setOpen(true)}
      >
        <Share2 className="icon size-3.5" aria-hidden="true" />
        分享
      </button>
      {isOpen && (
        <ShareDialog
          goodsSn={goods.goodsSn}
          title={goods.bigTitle}
          path={goods.pageUrl}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
