const MAX_LENGTH = 2000;

/** Where a link leads: a page of this site, or another site's web address. */
export type ExternalLink = { kind: 'inside'; path: string } | { kind: 'outside'; url: string; host: string };

/**
 * Reads an address that a link out of the site carries. Only web addresses without a name and password in them are taken; one of this
 * very host becomes its path. `host` is the request's own, with its port. Null for anything else.
 */
export function externalLinkOf(text: string | null, host: string): ExternalLink | null {
  if (!text || text.length > MAX_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  // A path that begins with two slashes would be read as another host's name.
  if (url.host === host && !url.pathname.startsWith('//') && !url.pathname.startsWith('/jump'))
    return { kind: 'inside', path: `${url.pathname}${url.search}` };
  return { kind: 'outside', url: url.href, host: url.host };
}

/** The address of a link that may lead outside: another site's goes by the page that says so. */
export function jumpPath(url: string): string {
  return /^https?:\/\//i.test(url) ? `/jump?url=${encodeURIComponent(url)}` : url;
}
