/** Desktop notices of new messages, for a page that is not in front; off until somebody turns them on and the browser allows them. */
const KEY = 'chatNotify';
const listeners = new Set<() => void>();

/** Whether this browser can show any. */
export const canNotify = (): boolean => typeof Notification !== 'undefined';

/** Whether they are on, on this device. */
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

/** Turns them on or off. Answers false when the browser refuses. */
export async function setNotify(on: boolean): Promise<boolean> {
  const allowed = !on || (canNotify() && (await Notification.requestPermission()) === 'granted');
  try {
    localStorage.setItem(KEY, on && allowed ? '1' : '0');
  } catch {
    // Private windows may refuse; it then stays off.
  }
  for (const listener of listeners) listener();
  return allowed;
}

/** Shows one, in the place of an earlier one of the same group; a press brings the page to the front. */
export function notify(groupId: string, title: string, text: string, onPress: () => void): void {
  if (!isNotifyOn() || document.visibilityState === 'visible') return;
  let notification: Notification;
  try {
    notification = new Notification(title, { body: text, tag: `chat-${groupId}` });
  } catch {
    // Browsers of Android have the name and refuse the making; what was said is still in the conversation.
    return;
  }
  notification.onclick = () => {
    window.focus();
    notification.close();
    onPress();
  };
}
