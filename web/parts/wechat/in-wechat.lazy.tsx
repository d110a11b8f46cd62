import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { isWechat, payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';

const LeaveDialog = lazyWithRetry(() => import('./leave-wechat.lazy.tsx'));

const isHere = (): boolean => payerBrowser(navigator.userAgent) === 'wechat';

/** Inside WeChat on a phone no file can be saved: a click that would save one shows how to open the page elsewhere. */
function useSaving(): [isAsked: boolean, close: () => void] {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isHere()) return;
    const stop = (event: Event) => {
      if (event.type === 'click' && !(event.target as Element).closest?.('a[download]')) return;
      event.preventDefault();
      setAsked(true);
    };
    document.addEventListener('save-file', stop);
    document.addEventListener('click', stop, true);
    return () => {
      document.removeEventListener('save-file', stop);
      document.removeEventListener('click', stop, true);
    };
  }, []);
  return [isAsked, () => setAsked(false)];
}

/** Adapts pages to WeChat: its share menu contains a card of the current page, and files are saved elsewhere. */
export function InWechat(): ReactNode {
  const { key } = useLocation();
  const [isAsked, close] = useSaving();
  useEffect(() => {
    // WeChat for desktop has the share menu too.
    if (isWechat(navigator.userAgent))
      void import('#web/lib/browser/wechat-share.ts').then(({ sharePage }) => sharePage());
  }, [key]);
  return isAsked && <LeaveDialog onClose={close} />;
}
