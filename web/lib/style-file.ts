import appCssUrl from '../styles/app.css?url';

/** The style sheet of all pages as a file of its own, and the cookie that says that a browser has stored this very file. */
export const pageStyleFile = {
  url: appCssUrl,
  cookie: { name: 'style', value: /(?:^|\/)([^/]+)\.css$/.exec(appCssUrl)?.[1] ?? '' },
};

/** The page's scripts wait for the rest of the style sheet, but no longer than this. */
const REST_TIMEOUT_MS = 1500;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;

/**
 * The text of a script of the page's head. A page that carries only its own part of the style sheet gets the whole behind it when its text has
 * been read; until then, or until a time-out, `window.styleRest` is true, and the end of it is the event `styled` of the document. A cookie then
 * says that the browser has the file, and the next page imports it. A file that did not come is asked for again, at longer and longer intervals.
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
