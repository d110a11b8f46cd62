import { CirclePlus, Image as ImageIcon, X } from 'lucide-react';
import { type ClipboardEvent, useId, useState } from 'react';
import { asFailure } from '#web/lib/api/call-errors.ts';
import { CameraTile } from '#web/ui/forms/camera-tile.tsx';
import { pictureError } from '#web/lib/media/picture-kinds.ts';
import { uploadEvidence } from '#web/lib/media/upload.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';
import { FormError } from '#web/ui/forms/field.tsx';

/** Maximum number of pictures for a step (subjects/orders/contract/order.ts, handoverDone). */
const STEP_PICTURES = 6;

export interface Evidence {
  key: string;
  imageUri: string;
}

/** Uploads files one after another while there is room, counts the running ones, and stores the last error. */
function useUploads(
  held: number,
  max: number,
  upload: (file: File) => Promise<Evidence>,
  onChange: (change: (before: readonly Evidence[]) => readonly Evidence[]) => void,
) {
  const [sending, setSending] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const room = max - held - sending;

  const add = async (files: readonly File[]) => {
    setError(null);
    const accepted = files.slice(0, Math.max(0, room));
    if (files.length > accepted.length) setError(`最多 ${max} 张图片`);
    for (const file of accepted) {
      const pictureProblem = pictureError(file);
      if (pictureProblem) {
        setError(pictureProblem);
        continue;
      }
      setSending((n) => n + 1);
      try {
        const { key, imageUri } = await upload(file);
        onChange((before) => [...before, { key, imageUri }]);
      } catch (thrown) {
        setError(asFailure(thrown).msg);
      } finally {
        setSending((n) => n - 1);
      }
    }
  };
  return { sending, room, add, error };
}

/** The form's error about the pictures, until they change: it refers to the pictures at that time. */
function useErrorOf(error: Message | null, pictures: readonly Evidence[]): Message | null {
  const keys = pictures.map(({ key }) => key).join();
  const [checked, setChecked] = useState({ error, keys });
  if (checked.error !== error) setChecked({ error, keys });
  return checked.keys === keys ? error : null;
}

/**
 * Pictures as evidence of a step: selected, taken with a phone's camera, or pasted; each is uploaded immediately and
 * can be removed again.
 */
export function EvidenceBox({
  pictures,
  title = '凭证',
  max = STEP_PICTURES,
  help = '上传这一步的截图，PNG 或 JPEG，每张不超过 10M；只有双方与客服可见。',
  error: missing = null,
  upload = uploadEvidence,
  onChange,
}: {
  pictures: readonly Evidence[];
  /** Null when the form has its own label above. */
  title?: string | null;
  max?: number;
  help?: string;
  /** The form's error about the pictures. */
  error?: Message | null | undefined;
  /** How a picture is uploaded; staff have a separate call. */
  upload?: (file: File) => Promise<Evidence>;
  onChange: (change: (before: readonly Evidence[]) => readonly Evidence[]) => void;
}) {
  const id = useId();
  const { sending, room, add, error } = useUploads(pictures.length, max, upload, onChange);
  const current = useErrorOf(missing, pictures);
  const problem = error ?? current;

  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };

  return (
    <div className="rounded-control border border-line bg-panel p-3" onPaste={onPaste}>
      {title !== null && (
        <p className="mb-1 flex items-center gap-1.5 text-13 font-semibold">
          <ImageIcon className="icon" aria-hidden="true" />
          {title}
        </p>
      )}
      <p className="mb-2.5 text-12 text-ink-3" id={`${id}help`}>
        {help}
      </p>
      <ul className="flex flex-wrap gap-2">
        {pictures.map(({ key, imageUri }, index) => (
          <li key={key} className="relative">
            <img
              src={imageUri}
              width={72}
              height={52}
              alt={`凭证 ${index + 1}`}
              className="h-13 w-18 rounded-tag object-cover"
            />
            <button
              type="button"
              aria-label={`移除凭证 ${index + 1}`}
              className="absolute -top-2 -right-2 grid size-6 place-items-center rounded-full border border-line bg-float text-ink-2"
              onClick={() => onChange((before) => before.filter((picture) => picture.key !== key))}
            >
              <X className="icon size-3" aria-hidden="true" />
            </button>
          </li>
        ))}
        {Array.from({ length: sending }, (_, index) => (
          <li
            key={`sending${index}`}
            className="grid h-13 w-18 place-items-center rounded-tag bg-sunken text-ink-3"
            aria-label="正在上传"
          >
            <span className="spinner" aria-hidden="true" />
          </li>
        ))}
        {room > 0 && (
          <li>
            <label
              htmlFor={id}
              className="flex h-13 w-18 flex-col items-center justify-center rounded-tag border border-dashed border-line-control text-11 text-ink-3 focus-within:outline-2 focus-within:outline-brand-500 hover:text-link"
            >
              <CirclePlus className="icon" aria-hidden="true" />
              {pictures.length > 0 ? '再传一张' : '上传截图'}
              <input
                id={id}
                type="file"
                {...pictureInput}
                multiple
                className="sr-only"
                aria-describedby={`${id}help`}
                aria-invalid={problem ? true : undefined}
                onChange={(event) => {
                  const files = [...(event.currentTarget.files ?? [])];
                  event.currentTarget.value = '';
                  void add(files);
                }}
              />
            </label>
          </li>
        )}
        {room > 0 && (
          <CameraTile
            label="拍照上传凭证"
            className="h-13 w-18 rounded-tag text-11 focus-within:outline-2 focus-within:outline-brand-500"
            onTake={(files) => void add(files)}
          />
        )}
      </ul>
      <FormError className="mt-2">{problem}</FormError>
    </div>
  );
}
