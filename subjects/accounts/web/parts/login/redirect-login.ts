/** Log-in on the same device: the browser is redirected to the provider and returns to `/login/wechat`. */
import { isWechat } from '#subjects/payments/rules/payer-browser.ts';
import { wechatLogin } from '#subjects/accounts/contract/wechat.ts';
import { call } from '#web/lib/api/api.ts';
import { claimWechatTry } from '#web/lib/browser/wechat-tried.ts';

const KEY = 'loginReturn';

export const isInWechat = (): boolean => isWechat(navigator.userAgent);

/** Whether the redirect is available here: inside WeChat, or in the demo market, whose provider is this site. */
export const canRedirect = (url: string): boolean => isInWechat() || url.startsWith(window.location.origin);

/** Redirects to the provider; `returnUrl` is the page to open after the log-in. */
export function redirectTo(url: string, returnUrl: string | null): void {
  try {
    if (returnUrl === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, returnUrl);
  } catch {
    // Without storage the log-in ends at the home page.
  }
  window.location.assign(url);
}

/** Inside WeChat: requests the user's identity from WeChat, without prompting the user. Throws the errors of the call. */
export async function askWechat(returnUrl: string | null): Promise<void> {
  const { redirectUrl } = await call(wechatLogin, { act: 'login' }, { quiet: true });
  redirectTo(redirectUrl, returnUrl);
}

/**
 * Starts the log-in by WeChat automatically when the log-in page is opened inside WeChat, once for each visit: users who have logged out, or
 * whom the market does not know, are not redirected again.
 */
export async function logInSilently(returnUrl: string | null): Promise<void> {
  if (!isInWechat() || !claimWechatTry()) return;
  try {
    await askWechat(returnUrl);
  } catch {
    // The user can still log in by the form.
  }
}

/** Returns the stored return URL and removes it; null when there is none. It is validated when it is followed. */
export function takeReturn(): string | null {
  try {
    const url = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return url;
  } catch {
    return null;
  }
}
