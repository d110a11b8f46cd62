import { TOAST_MS } from '#contract/rules/limits.ts';

/** The kind of a toast; `warn` is the default for a failed call. */
export type ToastKind = 'ok' | 'warn' | 'info';

export interface ToastItem {
  id: number;
  text: string;
  kind: ToastKind;
}

/** More toasts would cover the page; the oldest one is removed. */
const MAX_VISIBLE = 3;

let items: readonly ToastItem[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

/** Shows a message for 3 s. A message that is already visible is not added again. */
export function toast(text: string, kind: ToastKind = 'info'): void {
  if (items.some((item) => item.text === text)) return;
  const id = nextId++;
  publish([...items, { id, text, kind }].slice(-MAX_VISIBLE));
  setTimeout(() => publish(items.filter((item) => item.id !== id)), TOAST_MS);
}

/** For useSyncExternalStore. */
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toasts on screen, oldest first. */
export function currentToasts(): readonly ToastItem[] {
  return items;
}
