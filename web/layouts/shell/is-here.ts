/** Whether a menu entry belongs to the current page: the page itself, or one below it. */
export function isHere(to: string, pathname: string): boolean {
  return to === pathname || (to !== '/backstage' && pathname.startsWith(`${to}/`));
}
