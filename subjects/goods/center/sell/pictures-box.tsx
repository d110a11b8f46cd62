import { ArrowLeft, ArrowRight, CirclePlus, RotateCw, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';
import { CameraTile } from '#web/ui/forms/camera-tile.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import type { SellPicture } from './form-state.ts';
import { type Sending, usePictures } from './use-pictures.ts';
import { useReorder } from './use-reorder.ts';

const TILE = 'relative aspect-[4/3] overflow-hidden rounded-control border border-line bg-sunken';
const KNOB = 'grid size-7 place-items-center rounded-full bg-black/60 text-white hover:bg-black/80 max-md:size-8';

function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const item = list[from];
  return item === undefined ? [...list] : [...rest.slice(0, to), item, ...rest.slice(to)];
}

type Knob = 'forth' | 'back' | 'remove';

function Arrived({
  picture,
  index,
  count,
  dragged,
  onMove,
  onRemove,
}: {
  picture: SellPicture;
  index: number;
  count: number;
  dragged: boolean;
  onMove: (to: number, knob: Knob) => void;
  onRemove: () => void;
}) {
  const name = `第 ${index + 1} 张图片`;
  return (
    <li
      className={cx(
        TILE,
        'group cursor-grab select-none [-webkit-touch-callout:none]',
        dragged && 'cursor-grabbing opacity-70 outline-2 outline-brand-500',
      )}
      data-picture={index}
    >
      <img src={picture.url} alt={name} width={160} height={120} draggable={false} className="size-full object-cover" />
      {index === 0 && (
        <span className="absolute top-1 left-1 rounded-tag bg-black/60 px-1.5 text-11 text-white">封面</span>
      )}
      <span className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        {index > 0 && (
          <button
            type="button"
            className={cx(KNOB, 'absolute bottom-1 left-1')}
            aria-label={`${name}前移`}
            data-knob="forth"
            onClick={() => onMove(index - 1, 'forth')}
          >
            <ArrowLeft className="icon size-3.5" aria-hidden="true" />
          </button>
        )}
        {index < count - 1 && (
          <button
            type="button"
            className={cx(KNOB, 'absolute right-1 bottom-1')}
            aria-label={`${name}后移`}
            data-knob="back"
            onClick={() => onMove(index + 1, 'back')}
          >
            <ArrowRight className="icon size-3.5" aria-hidden="true" />
          </button>
        )}
        <button
          type="button"
          className={cx(KNOB, 'absolute top-1 right-1')}
          aria-label={`移除${name}`}
          data-knob="remove"
          onClick={onRemove}
        >
          <X className="icon size-3.5" aria-hidden="true" />
        </button>
      </span>
    </li>
  );
}

function UploadTile({ item, onRetry, onDrop }: { item: Sending; onRetry: () => void; onDrop: () => void }) {
  const percent = Math.round(item.part * 100);
  return (
    <li className={TILE}>
      <img src={item.preview} alt="" width={160} height={120} className="size-full object-cover opacity-50" />
      {item.error ? (
        <span className="absolute inset-0 grid content-center justify-items-center gap-1.5 bg-black/60 p-1.5 text-center text-11 text-white">
          <span role="alert">{item.error}</span>
          <span className="flex gap-1.5">
            <button type="button" className={KNOB} aria-label="重新上传" onClick={onRetry}>
              <RotateCw className="icon size-3.5" aria-hidden="true" />
            </button>
            <button type="button" className={KNOB} aria-label="放弃这张" onClick={onDrop}>
              <X className="icon size-3.5" aria-hidden="true" />
            </button>
          </span>
        </span>
      ) : (
        <>
          <span className="absolute inset-x-2 bottom-2 h-1 overflow-hidden rounded-full bg-black/40">
            <span
              className="block h-full rounded-full bg-white transition-[width]"
              style={{ width: `${Math.max(4, percent)}%` }}
              role="progressbar"
              aria-label="正在上传"
              aria-valuenow={percent}
              aria-valuemin={0}
              aria-valuemax={100}
            />
          </span>
          <button type="button" className={cx(KNOB, 'absolute top-1 right-1')} aria-label="取消上传" onClick={onDrop}>
            <X className="icon size-3.5" aria-hidden="true" />
          </button>
        </>
      )}
    </li>
  );
}

/** The last tile, which takes more files. */
function AddTile({
  id,
  count,
  max,
  invalid,
  onTake,
}: {
  id: string;
  count: number;
  max: number;
  invalid: boolean;
  onTake: (files: readonly File[]) => void;
}) {
  return (
    <li>
      <label
        htmlFor={id}
        className="flex aspect-[4/3] w-full cursor-pointer flex-col items-center justify-center gap-1 rounded-control border border-dashed border-line-control text-12 text-ink-3 hover:border-brand-500 hover:text-link has-focus-visible:outline-2 has-focus-visible:outline-brand-500"
      >
        <CirclePlus className="icon size-5" aria-hidden="true" />
        <span>{count > 0 ? '继续添加' : '添加图片'}</span>
        <span className="text-11">
          {count} / {max}
        </span>
        <input
          id={id}
          type="file"
          {...pictureInput}
          multiple
          className="sr-only"
          aria-label="添加图片"
          aria-describedby={`${id}help`}
          aria-invalid={invalid || undefined}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            onTake(files);
          }}
        />
      </label>
    </li>
  );
}

