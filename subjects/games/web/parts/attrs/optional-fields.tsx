import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Field as AttrField } from '#subjects/games/contract/games.ts';
import { cx } from '#web/ui/class-names.ts';

/** Whether a field has a value. */
const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== '' && (!Array.isArray(value) || value.length > 0);

/**
 * The fields of a game in two parts: the required ones visible, the others behind a button with a count. It opens by itself when one
 * of them has an error.
 */
export function FieldsInParts({
  fields,
  values,
  hasError,
  className,
  children,
}: {
  fields: readonly AttrField[];
  values: Readonly<Record<string, unknown>>;
  hasError: (key: string) => boolean;
  /** Of the button. */
  className?: string;
  /** Renders one part. */
  children: (fields: readonly AttrField[]) => ReactNode;
}) {
  const required = fields.filter((field) => field.required);
  const others = fields.filter((field) => !field.required);
  const filled = others.filter(({ key }) => isFilled(values[key])).length;
  const [wasOpened, setWasOpened] = useState(false);
  const isOpen = wasOpened || others.some(({ key }) => hasError(key));
  return (
    <>
      {required.length > 0 && children(required)}
      {others.length > 0 && (
        <>
          <button
            type="button"
            className={cx(
              'flex h-10 items-center gap-2 rounded-control bg-sunken px-3 text-13 text-ink-2 hover:text-ink',
              className,
            )}
            aria-expanded={isOpen}
            onClick={() => setWasOpened(!isOpen)}
          >
            选填属性
            <span className="text-ink-3">
              已填 {filled} / {others.length}
            </span>
            <ChevronDown className={cx('icon ml-auto size-4', isOpen && 'rotate-180')} aria-hidden="true" />
          </button>
          {isOpen && children(others)}
        </>
      )}
    </>
  );
}
