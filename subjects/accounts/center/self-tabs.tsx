import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';

const TABS = [
  { name: '个人资料', to: '/center/myself/myselfInfo?tabIndex=0' },
  { name: '实名认证', to: '/center/myself/identityAuthentication' },
  { name: '账户安全', to: '/center/myself/accountSecurity' },
] as const;

export const SECURITY = '/center/myself/accountSecurity';

/** Returns the route handle that places a change page under the security overview. */
export function underSecurity(name: string) {
  return { crumb: () => ({ under: SECURITY, name }) };
}

/** The three parts of the user's profile; `tabIndex` 0 to 2 of the first URL leads to the same (product.md 2). */
export function SelfTabs({ current, children }: { current: number; children: ReactNode }) {
  return (
    <section className="panel overflow-hidden" aria-label={TABS[current]?.name}>
      <h1 className="sr-only">{TABS[current]?.name}</h1>
      <LinkTabs
        label="账户"
        items={TABS.map(({ name, to }, index) => ({ key: name, label: name, to, isCurrent: index === current }))}
      />
      {children}
    </section>
  );
}

/** One account change: title, link back to the overview, and the form. */
export function ChangePanel({
  title,
  note,
  isForm = true,
  children,
}: {
  title: string;
  note?: ReactNode;
  /** Forms are as wide as their fields; other content has the panel's width. */
  isForm?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="panel" aria-labelledby="change">
      <div className="panel-head">
        <h1 id="change" className="text-16 font-semibold">
          {title}
        </h1>
        <Link to={SECURITY} className="more">
          账户安全
        </Link>
      </div>
      <div className={cx('grid gap-4 p-4 md:py-5', isForm && 'max-w-120')}>
        {note && <p className="text-13 text-ink-2">{note}</p>}
        {children}
      </div>
    </section>
  );
}
