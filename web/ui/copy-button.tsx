import { Copy } from 'lucide-react';
import { cx } from './class-names.ts';
import { toast } from './overlays/toast-store.ts';

/**
 * Copies a text and confirms it; without a secure context there is no clipboard, so the text has to be selected by
 * hand.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) return toast('复制失败，请手动复制', 'warn');
  }
  toast('复制成功', 'ok');
}

/** A number that is copied on click. */
export function CopyButton({ text, label, className }: { text: string; label?: string; className?: string }) {
  return (
    <button
      type="button"
      className={cx('copied-text hit inline-flex items-center gap-1 hover:text-link', className)}
      title="点击复制"
      aria-label={`复制${label ?? ''} ${text}`}
      onClick={() => void copyText(text)}
    >
      {text}
      <Copy className="icon size-3" aria-hidden="true" />
    </button>
  );
}
