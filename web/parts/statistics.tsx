import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { isStrictPage, type Statistics as Found } from '#contract/rules/statistics.ts';
import { useSite } from '#web/lib/site.ts';

declare global {
  interface Window {
    _hmt?: unknown[][];
    LA?: { init(options: Record<string, unknown>): void };
  }
}

/** Puts a service's own script into the page; it may run because a script that we trust has put it there. */
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
/** A document keeps the policy that it came with. */
const isStrictDocument = typeof document !== 'undefined' && isStrictPage(document.location.pathname);

/**
 * The distributor's own statistics, by ids alone. They begin once a page has stood for a while, so that they slow nothing down, and
 * never in a document that began as a page of money, log-in or conversation, whose policy would not let them.
 */
export function Statistics() {
  const statistics = useSite()?.statistics;
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (!statistics || isStrictDocument || isStrictPage(pathname)) return;
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
