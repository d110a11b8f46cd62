import { Share2 } from 'lucide-react';
import { copyText } from '#web/ui/copy-button.tsx';
import { cx } from '#web/ui/class-names.ts';

/** Shares the page with the browser's share sheet, or copies its URL. */
async function share(title: string): Promise<void> {
  const url = window.location.href;
  if (!navigator.share) return copyText(url);
  try {
    await navigator.share({ title, url });
  } catch {
    // Closing the sheet is not an error.
  }
}

/** Shares the listing. */
export function ShareButton({ title, className }: { title: string; className?: string }) {
  return (
    <button
      type="button"
      className={cx('hit inline-flex items-center gap-1 hover:text-link', className)}
      onClick={() => void share(title)}
    >
      <Share2 className="icon size-3.5" aria-hidden="true" />
      分享
    </button>
  );
}
