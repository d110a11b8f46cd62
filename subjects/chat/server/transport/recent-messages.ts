import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { BoundedMap } from '#server/kernel/cache.ts';
import type { MessageRow } from '../queries.ts';

/** Messages that this process has just stored and may deliver itself are cached, so that they need not be read back. */
const MAX_RECENT = 500;
const recent = cacheKind('chat.recent', () => new BoundedMap<string, MessageRow>(MAX_RECENT));

const keyOf = (at: { groupId: number; seq: number }): string => `${at.groupId}:${at.seq}`;

/** Caches a committed message until it is delivered; evicts the oldest beyond MAX_RECENT. */
export function addRecent(ctx: Context, row: MessageRow): void {
  cacheOf(ctx, recent).set(keyOf(row), row);
}

/** Returns a cached message and removes it; undefined when another process stored it. */
export function takeRecent(ctx: Context, at: { groupId: number; seq: number }): MessageRow | undefined {
  const rows = cacheOf(ctx, recent);
  const row = rows.get(keyOf(at));
  if (row) rows.delete(keyOf(at));
  return row;
}
