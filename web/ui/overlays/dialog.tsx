import { X } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { cx } from '../class-names.ts';
import { useModal } from './use-modal.ts';
import { useUnsent } from '../forms/use-unsent.ts';

/** Fields with a text that would have to be typed again, unless `data-kept` says that it is kept elsewhere. */
const TYPED = 'textarea, input:is([type=text], [type=tel], [type=number], [type=url], [type=email], :not([type]))';

const Leave = createContext<() => void>(() => undefined);

/** The button that leaves the dialog without sending: like its cross and Escape, it asks first if text was typed. */
export function BackButton(props: Omit<ComponentProps<typeof Button>, 'onClick'>) {
  return <Button {...props} onClick={useContext(Leave)} />;
}

/** Asks whether to discard the typed text. */
export function AskToDiscard({
  of,
  onDiscard,
  onStay,
}: {
  of: 'page' | 'dialog';
  onDiscard?: () => void;
  onStay?: () => void;
}) {
  const isPage = of === 'page';
  return (
    <Dialog
      title={isPage ? '离开这一页？' : '不再填写？'}
      onClose={onStay ?? (() => undefined)}
      footer={
        <>
          <Button onClick={onDiscard}>{isPage ? '放弃并离开' : '放弃并关闭'}</Button>
          <Button kind="primary" data-focus-first onClick={onStay}>
            {isPage ? '留在本页' : '继续填写'}
          </Button>
        </>
      }
    >
      <p className="text-13 text-ink-2">填写的内容还没有{isPage ? '保存，离开' : '提交，关闭'}后不再保留。</p>
    </Dialog>
  );
}

/**
 * A modal on the native element: the browser traps the focus, closes on Escape and makes the rest inert. The focus
 * returns to its previous element. Render it only while open, with large content loaded on demand. A click outside closes it until
 * something was entered, and only if it also began outside: dragging a selection out of a field does not count. Other ways out ask first
 * when a text was typed, going back and a reload too: when a field does not have the text it had on its first focus. A field that is taken away and shown again
 * counts as new, with the text it then has.
 */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  shape = 'box',
  closeOnBackdrop = true,
  asksFirst = true,
  busy = false,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** `box` 500 wide, `wide` 1280 wide (product.md 9), `sheet` from the bottom edge, for phones, `side` the same and from the right edge of wider screens. */
  shape?: 'box' | 'wide' | 'sheet' | 'side';
  closeOnBackdrop?: boolean;
  /** False if the input is worthless once the dialog is closed: a code, a search. */
  asksFirst?: boolean;
  /** Cannot be closed while it is sending. */
  busy?: boolean;
}) {
  const titleId = useId();
  const isEntered = useRef(false);
  const wasDownOnBackdrop = useRef(false);
  /** The fields that had the focus, and their previous texts. */
  const before = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>());
  const [isAsking, setAsking] = useState(false);
  const isUnsent = () =>
    asksFirst &&
    !busy &&
    [...before.current].some(
      ([field, text]) => field.isConnected && field.dataset.kept !== 'true' && field.value.trim() !== text.trim(),
    );
  const ref = useModal();
  useUnsent(ref, isUnsent);
  const leave = () => {
    if (busy) return;
    if (isUnsent()) setAsking(true);
    else onClose();
  };
  return (
    <Leave value={leave}>
      <dialog
        ref={ref}
        className={cx(
          'dialog',
          shape === 'wide' && 'dialog-wide',
          shape === 'sheet' && 'sheet',
          shape === 'side' && 'sheet sheet-side',
        )}
        aria-labelledby={titleId}
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
        onFocus={(event) => {
          const field: unknown = event.target;
          const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
          if (isField && field.matches(TYPED) && !before.current.has(field)) before.current.set(field, field.value);
        }}
        onInput={() => {
          isEntered.current = true;
        }}
        onPointerDown={(event) => {
          wasDownOnBackdrop.current = event.target === event.currentTarget;
        }}
        onClick={(event) => {
          const isOnBackdrop = wasDownOnBackdrop.current && event.target === event.currentTarget;
          if (closeOnBackdrop && isOnBackdrop && !isEntered.current && !busy) onClose();
        }}
      >
        <div className="sticky top-0 z-1 flex items-center gap-3 border-b border-line-soft bg-float py-2 pr-2 pl-4">
          <h2 id={titleId} className="text-16 font-semibold">
            {title}
          </h2>
          <Button kind="ghost" icon aria-label="关闭" className="ml-auto" disabled={busy} onClick={leave}>
            <X className="icon" aria-hidden="true" />
          </Button>
        </div>
        <div className="p-4">{children}</div>
        {footer && (
          <div className="sticky bottom-0 flex justify-end gap-2 border-t border-line-soft bg-float px-4 py-3">
            {footer}
          </div>
        )}
      </dialog>
      {isAsking && <AskToDiscard of="dialog" onDiscard={onClose} onStay={() => setAsking(false)} />}
    </Leave>
  );
}
