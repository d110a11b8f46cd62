import { Camera } from 'lucide-react';
import { cx } from '../class-names.ts';

/**
 * The tile next to a list of pictures that opens a phone's camera directly, without a choice of the source. `className` gives it the size of the
 * other tiles; `label` names the field. Hidden on devices without touch.
 */
export function CameraTile({
  label,
  className,
  iconClassName,
  onTake,
}: {
  label: string;
  className: string;
  iconClassName?: string;
  onTake: (files: readonly File[]) => void;
}) {
  return (
    <li className="hidden pointer-coarse:block">
      <label
        className={cx(
          'flex flex-col items-center justify-center border border-dashed border-line-control text-ink-3',
          className,
        )}
      >
        <Camera className={cx('icon', iconClassName)} aria-hidden="true" />
        拍照
        <input
          type="file"
          accept="image/*"
          capture="environment"
          className="sr-only"
          aria-label={label}
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
