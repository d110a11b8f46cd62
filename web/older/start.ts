import olderUrl from './older.js?url';

/**
 * The text of a script of the page's head: loads `older.js` in browsers that lack one of the newest functions it adds. Every browser with all
 * three has the others. Until it has run `window.olderWait` is true, and the page's scripts wait (`router-internals/defer-scripts.ts`).
 */
export const olderScript =
  "(function(d,w){if(Map.groupBy&&URL.canParse&&'popover'in HTMLElement.prototype)return;w.olderWait=true;" +
  `var s=d.createElement('script');s.src='${olderUrl}';s.nonce=d.currentScript.nonce;d.head.appendChild(s)})(document,window)`;
