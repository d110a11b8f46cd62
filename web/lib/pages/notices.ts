import { useEffect, useSyncExternalStore } from 'react';
import { noticeUnread } from '#subjects/notices/contract/notice.ts';
import { call } from '../api/api.ts';
import { cookie } from '../session/cookies.ts';

/** The page of all notices. */
export const NOTICES = '/center/notices';

/** Interval between two polls while the page is visible. */
const POLL_MS = 45_000;

/** Unread notices known to this page: one number for every bell on it. */
let unread = 0;
const listeners = new Set<() => void>();

/** Sets the number of unread notices; every bell of the page updates. */
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
    // New notices are not essential to a page; the next poll retries.
  }
}

const onSight = () => void poll();

/** Shared between the tabs of a browser, because the one with the chat's connection learns of new notices first. */
let tabs: BroadcastChannel | undefined;
function otherTabs(): BroadcastChannel {
  tabs ??= new BroadcastChannel('notices');
  return tabs;
}

/** Called when the chat's connection reports a new notice: every bell of this browser polls immediately. */
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

/** Unread notices: the number loaded with the page, refreshed while the page is visible. */
export function useUnread(loaded: number): number {
  const count = useSyncExternalStore(
    subscribe,
    () => unread,
    () => loaded,
  );
  useEffect(() => setUnread(loaded), [loaded]);
  return count;
}
