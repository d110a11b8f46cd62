import { ChevronLeft, ChevronRight, ExternalLink, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useModal } from '#web/ui/overlays/use-modal.ts';
import type { GalleryPicture } from './gallery-picture.ts';
import { useZoom } from './use-zoom.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

function Corner({
  position,
  label,
  onClick,
  children,
}: {
  position: string;
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={`viewer-${position}`} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}

/**
 * Pictures at full size: navigated by arrow keys, Home, End, a swipe or a press on either side; enlarged by wheel, two fingers, a double
 * press or + and −, then moved by dragging. Escape and the backdrop close.
 */
export default function Viewer({
  pictures,
  start,
  title,
  onClose,
  onTurn,
}: {
  pictures: readonly GalleryPicture[];
  start: number;
  title: string;
  onClose: () => void;
  onTurn: (index: number) => void;
}) {
  const dialog = useModal();
  const [at, setAt] = useState(start);
  const count = pictures.length;
  const turn = (index: number) => {
    const next = (index + count) % count;
    setAt(next);
    onTurn(next);
  };
  // Each picture starts unscaled.
  const { scale, zoom, reset, style, handlers } = useZoom(at, (by) => turn(at + by));
  const onKeyDown = (event: KeyboardEvent) => {
    const action = { '+': () => zoom('in'), '=': () => zoom('in'), '-': () => zoom('out'), '0': reset }[
      pressedKey(event)
    ];
    action?.();
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[pressedKey(event)];
    if (to === undefined) return;
    event.preventDefault();
    turn(to);
  };
  const picture = pictures[at];
  if (!picture) return null;
  const label = `${title}，图 ${at + 1}`;
  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={label}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('img,button,.viewer-bar')) onClose();
      }}
    >
      <img
        key={picture.url}
        src={picture.url}
        width={picture.width}
        height={picture.height}
        alt={label}
        draggable={false}
        style={style}
        {...handlers}
      />
      <div className="viewer-bar">
        <button type="button" aria-label="缩小" disabled={scale === 1} onClick={() => zoom('out')}>
          <ZoomOut className="icon" aria-hidden="true" />
        </button>
        <span aria-live="polite" className="tabular-nums">
          {at + 1} / {count}
          {scale > 1 && `，${Math.round(scale * 100)}%`}
        </span>
        <button type="button" aria-label="放大" onClick={() => zoom('in')}>
          <ZoomIn className="icon" aria-hidden="true" />
        </button>
        <a href={picture.url} target="_blank" rel="noreferrer">
          原图
          <ExternalLink className="icon size-3.5" aria-hidden="true" />
        </a>
      </div>
      <Corner position="close" label="关闭" onClick={onClose}>
        <X className="icon size-6" aria-hidden="true" />
      </Corner>
      {count > 1 && (
        <>
          <Corner position="prev" label="上一张" onClick={() => turn(at - 1)}>
            <ChevronLeft className="icon size-8" aria-hidden="true" />
          </Corner>
          <Corner position="next" label="下一张" onClick={() => turn(at + 1)}>
            <ChevronRight className="icon size-8" aria-hidden="true" />
          </Corner>
        </>
      )}
    </dialog>
  );
}
