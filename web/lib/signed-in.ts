import { TOAST_MS } from '#contract/rules/limits.ts';
import { toast } from '#web/ui/toast-store.ts';
import { bindSavedTicket } from './bind-ticket.ts';
import { clearHints, writeCookie } from './cookies.ts';
import { safeReturn } from './paths.ts';

/** A session lives this long on the server; the readable cookies that go with it live as long. */
const SESSION_HOURS = 7 * 24;
const STAFF_HOURS = 8;

interface SignedIn {
  token: string;
  userId: string;
  nickName: string;
  actor: string;
}

/**
 * Keeps what a log-in answered in the readable cookies of the specification: `token` for the header of later calls, the others as
 * hints for the screen. The credential itself is the HttpOnly cookie, which the answer has set (docs/decisions/004).
 */
export function saveSignIn(session: SignedIn): void {
  clearHints();
  writeCookie('token', session.token, SESSION_HOURS);
  writeCookie('userId', session.userId, SESSION_HOURS);
  writeCookie('nickName', session.nickName, SESSION_HOURS);
  writeCookie('username', session.nickName, SESSION_HOURS);
  writeCookie('actor', session.actor, SESSION_HOURS);
}

/** Keeps the header's part of a staff session, on the back office's own host. */
export function saveStaffSignIn(session: { token: string; name: string }): void {
  clearHints();
  writeCookie('token', session.token, STAFF_HOURS);
  writeCookie('nickName', session.name, STAFF_HOURS);
}

/** Goes where the person wanted to go, with a fresh page, so that nothing of the visitor's pages is left. */
export function goOn(returnUrl: string | null, fallback = '/'): void {
  window.location.replace(safeReturn(returnUrl, fallback));
}

/**
 * The end of every log-in of a market's visitor: the hints are kept, what a third party proved before is bound, and the page is left.
 * A binding that fails is read before.
 */
export async function finishSignIn(session: SignedIn, returnUrl: string | null): Promise<void> {
  saveSignIn(session);
  const error = await bindSavedTicket();
  if (error !== null) {
    toast(`已登录，但没有绑定微信：${error}`, 'warn');
    await new Promise((resolve) => setTimeout(resolve, TOAST_MS));
  }
  goOn(returnUrl);
}
