import { useEffect, useSyncExternalStore } from 'react';
import { noticeUnread } from '#contract/notice.ts';
import { call } from './api.ts';
import { cookie } from './cookies.ts';

/** Where everything stands that one was told. */
export const NOTICES = '/center/notices';

/** Between two looks for something new, while somebody looks at the page. */
const POLL_MS = 45_000;

/** Unread notices, as far as this page knows: one number for every bell on it. */
let unread = 0;
const listeners = new Set<() => void>();

/** Says how many are unread now; every bell of the page follows. */
export function setUnread(count: number): void {
  if (count === unread) return;
  unread = count;
  for (const listener of listeners) listener();
}

let timer: ReturnType<typeof setInterval> | undefined;

async function poll(): Promise<void> {
  if (document.visibilityState !== 'visible' || !cookie('token')) return;
  try {
    setUnread((await call(noticeUnread, {}, { quiet: true })).total);
  } catch {
    // Something new is nothing that a page has to have; the next look may find it.
  }
}

const onSight = () => void poll();

/** The tabs of one browser, of which the one with the chat's connection hears of something new first. */
let tabs: BroadcastChannel | undefined;
function otherTabs(): BroadcastChannel {
  tabs ??= new BroadcastChannel('notices');
  return tabs;
}

/** Something new stands under the bell, says the chat's connection: every bell of this browser looks at once. */
export function bellRang(): void {
  void poll();
  otherTabs().postMessage('new');
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(onSight, POLL_MS);
    document.addEventListener('visibilitychange', onSight);
    otherTabs().addEventListener('message', onSight);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onSight);
    otherTabs().removeEventListener('message', onSight);
  };
}

/** Unread notices: what the page was loaded with, kept fresh while it is looked at. */
export function useUnread(loaded: number): number {
  const count = useSyncExternalStore(
    subscribe,
    () => unread,
    () => loaded,
  );
  useEffect(() => setUnread(loaded), [loaded]);
  return count;
}
