export interface SignedRequest {
  method: 'GET' | 'POST';
  /** The path with its query, exactly as it is sent. */
  target: string;
  /** The body as it is sent; '' for none. */
  body: string;
  /** Seconds since 1970. */
  timestamp: number;
  /** 16 to 64 letters, digits, - or _; another one for each request. */
  nonce: string;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Bytes as lower-case hex. */
export const hex = (buffer: ArrayBuffer | Uint8Array): string =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** HMAC-SHA256 of a text. */
export async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return await crypto.subtle.sign('HMAC', imported, bytes(text));
}

/** The signature of a request: HMAC-SHA256 over method, target, time, number and hash of the body, in hex. */
export async function sign(secret: string, request: SignedRequest): Promise<string> {
  const hash = hex(await crypto.subtle.digest('SHA-256', bytes(request.body)));
  const { method, target, timestamp, nonce } = request;
  const text = ['HMAC-SHA256', method, target, String(timestamp), nonce, hash].join('\n');
  return hex(await hmac(bytes(secret), text));
}
