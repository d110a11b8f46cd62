import { type LucideIcon, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { cx } from '../class-names.ts';

/** A drop area for a file, or for several, that also opens the file chooser; it is a button over the native field, so it works by keyboard. */
export function FileDrop({
  busy,
  disabled = false,
  icon: Icon = Upload,
  labels,
  accept,
  onFile,
  onFiles,
}: {
  busy: boolean;
  disabled?: boolean;
  icon?: LucideIcon;
  labels: { choose: string; busy: string; help: string; field: string };
  /** Same as the `accept` attribute of the native field. */
  accept: string;
  /** Accepts one file; `onFiles` accepts several instead. */
  onFile?: (file: File) => void;
  onFiles?: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const isReady = !busy && !disabled;
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    const [first] = files;
    if (!first) return;
    onFiles?.(files);
    onFile?.(first);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (isReady) take(event.dataTransfer.files);
  };
  return (
    <>
      <button
        type="button"
        className={cx(
          'grid min-h-32 w-full place-items-center content-center gap-1.5 rounded-card border border-dashed border-line-control bg-panel p-4 text-center text-ink-2',
          isReady && 'hover:border-brand-500 hover:bg-brand-50',
          disabled && 'cursor-not-allowed text-ink-3',
          isOver && isReady && 'border-brand-500 bg-brand-50',
        )}
        aria-busy={busy || undefined}
        disabled={disabled}
        onClick={() => isReady && input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {busy ? (
          <span className="spinner" aria-hidden="true" />
        ) : (
          <Icon className="icon size-6 text-ink-3" aria-hidden="true" />
        )}
        <b className="font-medium">
          {busy ? labels.busy : labels.choose}
          {isReady && <span className="max-md:hidden">，或拖到这里</span>}
        </b>
        <span className="text-12 text-ink-3">{labels.help}</span>
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={onFiles !== undefined}
        hidden
        aria-label={labels.field}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
    </>
  );
}
