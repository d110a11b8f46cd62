import { pushSubscribe, pushUnsubscribe } from '#contract/notice.ts';
import { call } from '#web/lib/api.ts';

const WORKER = '/push-worker.js';

/** asking: not known yet; impossible: this browser cannot; denied: its owner has refused. */
export type PushState = 'asking' | 'off' | 'on' | 'denied' | 'impossible';

const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window && window.isSecureContext;

/** Whether pushes reach this browser now. */
export async function pushState(): Promise<PushState> {
  if (!canPush()) return 'impossible';
  if (Notification.permission === 'denied') return 'denied';
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  return (await worker?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Asks the browser's owner, subscribes, and binds the browser to the account. Throws what the browser or the call refuses. */
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

/** Ends this browser's subscription on both sides. */
export async function turnPushOff(): Promise<PushState> {
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await worker?.pushManager.getSubscription();
  if (subscription) {
    await call(pushUnsubscribe, { endpoint: subscription.endpoint }, { quiet: true });
    await subscription.unsubscribe();
  }
  return 'off';
}
