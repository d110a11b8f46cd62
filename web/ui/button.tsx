import type { ButtonHTMLAttributes } from 'react';
import { Link, type LinkProps } from 'react-router';
import { cx } from './class-names.ts';

interface ButtonStyle {
  /** `primary` is the main action of a screen; a screen has at most one. */
  kind?: 'plain' | 'primary' | 'tonal' | 'ghost' | 'danger';
  size?: 'sm' | 'md' | 'lg';
  /** Square, for an icon only; the button then needs an aria-label. */
  icon?: boolean;
}

/** The classes of a button, for elements other than the two below. */
export function buttonClass({ kind = 'plain', size = 'md', icon = false }: ButtonStyle): string {
  return cx('btn', kind !== 'plain' && `btn-${kind}`, size !== 'md' && `btn-${size}`, icon && 'btn-icon');
}

/** A native button. While `busy` it stays focusable, shows a spinner and ignores clicks, so nothing is sent twice. */
export function Button({
  kind,
  size,
  icon,
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & ButtonStyle & { busy?: boolean }) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={cx(buttonClass({ ...(kind && { kind }), ...(size && { size }), ...(icon && { icon }) }), className)}
      onClick={busy ? undefined : onClick}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, icon, className, ...rest }: LinkProps & ButtonStyle) {
  return (
    <Link
      {...rest}
      className={cx(buttonClass({ ...(kind && { kind }), ...(size && { size }), ...(icon && { icon }) }), className)}
    />
  );
}
