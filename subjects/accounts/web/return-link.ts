/** URL of another account page that keeps the return URL. */
export function besideReturn(path: string, query: URLSearchParams): string {
  const returnUrl = query.get('returnUrl');
  return returnUrl ? `${path}?returnUrl=${encodeURIComponent(returnUrl)}` : path;
}
