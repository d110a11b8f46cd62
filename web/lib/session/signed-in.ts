import { TOAST_MS } from '#contract/rules/limits.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { bindSavedTicket } from './bind-ticket.ts';
import { clearHints, writeCookie } from './cookies.ts';
import { safeReturn } from '../pages/paths.ts';

/**
 * Lifetime of a session on the server, of staff the longest that can be set; the readable cookies that go with it last as long.
 */
const SESSION_HOURS = 7 * 24;
const STAFF_HOURS = 24;

interface SignedIn {
  token: string;
  userId: string;
  nickName: string;
  actor: string;
}

/**
 * Saves the result of a log-in in the readable cookies of the specification: `token` for the header of later calls, the
 * others as hints for the UI. The credential itself is the HttpOnly cookie, which the response has set
 * (docs/decisions/004).
 */
export function saveSignIn(session: SignedIn): void {
  clearHints();
  writeCookie('token', session.token, SESSION_HOURS);
  writeCookie('userId', session.userId, SESSION_HOURS);
  writeCookie('nickName', session.nickName, SESSION_HOURS);
  writeCookie('username', session.nickName, SESSION_HOURS);
  writeCookie('actor', session.actor, SESSION_HOURS);
}

/** Saves the header token of a staff session, on the back office's own host. */
export function saveStaffSignIn(session: { token: string; name: string }): void {
  clearHints();
  writeCookie('token', session.token, STAFF_HOURS);
  writeCookie('nickName', session.name, STAFF_HOURS);
}

/** Goes to the requested page with a full page load, so that no state of the visitor's pages remains. */
export function goOn(returnUrl: string | null, fallback = '/'): void {
  window.location.replace(safeReturn(returnUrl, fallback));
}

/**
 * The end of every log-in of a visitor: saves the hint cookies, binds the saved third-party account, and leaves the
 * page. When the binding fails, its message is shown first. `fallback` is the page without a requested one.
 */
export async function finishSignIn(session: SignedIn, returnUrl: string | null, fallback = '/'): Promise<void> {
  saveSignIn(session);
  const error = await bindSavedTicket();
  if (error !== null) {
    toast(`已登录，但没有绑定微信：${error}`, 'warn');
    await new Promise((resolve) => setTimeout(resolve, TOAST_MS));
  }
  goOn(returnUrl, fallback);
}
