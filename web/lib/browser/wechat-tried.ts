/** Whether the log-in page has asked WeChat in this visit, kept for the tab. */
const KEY = 'wechatTried';

/** Stores that the log-in by WeChat was tried. Returns false when it was tried before, or without storage, where the redirects might never end. */
export function claimWechatTry(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, '1');
    return true;
  } catch {
    return false;
  }
}

/** Keeps the log-in page from starting the log-in by WeChat in this visit, since a user who logs out wants another account or none. */
export function stayLoggedOut(): void {
  claimWechatTry();
}
