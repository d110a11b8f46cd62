import { useEffect, useSyncExternalStore } from 'react';
import { MAX_OPENABLE, personOpenable } from '#subjects/back-office/contract/person.ts';
import { call } from '#web/lib/api/api.ts';

/**
 * Determines which users the caller, a member of a brand's staff, may open. A list of orders names users of every site;
 * the names that a page renders together are checked in one request. A user's site never changes, so a result is valid
 * until the page is reloaded.
 */
const openable = new Map<string, boolean>();
const pending = new Set<string>();
const listeners = new Set<() => void>();

async function load(): Promise<void> {
  const ids = [...pending].slice(0, MAX_OPENABLE);
  try {
    const { userIds } = await call(personOpenable, { userIds: ids.join(',') }, { quiet: true });
    const own = new Set(userIds);
    for (const id of ids) openable.set(id, own.has(id));
  } catch {
    // The names stay plain text; the next page that names these users checks them again.
  }
  for (const id of ids) pending.delete(id);
  for (const listener of listeners) listener();
  if (pending.size > 0) void load();
}

function request(id: string): void {
  if (openable.has(id) || pending.has(id)) return;
  pending.add(id);
  if (pending.size === 1) setTimeout(() => void load());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether the caller may open the user's page; undefined until known. `isLimited`: the caller may not open every user.
 */
export function useOpenable(id: string, isLimited: boolean): boolean | undefined {
  useEffect(() => {
    if (isLimited) request(id);
  }, [id, isLimited]);
  const known = useSyncExternalStore(
    subscribe,
    () => openable.get(id),
    () => undefined,
  );
  return isLimited ? known : true;
}
