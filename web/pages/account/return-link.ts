/** Another page of the account, which goes back to the same place afterwards. */
export function besideReturn(path: string, query: URLSearchParams): string {
  const returnUrl = query.get('returnUrl');
  return returnUrl ? `${path}?returnUrl=${encodeURIComponent(returnUrl)}` : path;
}
