/**
 * Cookies that scripts may read. They are hints for the UI; the server never bases a decision on one (reliability.md
 * b.2).
 */
export const HINT_COOKIES = ['token', 'username', 'nickName', 'actor', 'userId', 'isPartner'] as const;

/** The value of a cookie in a cookie header or in `document.cookie`; null when absent or invalid. */
export function readCookie(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at < 0 || part.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

/** A cookie of this document. */
export function cookie(name: string): string | null {
  return readCookie(document.cookie, name);
}

/** Writes a script-readable cookie for the whole site; the specification's lifetime unit is one hour (product.md 9). */
export function writeCookie(name: string, value: string, hours = 1): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${Math.round(hours * 3600)}; SameSite=Lax${secure}`;
}

/** Clears the signed-in user from the UI; the session itself is ended by the server. */
export function clearHints(): void {
  for (const name of HINT_COOKIES) writeCookie(name, '', 0);
}
