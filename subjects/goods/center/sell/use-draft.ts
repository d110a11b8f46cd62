import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { saveDraft } from '#subjects/goods/contract/goods.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure } from '#web/lib/api/call-errors.ts';
import { draftOfTyped, type Typed, typedFromDraft } from './form-state.ts';

const SAVE_AFTER_MS = 1200;
/** How long a submission waits for a draft that is being saved. */
const SAVING_LIMIT_MS = 5_000;
/** A draft that did not reach the server is retried after this, and as soon as the browser is online again. */
const AGAIN_AFTER_MS = 15_000;
const PREFIX = 'draft:';

interface Local {
  at: number;
  body: Record<string, unknown>;
  /** Whether the server has this copy. Timestamps alone cannot tell: the server may have saved the previous content a second ago. */
  sent?: boolean;
}

/** A server copy newer than this browser's by more than this was written elsewhere and takes precedence. */
const ELSEWHERE_MS = 60_000;

/** Whether this browser's copy holds changes that the server lacks. `savedTime` is the server copy's ISO time; null for none. */
export function isAhead(local: Pick<Local, 'at' | 'sent'>, savedTime: string | null): boolean {
  if (local.sent) return false;
  return savedTime === null || local.at + ELSEWHERE_MS >= Date.parse(savedTime);
}

/** Parses a copy stored in this browser; null when invalid. */
function localOf(text: string | null): Local | null {
  try {
    const value = JSON.parse(text ?? 'null') as Local | null;
    return value && typeof value.at === 'number' && typeof value.body === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The copy in this browser; it is still available after the session has ended. */
function readLocal(key: string): Local | null {
  try {
    return localOf(localStorage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

function writeLocal(key: string, local: Local | null): void {
  try {
    if (local) localStorage.setItem(PREFIX + key, JSON.stringify(local));
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // When storage is full or blocked, the server's copy remains.
  }
}

/** `failed` is retried automatically; `expired` waits for a log-in, with the copy in this browser. */
export type DraftState = 'none' | 'saving' | 'saved' | 'failed' | 'expired';

/** Runs `mount` once the page is hydrated, `leave` whenever it may be the last chance to save, `reconnect` when the network is back. */
function usePageLifecycle(mount: () => void, leave: () => void, reconnect: () => void): void {
  const onMount = useEffectEvent(mount);
  const onLeave = useEffectEvent(leave);
  const onReconnect = useEffectEvent(reconnect);
  useEffect(() => {
    let isHere = true;
    queueMicrotask(() => {
      if (isHere) onMount();
    });
    const onHidden = () => {
      if (document.visibilityState === 'hidden') onLeave();
    };
    const onOnline = () => onReconnect();
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('online', onOnline);
    return () => {
      isHere = false;
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('online', onOnline);
      onLeave();
    };
  }, []);
}

/** Calls `listener` for each change that another tab of this browser makes to the same draft. */
function useOtherTabs(key: string, listener: (local: Local) => void): void {
  const onChange = useEffectEvent(listener);
  useEffect(() => {
    const onStorage = (change: StorageEvent) => {
      const local = change.key === PREFIX + key ? localOf(change.newValue) : null;
      if (local) onChange(local);
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);
}

/** Saves some time after the last change, and retries when that failed: `work` returns whether it is done. */
function useSaving(work: () => Promise<boolean>) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const running = useRef<Promise<void>>(Promise.resolve());
  const stop = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const save = () => {
    stop();
    running.current = work().then((isDone) => {
      // Input during the save has set its own timer.
      if (!isDone) timer.current ??= setTimeout(save, AGAIN_AFTER_MS);
    });
  };
  const later = () => {
    stop();
    timer.current = setTimeout(save, SAVE_AFTER_MS);
  };
  const flush = () => {
    if (timer.current !== undefined) save();
  };
  /** Stops and waits for a save in progress: a draft that arrives after the submission would not be deleted. */
  const settled = async () => {
    stop();
    const limit = new Promise<void>((resolve) => setTimeout(resolve, SAVING_LIMIT_MS));
    await Promise.race([running.current, limit]);
    stop();
  };
  return { later, stop, flush, settled };
}

interface DraftOf {
  draftKey: string;
  userId: string;
  /** The form without a draft. */
  base: Typed;
  saved: { body: Record<string, unknown> | null; updateTime: string | null } | null;
}

/**
 * The form's state with a draft, saved immediately in this browser and shortly after on the server. Unsaved changes of
 * an earlier visit are restored, and input in another tab appears in this one, so that two open forms of the same
 * listing never overwrite each other. Call `hold` before a submission and `goOn` after one that failed; `forget` ends
 * the draft, after submission or for a clean start.
 */
export function useDraft({ draftKey, userId, base, saved }: DraftOf) {
  const localKey = `${userId}:${draftKey}`;
  const [typed, setTyped] = useState<Typed>(() => (saved?.body ? typedFromDraft(saved.body, base) : base));
  const [restored, setRestored] = useState<string | null>(saved?.body ? saved.updateTime : null);
  const [state, setState] = useState<DraftState>('none');
  const latest = useRef(typed);
  const show = (now: Typed) => {
    latest.current = now;
    setTyped(now);
  };

  const { later, stop, settled, flush } = useSaving(async () => {
    setState('saving');
    const sending = latest.current;
    try {
      await call(saveDraft, { draftKey, body: draftOfTyped(sending) }, { quiet: true });
      const local = readLocal(localKey);
      if (local && latest.current === sending) writeLocal(localKey, { ...local, sent: true });
      setState('saved');
      return true;
    } catch (thrown) {
      const isExpired = asFailure(thrown).status === 401;
      setState(isExpired ? 'expired' : 'failed');
      return isExpired;
    }
  });

  /** Restores changes of an earlier visit that the server lacks. */
  const restore = () => {
    const local = readLocal(localKey);
    if (!local || !isAhead(local, saved?.updateTime ?? null)) return;
    show(typedFromDraft(local.body, base));
    setRestored(new Date(local.at).toISOString());
    later();
  };
  usePageLifecycle(restore, flush, flush);
  useOtherTabs(localKey, (local) => {
    // The other tab saves its own input; the game account's number is in no draft and is kept.
    show({ ...typedFromDraft(local.body, base), accountNo: latest.current.accountNo });
  });

  const change = (next: (before: Typed) => Typed) => {
    const now = next(latest.current);
    show(now);
    writeLocal(localKey, { at: Date.now(), body: draftOfTyped(now) });
    later();
  };

  /** Ends the draft; `clear` also resets the form. The server deletes its copy when the listing is submitted. */
  const forget = (clear: boolean) => {
    stop();
    writeLocal(localKey, null);
    setState('none');
    setRestored(null);
    if (!clear) return;
    show(base);
    void call(saveDraft, { draftKey, body: {} }, { quiet: true }).catch(() => undefined);
  };

  return { typed, change, hold: settled, goOn: later, forget, restored, state };
}
