import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { isStrictPage, type Statistics as Found } from '#subjects/distributors/rules/statistics.ts';
import { useSite } from '#web/lib/pages/site.ts';

declare global {
  interface Window {
    _hmt?: unknown[][];
    LA?: { init(options: Record<string, unknown>): void };
  }
}

/** Inserts a service's script into the page; the policy allows it because a trusted script inserts it. */
function load(src: string, onLoad?: () => void): void {
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  if (onLoad) script.onload = onLoad;
  document.head.append(script);
}

function start({ scripts }: Found): void {
  for (const { service, id, src } of scripts) {
    if (service === 'baidu') {
      window._hmt ??= [];
      load(src);
    } else load(src, () => window.LA?.init({ id, ck: id, hashMode: false }));
  }
}

const AFTER_MS = 2000;

let started = false;
/** The policy of a document does not change on client-side navigation. */
const isStrictDocument = typeof document !== 'undefined' && isStrictPage(document.location.pathname);

/**
 * The distributor's own web analytics, by ids only. Loaded some time after the page, so that they do not slow it down,
 * never for users who are logged in, and never in the document of a page with money, log-in or conversation (decision 540).
 */
export function Statistics() {
  const statistics = useSite()?.statistics;
  const { pathname, search } = useLocation();
  useEffect(() => {
    // A page with a password field never shares its document with a third-party script: it is reloaded under its own policy.
    if (started && isStrictPage(pathname)) {
      window.location.reload();
      return;
    }
    // Without scripts (a signed-in user, a brand without ids) nothing is started, and the document stays for strict pages.
    if (!statistics || statistics.scripts.length === 0 || isStrictDocument || isStrictPage(pathname)) return;
    if (started) {
      window._hmt?.push(['_trackPageview', `${pathname}${search}`]);
      return;
    }
    const timer = setTimeout(() => {
      started = true;
      start(statistics);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [statistics, pathname, search]);
  return null;
}
