import { ArrowUp, Headset, Heart, History, RotateCcw, ShieldAlert, ShieldCheck, ShoppingBag, Tag } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';

const ICONS = { buy: ShoppingBag, sell: Tag, history: History, heart: Heart, recycle: RotateCcw } as const;

/** Opens the conversation with customer service. */
const SERVICE_PATH = '/customerService?open=1';

const VerifyDialog = lazyWithRetry(() => import('./verify-dialog.lazy.tsx'));

/** A link of the floating menu; the layout omits links whose page does not exist. */
export interface FloatingMenuItem {
  icon: keyof typeof ICONS;
  label: string;
  to: string;
  /** A second link besides the first (`lead`); the item then opens a choice of both. */
  more?: { lead: string; label: string; to: string };
}

/** The floating menu at the screen's right edge: service, frequent links, back to top (product.md 2). */
export function FloatingMenu({ items, serviceNum }: { items: readonly FloatingMenuItem[]; serviceNum: string }) {
  const [verifying, setVerifying] = useState<'service' | 'black' | null>(null);
  return (
    <>
      <aside className="floats" aria-label="快捷菜单">
        <Popover
          label="联系客服"
          align="end"
          className="p-4 text-13"
          trigger={(props) => (
            <button type="button" {...props}>
              <Headset className="icon" aria-hidden="true" />
              客服
            </button>
          )}
        >
          {(close) => (
            <>
              <Link to={SERVICE_PATH} onClick={close} className="btn btn-primary btn-sm w-full">
                在线咨询
              </Link>
              {serviceNum && (
                <p className="mt-3 flex items-center gap-3 whitespace-nowrap">
                  <span className="text-ink-3">客服号码</span>
                  <b>{serviceNum}</b>
                  <button type="button" className="link" onClick={() => void copyText(serviceNum)}>
                    复制
                  </button>
                </p>
              )}
              <p className="mt-2 max-w-56 text-12 text-ink-3">客服不会主动加您好友，也不会要求站外付款。</p>
            </>
          )}
        </Popover>
        {items.map(({ icon, label, to, more }) => {
          const Icon = ICONS[icon];
          if (more)
            return (
              <Popover
                key={to}
                label={label}
                align="end"
                className="p-2 text-13"
                trigger={(props) => (
                  <button type="button" {...props}>
                    <Icon className="icon" aria-hidden="true" />
                    {label}
                  </button>
                )}
              >
                {(close) => (
                  <nav aria-label={label} className="grid">
                    {[{ label: more.lead, to }, more].map((option) => (
                      <Link
                        key={option.to}
                        to={option.to}
                        onClick={close}
                        className="rounded-control px-3 py-2 hover:bg-sunken"
                      >
                        {option.label}
                      </Link>
                    ))}
                  </nav>
                )}
              </Popover>
            );
          return (
            <Link key={to} to={to}>
              <Icon className="icon" aria-hidden="true" />
              {label}
            </Link>
          );
        })}
        <button type="button" onClick={() => setVerifying('service')}>
          <ShieldCheck className="icon" aria-hidden="true" />
          客服验真
        </button>
        <button type="button" onClick={() => setVerifying('black')}>
          <ShieldAlert className="icon" aria-hidden="true" />
          黑号查询
        </button>
        <button type="button" onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}>
          <ArrowUp className="icon" aria-hidden="true" />
          顶部
        </button>
      </aside>
      {verifying && <VerifyDialog tab={verifying} onClose={() => setVerifying(null)} />}
    </>
  );
}
