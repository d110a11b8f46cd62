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

/** Whether an RSA2 signature is valid over the exact bytes. Malformed signatures are simply invalid. */
export function holdsRsa2(text: string | Buffer, signature: string, key: KeyObject): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

const GBK = /^(?:gbk|gb2312|gb18030)$/i;
const NAME = /^[A-Za-z_]\w{0,63}$/;
const MAX_FIELDS = 100;

const textOf = (bytes: Buffer, isGbk: boolean): string =>
  new TextDecoder(isGbk ? 'gb18030' : 'utf-8', { fatal: true }).decode(bytes);

/** The bytes of a percent-encoded value, in whatever character set they are; each character of `text` is one byte. */
function bytesOf(text: string): Buffer {
  const decoded = text
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** The fields of a form body as bytes; undefined when a name is invalid or occurs twice. */
function fieldsOf(body: Buffer): Map<string, Buffer> | undefined {
  const fields = new Map<string, Buffer>();
  const parts = body.toString('latin1').split('&');
  if (parts.length > MAX_FIELDS) return undefined;
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = at < 0 ? part : part.slice(0, at);
    if (!NAME.test(name) || fields.has(name)) return undefined;
    fields.set(name, bytesOf(at < 0 ? '' : part.slice(at + 1)));
  }
  return fields;
}

/** The signed bytes: every field but the signature and its type, sorted by name. */
function signedBytes(fields: ReadonlyMap<string, Buffer>, withEmpty: boolean): Buffer {
  const names = [...fields.keys()].filter((name) => name !== 'sign' && name !== 'sign_type').sort();
  const lines = names.flatMap((name) => {
    const value = fields.get(name) ?? Buffer.alloc(0);
    return value.length === 0 && !withEmpty ? [] : [Buffer.concat([Buffer.from(`${name}=`), value])];
  });
  return Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [line] : [Buffer.from('&'), line])));
}

/**
 * The fields of a notification that Alipay signed. The signature covers the decoded bytes, which are GBK when `charset` names it, and all
 * fields, also empty ones; some of Alipay's products leave these out. Only RSA2 counts; the older SHA-1 signature is not accepted.
 */
export function genuineForm(body: Buffer, key: KeyObject): Params | undefined {
  const fields = fieldsOf(body);
  if (fields?.get('sign_type')?.toString() !== 'RSA2') return undefined;
  const signature = fields.get('sign')?.toString() ?? '';
  const isSigned = [true, false].some((withEmpty) => holdsRsa2(signedBytes(fields, withEmpty), signature, key));
  if (!isSigned) return undefined;
  const isGbk = GBK.test(fields.get('charset')?.toString() ?? '');
  try {
    return Object.fromEntries([...fields].map(([name, bytes]) => [name, textOf(bytes, isGbk)]));
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];
/** The first byte of a two-byte GBK character; the second byte may be a backslash or a brace. */
const isLead = (byte: number): boolean => byte >= 0x81 && byte <= 0xfe;

/** The index after the closing brace of the JSON object that begins at `start`; -1 when it is not closed. */
function endOfObject(bytes: Buffer, start: number, isGbk: boolean): number {
  let depth = 0;
  let inText = false;
  for (let i = start; i < bytes.length; i++) {
    const c = bytes[i] ?? 0;
    if (isGbk && isLead(c)) i += 1;
    else if (inText) {
      if (c === BACKSLASH) i += 1;
      else if (c === QUOTE) inText = false;
    } else if (c === QUOTE) inText = true;
    else if (c === OPEN) depth += 1;
    else if (c === CLOSE && --depth === 0) return i + 1;
  }
  return -1;
}

/** Decodes a response: UTF-8, or GBK, which Alipay sometimes sends regardless of the requested character set. */
function responseText(body: Buffer): { text: string; isGbk: boolean } {
  try {
    return { text: textOf(body, false), isGbk: false };
  } catch {
    return { text: textOf(body, true), isGbk: true };
  }
}

/**
 * The inner object of a response as raw bytes, which is what the signature covers, and as text. undefined when the response has no such
 * object or no signature.
 */
export function signedPart(body: Buffer, name: string): { inner: Buffer; text: string; sign: string } | undefined {
  try {
    const { text, isGbk } = responseText(body);
    const latin = body.toString('latin1');
    const head =
      new RegExp(`^\\s*\\{\\s*"${name}"\\s*:\\s*`).exec(latin) ?? new RegExp(`,\\s*"${name}"\\s*:\\s*`).exec(latin);
    const start = head === null ? -1 : head.index + head[0].length;
    if (body[start] !== OPEN) return undefined;
    const end = endOfObject(body, start, isGbk);
    const parsed = JSON.parse(text) as Record<string, unknown>;
    if (end < 0 || typeof parsed.sign !== 'string') return undefined;
    const inner = body.subarray(start, end);
    return { inner, text: textOf(inner, isGbk), sign: parsed.sign };
  } catch {
    return undefined;
  }
}
