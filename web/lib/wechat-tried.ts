/** Whether the log-in page has asked WeChat in this visit, kept for the tab. */
const KEY = 'wechatTried';

/** Marks that WeChat was asked. Returns false where it was before, or where there is no storage: it might go round for ever then. */
export function claimWechatTry(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, '1');
    return true;
  } catch {
    return false;
  }
}

/** Who logs out wants another account or none: the log-in page does not ask WeChat by itself in this visit. */
export function stayLoggedOut(): void {
  claimWechatTry();
}
