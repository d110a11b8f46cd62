/**
 * Loads `web/older/older.js` in browsers that lack one of the newest functions it adds. Every browser with all three has the others. Until it has
 * run the page's scripts wait (`start-scripts.ts`).
 */
export function loadOlder(url: string, nonce: string): void {
  if ('groupBy' in Map && 'canParse' in URL && 'popover' in HTMLElement.prototype) return;
  window.olderWait = true;
  const script = document.createElement('script');
  script.src = url;
  script.nonce = nonce;
  document.head.appendChild(script);
}
