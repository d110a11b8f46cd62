import { cookie } from './cookies.ts';

const encoder = new TextEncoder();

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The signed time of a call (integrations.md 8.2): hex HMAC-SHA256, with the visitor's key from the readable cookie
 * `signKey`, of method, path with query, time in ms, a fresh nonce, and the SHA-256 of the body, one per line. It
 * raises the cost for bots and is not a security guarantee. Without a secure context the browser has no HMAC; then only
 * the time is sent.
 */
export async function signHeaders(method: string, url: string, body: string): Promise<Record<string, string>> {
  const time = String(Date.now());
  const key = cookie('signKey');
  const subtle = globalThis.crypto?.subtle;
  if (!key || !subtle) return { 'x-timestamp': time };
  const nonce = hex(crypto.getRandomValues(new Uint8Array(12)).buffer);
  const digest = hex(await subtle.digest('SHA-256', encoder.encode(body)));
  const hmac = await subtle.importKey('raw', encoder.encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const text = [method, url, time, nonce, digest].join('\n');
  return {
    'x-timestamp': time,
    'x-nonce': nonce,
    'x-sign': hex(await subtle.sign('HMAC', hmac, encoder.encode(text))),
  };
}
