/**
 * Desktop notifications of new messages while the page is in the background; off until the user enables them and the
 * browser allows them.
 */
const KEY = 'chatNotify';
const listeners = new Set<() => void>();

/** Whether this browser supports notifications. */
export const canNotify = (): boolean => typeof Notification !== 'undefined';

/** Whether they are enabled on this device. */
export function isNotifyOn(): boolean {
  try {
    return canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === '1';
  } catch {
    return false;
  }
}

/** For useSyncExternalStore. */
export function subscribeNotify(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Enables or disables them. Resolves to false when the browser denies permission. */
export async function setNotify(on: boolean): Promise<boolean> {
  const allowed = !on || (canNotify() && (await Notification.requestPermission()) === 'granted');
  try {
    localStorage.setItem(KEY, on && allowed ? '1' : '0');
  } catch {
    // Storage may be unavailable in private windows; notifications then stay off.
  }
  for (const listener of listeners) listener();
  return allowed;
}

/** Shows a notification, replacing an earlier one of the same group; clicking it brings the page to the front. */
export function notify(groupId: string, title: string, text: string, onClick: () => void): void {
  if (!isNotifyOn() || document.visibilityState === 'visible') return;
  let notification: Notification;
  try {
    notification = new Notification(title, { body: text, tag: `chat-${groupId}` });
  } catch {
    // Browsers on Android define the constructor but throw; the message is still in the conversation.
    return;
  }
  notification.onclick = () => {
    window.focus();
    notification.close();
    onClick();
  };
}
