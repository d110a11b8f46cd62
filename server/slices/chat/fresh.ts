import type { Context } from '#server/context.ts';
import type { MessageRow } from './queries.ts';

/** Messages that this process stored a moment ago and may have to deliver itself: those need not be read back. */
const KEPT = 500;
const byContext = new WeakMap<Context, Map<string, MessageRow>>();

const keyOf = (at: { groupId: number; seq: number }): string => `${at.groupId}:${at.seq}`;

/** Keeps a message that was just committed until it is delivered; of many the oldest goes first. */
export function keepFresh(ctx: Context, row: MessageRow): void {
  const rows = byContext.get(ctx) ?? new Map<string, MessageRow>();
  byContext.set(ctx, rows);
  rows.set(keyOf(row), row);
  if (rows.size > KEPT) rows.delete(rows.keys().next().value ?? '');
}

/** Hands out a kept message, once; undefined when another process stored it. */
export function takeFresh(ctx: Context, at: { groupId: number; seq: number }): MessageRow | undefined {
  const row = byContext.get(ctx)?.get(keyOf(at));
  if (row) byContext.get(ctx)?.delete(keyOf(at));
  return row;
}
