/**
 * The script in the head of every page, for what must happen before any script file is loaded. `web/build/head-script.ts` compiles it with
 * what it imports to one classic script, which the server writes into the page (web/root.tsx); browsers keep no copy of its text.
 */
import { loadOlder } from './load-older.ts';
import { queueInput } from './queue-input.ts';
import { renewPictures } from './renew-pictures.ts';
import { startScripts } from './start-scripts.ts';
import { leaveDialogEntry } from './leave-dialog-entry.ts';
import { loadRestOfStyle } from './rest-of-style.ts';

declare global {
  interface Window {
    /** The rest of the style sheet is loading, and the page's scripts wait. */
    styleRest?: boolean;
    /** The polyfills are loading, and the page's scripts wait; `older.js` ends this. */
    olderWait?: boolean;
  }
}

const { nonce = '', dataset = {} as DOMStringMap } = document.currentScript ?? {};

queueInput();
leaveDialogEntry();
renewPictures();
if (dataset.older !== undefined) loadOlder(dataset.older, nonce);
// Before the scripts: it decides whether they have to wait.
if (dataset.style !== undefined) loadRestOfStyle(dataset.style, dataset.styleCookie ?? '');
startScripts();
