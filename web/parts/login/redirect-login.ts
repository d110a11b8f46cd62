/** Log-in on the same device: the browser goes to the provider and comes back to `/login/wechat`. */
const KEY = 'loginReturn';

/** Whether the provider can be asked here: inside WeChat, or in the demo market, whose provider is this site. */
export const canRedirect = (url: string): boolean =>
  /MicroMessenger/i.test(navigator.userAgent) || url.startsWith(window.location.origin);

/** Goes to the provider; `returnUrl` is where the log-in leads afterwards. */
export function redirectTo(url: string, returnUrl: string | null): void {
  try {
    if (returnUrl === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, returnUrl);
  } catch {
    // Without storage the log-in leads to the home page.
  }
  window.location.assign(url);
}

/** The page that the log-in was for, once; null for none. It is checked where it is followed. */
export function takeReturn(): string | null {
  try {
    const url = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return url;
  } catch {
    return null;
  }
}
