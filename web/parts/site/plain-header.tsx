import type { ReactNode } from 'react';
import { PlainInWechat } from '../wechat/in-wechat.tsx';
import { Logo } from './logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** A header that links only to the home page: for the log-in, pages of one column, pages without navigation. */
export function PlainHeader({ name, logo, children }: { name: string; logo: string; children?: ReactNode }) {
  return (
    <header className="border-b border-line bg-panel">
      <div className="wrap flex h-16 items-center gap-4">
        <Logo name={name} src={logo} />
        <span className="ml-auto flex items-center gap-4 text-12 text-ink-2">
          {children}
          <ThemeSwitch />
        </span>
      </div>
      <PlainInWechat />
    </header>
  );
}
