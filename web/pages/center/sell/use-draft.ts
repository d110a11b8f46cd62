import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { saveDraft } from '#contract/goods.ts';
import { call } from '#web/lib/api.ts';
import { asFailure } from '#web/lib/call-errors.ts';
import { draftOfTyped, type Typed, typedFromDraft } from './form-state.ts';

const SAVE_AFTER_MS = 1200;
/** A draft that did not reach the server is sent again after this, and at once when the browser is online again. */
const AGAIN_AFTER_MS = 15_000;
const PREFIX = 'draft:';

interface Local {
  at: number;
  body: Record<string, unknown>;
  /** Whether the server has got this copy. Clocks alone cannot tell: it may have saved the words before these a second ago. */
  sent?: boolean;
}

/** A server's copy so much younger than one of this browser was written elsewhere, and is the one that counts. */
const ELSEWHERE_MS = 60_000;

/** Whether this browser's copy holds what the server, whose copy is of `keptTime` (ISO; null for none), has not got. */
export function isAhead(local: Pick<Local, 'at' | 'sent'>, savedTime: string | null): boolean {
  if (local.sent) return false;
  return savedTime === null || local.at + ELSEWHERE_MS >= Date.parse(savedTime);
}

/** A copy as it lies in this browser; null for anything that is none. */
function localOf(text: string | null): Local | null {
  try {
    const value = JSON.parse(text ?? 'null') as Local | null;
    return value && typeof value.at === 'number' && typeof value.body === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The copy in this browser: it stands even where the session has ended. */
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
    // A full or forbidden store leaves the server's copy.
  }
}

/** `failed` is tried again by itself; `expired` waits for a log-in, with the copy in this browser. */
export type DraftState = 'none' | 'saving' | 'saved' | 'failed' | 'expired';

/** Runs `come` once the page stands in the browser, `go` whenever it may be the last chance, `back` when the net is there again. */
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

/** Hears of each change that another tab of this browser makes to the same draft. */
function useOtherTabs(key: string, listener: (local: Local) => void): void {
  const onChange = useEffectEvent(listener);
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const local = event.key === PREFIX + key ? localOf(event.newValue) : null;
      if (local) onChange(local);
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [key]);
}

interface DraftOf {
  draftKey: string;
  userId: string;
  /** The form without a draft. */
  base: Typed;
  saved: { body: Record<string, unknown> | null; updateTime: string | null } | null;
}

/**
 * The form's state with a draft that follows it: at once in this browser, shortly after at the server. What an earlier visit left in
 * this browser and the server has not got is taken up, and what is typed in another tab shows in this one: two open forms of the same
 * goods never take each other's words away. `forget` ends it, after sending or for a clean start.
 */
export function useDraft({ draftKey, userId, base, saved }: DraftOf) {
  const localKey = `${userId}:${draftKey}`;
  const [typed, setTyped] = useState<Typed>(() => (saved?.body ? typedFromDraft(saved.body, base) : base));
  const [restored, setRestored] = useState<string | null>(saved?.body ? saved.updateTime : null);
  const [state, setState] = useState<DraftState>('none');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(typed);
  const show = (now: Typed) => {
    latest.current = now;
    setTyped(now);
  };

  const save = async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setState('saving');
    const sending = latest.current;
    try {
      await call(saveDraft, { draftKey, body: draftOfTyped(sending) }, { quiet: true });
      const local = readLocal(localKey);
      if (local && latest.current === sending) writeLocal(localKey, { ...local, sent: true });
      setState('saved');
    } catch (thrown) {
      const isExpired = asFailure(thrown).status === 401;
      setState(isExpired ? 'expired' : 'failed');
      // What was typed meanwhile has set a timer of its own.
      if (!isExpired) timer.current ??= setTimeout(() => void save(), AGAIN_AFTER_MS);
    }
  };

  /** Takes up what an earlier visit left in this browser and the server has not got. */
  const restore = () => {
    const local = readLocal(localKey);
    if (!local || !isAhead(local, saved?.updateTime ?? null)) return;
    show(typedFromDraft(local.body, base));
    setRestored(new Date(local.at).toISOString());
    timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
  };
  const flush = () => {
    if (timer.current !== undefined) void save();
  };
  usePageLifecycle(restore, flush, flush);
  useOtherTabs(localKey, (local) => {
    // The other tab saves what was typed in it; the game account's number stands in no draft and stays.
    show({ ...typedFromDraft(local.body, base), accountNo: latest.current.accountNo });
  });

  const change = (next: (before: Typed) => Typed) => {
    const now = next(latest.current);
    show(now);
    writeLocal(localKey, { at: Date.now(), body: draftOfTyped(now) });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), SAVE_AFTER_MS);
  };

  /** Ends the draft; with `clear` the form begins anew. The server forgets it by itself when the goods were sent. */
  const forget = (clear: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    writeLocal(localKey, null);
    setState('none');
    setRestored(null);
    if (!clear) return;
    show(base);
    void call(saveDraft, { draftKey, body: {} }, { quiet: true }).catch(() => undefined);
  };

  return { typed, change, forget, restored, state };
}
