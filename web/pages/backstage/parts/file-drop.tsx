import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

/** A drop area for a file that also opens the file chooser; it is a button over the native field, so it works by keyboard. */
export function FileDrop({
  busy,
  labels,
  accept,
  onFile,
}: {
  busy: boolean;
  labels: { choose: string; busy: string; help: string; field: string };
  /** Same as the `accept` attribute of the native field. */
  accept: string;
  onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) onFile(file);
  };
  return (
    <>
      <button
        type="button"
        className={cx('office-drop', over && 'office-drop-over')}
        aria-busy={busy || undefined}
        onClick={() => !busy && input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {busy ? <span className="spinner" aria-hidden="true" /> : <Upload className="icon size-6" aria-hidden="true" />}
        <b className="font-medium">{busy ? labels.busy : labels.choose}</b>
        <span className="text-12 text-ink-3">{labels.help}</span>
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={labels.field}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
