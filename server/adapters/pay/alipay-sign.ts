import { type KeyObject, sign, verify } from 'node:crypto';

export type Params = Readonly<Record<string, string>>;

/** The text that Alipay signs: every non-empty parameter, sorted by name, 'k=v' joined by '&', raw UTF-8 (facts of the v2 gateway). */
export function signText(params: Params, without: readonly string[]): string {
  return Object.keys(params)
    .filter((name) => params[name] !== '' && params[name] !== undefined && !without.includes(name))
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&');
}

/** RSA2: RSA-SHA256, PKCS #1 v1.5, Base64. */
export const signRsa2 = (text: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(text), key).toString('base64');

/** Whether an RSA2 signature is valid. Malformed signatures are simply invalid. */
export function holdsRsa2(text: string, signature: string, key: KeyObject): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

/** Whether a notification's form is signed by Alipay. Only RSA2 counts; the older SHA-1 signature is not accepted. */
export function isGenuine(form: Params, key: KeyObject): boolean {
  if (form.sign_type !== 'RSA2' || form.sign === undefined) return false;
  return holdsRsa2(signText(form, ['sign', 'sign_type']), form.sign, key);
}

/** The index after the closing brace of the JSON object that begins at `start`; -1 when it is not closed. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inText = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (inText) {
      if (c === '\\') i += 1;
      else if (c === '"') inText = false;
    } else if (c === '"') inText = true;
    else if (c === '{') depth += 1;
    else if (c === '}' && --depth === 0) return i + 1;
  }
  return -1;
}

/**
 * The inner object of a response as raw text, which is what the signature covers. undefined when the response has no such object or no
 * signature.
 */
export function signedPart(body: string, name: string): { inner: string; sign: string } | undefined {
  const head =
    new RegExp(`^\\s*\\{\\s*"${name}"\\s*:\\s*`).exec(body) ?? new RegExp(`,\\s*"${name}"\\s*:\\s*`).exec(body);
  if (!head || body[head.index + head[0].length] !== '{') return undefined;
  const start = head.index + head[0].length;
  const end = endOfObject(body, start);
  if (end < 0) return undefined;
  try {
    const parsed = JSON.parse(body) as Record<string, unknown>;
    return typeof parsed.sign === 'string' ? { inner: body.slice(start, end), sign: parsed.sign } : undefined;
  } catch {
    return undefined;
  }
}
