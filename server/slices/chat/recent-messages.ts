import type { Context } from '#server/context.ts';
import type { MessageRow } from './queries.ts';

/** Messages that this process has just stored and may deliver itself are cached, so that they need not be read back. */
const MAX_RECENT = 500;
const byContext = new WeakMap<Context, Map<string, MessageRow>>();

const keyOf = (at: { groupId: number; seq: number }): string => `${at.groupId}:${at.seq}`;

/** Caches a committed message until it is delivered; evicts the oldest beyond MAX_RECENT. */
export function addRecent(ctx: Context, row: MessageRow): void {
  const rows = byContext.get(ctx) ?? new Map<string, MessageRow>();
  byContext.set(ctx, rows);
  rows.set(keyOf(row), row);
  if (rows.size > MAX_RECENT) rows.delete(rows.keys().next().value ?? '');
}

/** Returns a cached message and removes it; undefined when another process stored it. */
export function takeRecent(ctx: Context, at: { groupId: number; seq: number }): MessageRow | undefined {
  const row = byContext.get(ctx)?.get(keyOf(at));
  if (row) byContext.get(ctx)?.delete(keyOf(at));
  return row;
}