/** Running and failed uploads. */
export interface Uploads {
  running: number;
  failed: number;
}

/** Files pasted anywhere on the page, except into a text field. */
function usePaste(take: (files: readonly File[]) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    take(files);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

/**
 * Keeps the focus on the moved picture, even when its button is removed at an end of the row, and on a neighbour after
 * a removal. Returns the ref of the list and a function to call before the change.
 */
function useFocusAfterChange(pictures: readonly SellPicture[]) {
  const list = useRef<HTMLUListElement>(null);
  const wanted = useRef<{ index: number; knob: Knob } | null>(null);
  useEffect(() => {
    if (!wanted.current) return;
    const { index, knob } = wanted.current;
    wanted.current = null;
    const tile = list.current?.querySelector(`[data-picture="${Math.min(index, pictures.length - 1)}"]`);
    const target = tile?.querySelector(`[data-knob="${knob}"]`) ?? tile?.querySelector('[data-knob]');
    ((target ?? list.current?.querySelector('input')) as HTMLElement | null)?.focus();
  }, [pictures]);
  const focusAfterChange = (index: number, knob: Knob) => {
    wanted.current = { index, knob };
  };
  return { list, keep: focusAfterChange };
}

/**
 * Pictures of a listing: chosen, dropped or pasted anywhere, reduced, uploaded with progress, and reordered by dragging (mouse or touch) or
 * by buttons. The first is the cover.
 */
export function PicturesBox({
  pictures,
  max,
  error,
  help,
  onChange,
  onUploads,
}: {
  pictures: readonly SellPicture[];
  max: number;
  error: Message | undefined;
  help: ReactNode;
  onChange: (change: (before: readonly SellPicture[]) => readonly SellPicture[]) => void;
  /** Called with the number of running and failed uploads. */
  onUploads: (uploads: Uploads) => void;
}) {
  const id = useId();
  const { sending, problem, add, retry, drop } = usePictures(max - pictures.length, onChange);
  const [isOver, setOver] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const { list, keep: focusAfterChange } = useFocusAfterChange(pictures);
  const take = (files: readonly File[]) => add(files, max);
  usePaste(take);
  const failed = sending.filter((item) => item.error !== null).length;
  const running = sending.length - failed;
  const notifyUploads = useEffectEvent(onUploads);
  useEffect(() => notifyUploads({ running, failed }), [running, failed]);
  const room = max - pictures.length - sending.length;
  const message = error ?? problem;

  const { dragged, handlers } = useReorder(
    list,
    (from, to) => onChange((before) => moveItem(before, from, to)),
    (at) => setAnnouncement(`已移到第 ${at + 1} 张`),
  );
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer.types.includes('Files')) setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };

  return (
    <div
      className={cx('field rounded-control', isOver && 'outline-2 outline-offset-4 outline-brand-500')}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <ul ref={list} className="grid grid-cols-3 gap-2 md:grid-cols-5" aria-label="已添加的图片" {...handlers}>
        {pictures.map((picture, index) => (
          <Arrived
            key={picture.key}
            picture={picture}
            index={index}
            count={pictures.length}
            dragged={dragged === index}
            onMove={(to, knob) => {
              focusAfterChange(to, knob);
              setAnnouncement(`已移到第 ${to + 1} 张`);
              onChange((before) => moveItem(before, index, to));
            }}
            onRemove={() => {
              focusAfterChange(index, 'remove');
              setAnnouncement('已移除');
              onChange((before) => before.filter(({ key }) => key !== picture.key));
            }}
          />
        ))}
        {sending.map((item) => (
          <UploadTile key={item.id} item={item} onRetry={() => retry(item)} onDrop={() => drop(item)} />
        ))}
        {room > 0 && (
          <AddTile id={id} count={pictures.length + sending.length} max={max} invalid={Boolean(error)} onTake={take} />
        )}
        {room > 0 && (
          <CameraTile
            label="拍照添加图片"
            className="aspect-[4/3] w-full cursor-pointer gap-1 rounded-control text-12 has-focus-visible:outline-2 has-focus-visible:outline-brand-500"
            iconClassName="size-5"
            onTake={take}
          />
        )}
      </ul>
      <FormError>{message}</FormError>
      <p className="field-help" id={`${id}help`}>
        {help}
      </p>
    </div>
  );
}
