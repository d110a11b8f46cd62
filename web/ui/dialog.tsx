import { X } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { useModal } from './use-modal.ts';

/**
 * A modal on the native element: the browser traps the focus, closes on Escape and makes the rest inert. The focus
 * returns to its previous element. Render it only while open, with large content loaded on demand. A press beside it closes it until
 * something was entered, and only when it also began there: a selection that is dragged out of a field is none.
 */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  shape = 'box',
  closeOnBackdrop = true,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** `box` 500 wide, `wide` 1280 wide (product.md 9), `sheet` from the bottom edge, for phones. */
  shape?: 'box' | 'wide' | 'sheet';
  closeOnBackdrop?: boolean;
}) {
  const ref = useModal();
  const titleId = useId();
  const isEntered = useRef(false);
  const isPressedBeside = useRef(false);
  return (
    <dialog
      ref={ref}
      className={cx('dialog', shape === 'wide' && 'dialog-wide', shape === 'sheet' && 'sheet')}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onInput={() => {
        isEntered.current = true;
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        const isBeside = isPressedBeside.current && event.target === event.currentTarget;
        if (closeOnBackdrop && isBeside && !isEntered.current) onClose();
      }}
    >
      <div className="sticky top-0 z-1 flex items-center gap-3 border-b border-line-soft bg-float py-2 pr-2 pl-4">
        <h2 id={titleId} className="text-16 font-semibold">
          {title}
        </h2>
        <Button kind="ghost" icon aria-label="关闭" className="ml-auto" onClick={onClose}>
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
  );
}
