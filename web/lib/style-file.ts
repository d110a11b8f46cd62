import appCssUrl from '../styles/app.css?url';

/** The style sheet of all pages as a separate file, and the cookie showing that a browser has stored exactly this file. */
export const pageStyleFile = {
  url: appCssUrl,
  cookie: { name: 'style', value: /(?:^|\/)([^/]+)\.css$/.exec(appCssUrl)?.[1] ?? '' },
};

/** The page's scripts wait for the rest of the style sheet, but no longer than this. */
const REST_TIMEOUT_MS = 1500;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;

/**
 * The text of a script of the page's head. A page that contains only its own part of the style sheet loads the whole sheet when its text has
 * been read; until then, or until a time-out, `window.styleRest` is true, and the document then receives the event `styled`. A cookie then
 * records that the browser has the file, and the next page imports it. A failed load is retried at increasing intervals.
 */
export const storeStyleScript =
  '(function(d,w){' +
  "d.addEventListener('DOMContentLoaded',function(){var s=d.getElementById('app-css');" +
  "if(!s||s.textContent.indexOf('@import')==0)return;" +
  "function end(){if(w.styleRest){w.styleRest=false;d.dispatchEvent(new Event('styled'))}}" +
  `function ask(ms){var l=d.createElement('link');l.rel='stylesheet';l.href='${pageStyleFile.url}';` +
  `l.onerror=function(){l.remove();end();setTimeout(ask,ms,Math.min(2*ms,${RETRY_MAX_MS}))};` +
  `l.onload=function(){d.cookie='${pageStyleFile.cookie.name}=${pageStyleFile.cookie.value};path=/;max-age=31536000;samesite=lax';end()};` +
  "s.insertAdjacentElement('afterend',l)}" +
  `w.styleRest=true;ask(${RETRY_MS});setTimeout(end,${REST_TIMEOUT_MS})})})(document,window)`;
