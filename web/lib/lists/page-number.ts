/** Maximum number of pages that a list serves by number; deeper ones are read by cursor. */
const MAX_PAGE = 1000;

/** The page number in the URL's `pages` (product.md 7), from 1; 1 for anything else. */
export function pageNumber(query: URLSearchParams): number {
  const text = query.get('pages') ?? '';
  const page = /^\d{1,4}$/.test(text) ? Number(text) : 1;
  return page >= 1 && page <= MAX_PAGE ? page : 1;
}

/** The query of a list's canonical address: its subject, and the number of a later page. Undefined where there is neither. */
export function canonicalQueryOf(
  subject: Readonly<Record<string, string | null | undefined>>,
  page: number,
): string | undefined {
  const entries = Object.entries(subject).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(entries);
  if (page > 1) query.set('pages', String(page));
  const text = query.toString();
  return text === '' ? undefined : text;
}
