import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import type { Call } from '#server/access/call.ts';
import { removeOldestSessions, removeSession, removeSessions } from '#server/access/session-store.ts';
import { setSessionCookies, openSession, clearSessionCookies } from '#server/access/session.ts';
import { avatarUrl } from '#subjects/media/server/service.ts';
import { noteBrowser, noteDevice, noteNetwork } from './devices.ts';
import { touch } from './queries.ts';

/** The most sessions of a user; a new one replaces the oldest. */
const MAX_SESSIONS = 20;

export interface SigningIn {
  id: number;
  nickName: string;
  avatar: string | null;
}

/**
 * Opens a session and returns the response of a log-in. A browser gets cookies; `client=app` gets the full credential and no cookie. The
 * browser's previous session ends, so a credential never outlives a log-in (reliability.md b.4). A log-in never counts as a step-up
 * (domain.md 3).
 */
export async function startSession(call: Call, user: SigningIn, how: { client: 'web' | 'app' | undefined }) {
  const { ctx } = call;
  const kind = how.client === 'app' ? 'app' : 'web';
  const sid = await openSession(ctx, { userId: user.id, distId: call.dist.id, kind, ip: call.ip, agent: call.agent });
  await noteDevice(ctx, user.id, call.agent, call.ip);
  await noteNetwork(ctx, user.id, call.ip);
  if (call.caller.user) await removeSession(ctx.db, call.caller.user.sessionHash);
  await removeOldestSessions(ctx.db, user.id, MAX_SESSIONS);
  await touch(ctx.db, user.id);
  const who = {
    userId: String(user.id),
    nickName: user.nickName,
    actor: avatarUrl(user.avatar, user.nickName, user.id),
  };
  if (call.http && kind === 'web') await noteBrowser(ctx, user.id, call.http);
  if (kind === 'app' || !call.http) return { token: sid, csrfToken: '', ...who };
  return { ...setSessionCookies(ctx, call.http.reply, sid, false), ...who };
}

/** Ends every session of a user except `except`. */
export async function endSessions(trx: Trx, userId: number, except?: Buffer): Promise<void> {
  await removeSessions(trx, { owner: { userId }, except });
}

/** Notifies a user's open sockets that sessions ended; the gateway closes those whose session is gone. */
export function announceEnded(ctx: Context, userId: number): void {
  ctx.bus.publish('session.ended', { userId });
}

/** Ends the caller's session and clears its cookies. */
export async function logOut(call: Call & { user: { id: number; sessionHash: Buffer } }): Promise<void> {
  await removeSession(call.ctx.db, call.user.sessionHash);
  announceEnded(call.ctx, call.user.id);
  if (call.http) clearSessionCookies(call.ctx, call.http.reply, false);
}
