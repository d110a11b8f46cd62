import { ImagePlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { staffContentUpload } from '#subjects/media/contract/staff-uploads.ts';
import { pictureError } from '#web/lib/media/picture-kinds.ts';
import { sendPicture } from '#web/lib/media/upload.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';

/** One picture of a brand or an advert: uploaded immediately, shown, replaced, removed. The value is its URL, or ''. */
export function PictureField({
  label,
  help,
  url,
  error,
  shape = 'wide',
  onChange,
}: {
  label: string;
  help?: string;
  url: string;
  error?: Message | null | undefined;
  shape?: 'wide' | 'square';
  onChange: (url: string) => void;
}) {
  const file = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const {
    busy,
    errors: { send: failed },
    send,
  } = useMutation((picked: File) => sendPicture(staffContentUpload, '', picked), {
    done: ({ imageUri }) => onChange(imageUri),
  });
  const take = async (picked: File | undefined) => {
    if (!picked) return;
    const fault = pictureError(picked);
    setWrong(fault);
    if (fault === null) await send(picked);
    if (file.current) file.current.value = '';
  };
  return (
    <Field label={label} help={help} error={wrong ?? failed ?? error}>
      {(control, onEdit) => (
        <span className="flex items-center gap-2">
          <span
            className={`grid h-14 flex-none place-items-center overflow-hidden rounded-control border border-line bg-sunken ${shape === 'square' ? 'w-14' : 'w-36'}`}
          >
            {url ? (
              <img
                src={url}
                alt={`${label}预览`}
                width={144}
                height={56}
                className={`h-14 object-contain ${shape === 'square' ? 'w-14' : 'w-36'}`}
              />
            ) : (
              <ImagePlus className="icon text-ink-4" aria-hidden="true" />
            )}
          </span>
          <input
            {...control}
            ref={file}
            type="file"
            {...pictureInput}
            className="sr-only"
            onChange={(e) => void take(e.target.files?.[0])}
          />
          <Button size="sm" busy={busy} onClick={() => file.current?.click()}>
            {url ? '更换' : '上传'}
          </Button>
          {url && (
            <Button
              size="sm"
              kind="ghost"
              aria-label={`移除${label}`}
              onClick={() => {
                onChange('');
                setWrong(null);
                onEdit();
              }}
            >
              <X className="icon size-3.5" aria-hidden="true" />
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}
