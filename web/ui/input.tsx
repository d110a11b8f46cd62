import type { ComponentPropsWithRef, ReactNode } from 'react';
import { cx } from './class-names.ts';

interface Small {
  /** The compact form, for filters and tables. */
  small?: boolean;
}

/** A one-line text field. */
export function Input({ small = false, className, ...rest }: ComponentPropsWithRef<'input'> & Small) {
  return <input {...rest} className={cx('input', small && 'input-sm', className)} />;
}

/** A text field of several lines. */
export function Textarea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...rest} className={cx('input', className)} />;
}

/** The browser's own select, which is best on phones and by keyboard. */
export function Select({ small = false, className, ...rest }: ComponentPropsWithRef<'select'> & Small) {
  return <select {...rest} className={cx('input', small && 'input-sm', className)} />;
}

/** A list of choices with one of them added or taken away, as its checkbox says. */
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
