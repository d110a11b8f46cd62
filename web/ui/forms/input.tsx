import type { ChangeEvent, ComponentPropsWithRef, CompositionEvent, ReactNode } from 'react';
import {
  typedAccountId,
  typedAmount,
  typedCode,
  typedContact,
  typedDigits,
  typedIdCard,
  typedMail,
  typedPhone,
} from '#contract/rules/texts/typed.ts';
import { cx } from '../class-names.ts';

interface Small {
  /** The compact form, for filters and tables. */
  small?: boolean;
}

/** The kind of value in a field, and how pasted or autofilled text is normalised. */
const READERS = {
  phone: typedPhone,
  digits: typedDigits,
  amount: typedAmount,
  idCard: typedIdCard,
  accountId: typedAccountId,
  contact: typedContact,
  code: typedCode,
  mail: typedMail,
};

/** Phone numbers, codes and amounts are identified by their type or keyboard; `holds` names the other kinds. */
function readerOf({ type, inputMode }: ComponentPropsWithRef<'input'>): keyof typeof READERS | undefined {
  if (type === 'tel' || inputMode === 'tel') return 'phone';
  if (type === 'email' || inputMode === 'email') return 'mail';
  if (inputMode === 'decimal') return 'amount';
  return inputMode === 'numeric' ? 'digits' : undefined;
}

/**
 * A one-line text field. A number or id is normalised as soon as it is in the field: pasted with spaces or +86, filled in by
 * the device, or typed in full width. Such a field has no maxLength, which would truncate pasted text before that; text that is too long is
 * reported by the form's check.
 */
export function Input({
  small = false,
  holds,
  className,
  onChange,
  onCompositionEnd,
  ...rest
}: ComponentPropsWithRef<'input'> & Small & { holds?: keyof typeof READERS | undefined }) {
  const name = holds ?? readerOf(rest);
  const shared = { className: cx('input', small && 'input-sm', className) };
  if (name === undefined)
    return <input {...rest} {...shared} onChange={onChange} onCompositionEnd={onCompositionEnd} />;
  const tidy = (field: HTMLInputElement) => {
    const plain = READERS[name](field.value);
    if (plain !== field.value) field.value = plain;
  };
  const { maxLength: _, ...unlimited } = rest;
  return (
    <input
      {...unlimited}
      {...shared}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        if (!(event.nativeEvent as InputEvent).isComposing) tidy(event.currentTarget);
        onChange?.(event);
      }}
      onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => {
        tidy(event.currentTarget);
        onChange?.(event as unknown as ChangeEvent<HTMLInputElement>);
        onCompositionEnd?.(event);
      }}
    />
  );
}

/** A text field of several lines. */
export function Textarea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...rest} className={cx('input', className)} />;
}

/** The browser's own select, which is best on phones and by keyboard. */
export function Select({ small = false, className, ...rest }: ComponentPropsWithRef<'select'> & Small) {
  return <select {...rest} className={cx('input', small && 'input-sm', className)} />;
}

/** A list of choices with one added or removed, depending on its checkbox. */
export const withChoice = <T,>(chosen: readonly T[], choice: T, isChosen: boolean): T[] =>
  isChosen ? [...chosen, choice] : chosen.filter((one) => one !== choice);

/** A checkbox with its label. */
export function Checkbox({ children, className, ...rest }: ComponentPropsWithRef<'input'> & { children: ReactNode }) {
  return (
    <label className={cx('check', className)}>
      <input {...rest} type="checkbox" />
      <span>{children}</span>
    </label>
  );
}

/** A radio button with its label; those of one group share `name`. */
export function Radio({ children, className, ...rest }: ComponentPropsWithRef<'input'> & { children: ReactNode }) {
  return (
    <label className={cx('check', className)}>
      <input {...rest} type="radio" />
      <span>{children}</span>
    </label>
  );
}
