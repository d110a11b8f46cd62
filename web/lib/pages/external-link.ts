const MAX_LENGTH = 2000;

/** The target of a link: a page of this site, or another site's URL. */
export type ExternalLink = { kind: 'inside'; path: string } | { kind: 'outside'; url: string; host: string };

/**
 * Parses the URL that an external link carries. Only web URLs without a user name and password are accepted; one of
 * this host becomes its path. `host` is the request's own, with its port. Null for anything else.
 */
export function externalLinkOf(text: string | null, host: string): ExternalLink | null {
  if (!text || text.length > MAX_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  // A path that starts with two slashes would be interpreted as another host's name.
  if (url.host === host && !url.pathname.startsWith('//') && !url.pathname.startsWith('/jump'))
    return { kind: 'inside', path: `${url.pathname}${url.search}` };
  return { kind: 'outside', url: url.href, host: url.host };
}

/** The URL for a link that may lead to another site: other sites go through the warning page. */
export function jumpPath(url: string): string {
  return /^https?:\/\//i.test(url) ? `/jump?url=${encodeURIComponent(url)}` : url;
}
