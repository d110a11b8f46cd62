import { pushSubscribe, pushUnsubscribe } from '#subjects/notices/contract/notice.ts';
import { call } from '#web/lib/api/api.ts';

const WORKER = '/push-worker.js';

/** asking: not determined yet; impossible: the browser has no support; denied: permission was denied. */
export type PushState = 'asking' | 'off' | 'on' | 'denied' | 'impossible';

const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window && window.isSecureContext;

/** The push state of this browser. */
export async function pushState(): Promise<PushState> {
  if (!canPush()) return 'impossible';
  if (Notification.permission === 'denied') return 'denied';
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  return (await worker?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Requests permission, subscribes, and binds the browser to the account. Throws the browser's or the call's error. */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const worker = await navigator.serviceWorker.register(WORKER);
  await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  try {
    await call(
      pushSubscribe,
      { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
      { quiet: true },
    );
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  return 'on';
}

/** Ends this browser's subscription in the browser and on the server. */
export async function turnPushOff(): Promise<PushState> {
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await worker?.pushManager.getSubscription();
  if (subscription) {
    await call(pushUnsubscribe, { endpoint: subscription.endpoint }, { quiet: true });
    await subscription.unsubscribe();
  }
  return 'off';
}
