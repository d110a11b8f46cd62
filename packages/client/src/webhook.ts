import { hmac } from './sign.ts';

const TOLERANCE_SECONDS = 300;

/** The headers of a request: of `fetch` and its kin, or an object as Node's server has it. */
export type EventHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header, whatever the case of its name; '' where there is none. */
function headerOf(headers: EventHeaders, name: string): string {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return String(found?.[1] ?? '');
}

function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/**
 * Whether an event was sent by the market: `body` is the text as it arrived, before it is parsed, `secret` the one of the address
 * (whsec_…). Events older than five minutes are not genuine. The same event may arrive twice: `webhook-id` tells.
 */
export async function isGenuineEvent(headers: EventHeaders, body: string, secret: string): Promise<boolean> {
  const one = (name: string): string => headerOf(headers, name);
  const id = one('webhook-id');
  const timestamp = one('webhook-timestamp');
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0));
  const mac = new Uint8Array(await hmac(key, `${id}.${timestamp}.${body}`));
  const wanted = `v1,${btoa(String.fromCharCode(...mac))}`;
  return one('webhook-signature')
    .split(' ')
    .some((given) => isEqual(given, wanted));
}
