import { forgetValue } from '#web/router-internals/field-tracker.ts';

/**
 * What a visitor does before the scripts have taken the page over is kept and done afterwards: a page is shown long before its
 * scripts are there, and a press that does nothing, or text that is gone again, is a broken page to whoever did it.
 */

interface PreHydrationQueue {
  /** Buttons and forms in the order in which they were pressed, each once. */
  acts: Set<HTMLElement>;
  /** Fields that were filled in or chosen. */
  fields: Set<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>;
  /** Forgets the listeners. */
  stop(): void;
}

declare global {
  interface Window {
    early?: PreHydrationQueue;
  }
}

/**
 * The listeners, as text for the page's head, since they must be there before any script file is. Links and forms that fetch
 * (`method="get"`) work without scripts and are left alone. A link that opens a dialog first waits like a button. No other form is
 * ever sent by the browser itself, which would put a password into an address.
 */
export const preHydrationScript =
  "(function(d,w){var a=new Set,f=new Set,t='click submit input change'.split(' ');" +
  "function on(e){var n=e.target,b;if(e.type=='submit'){if(n.getAttribute('method')!='get'){e.preventDefault();a.add(n)}}" +
  "else if(e.type=='click'){b=n.closest&&n.closest('button,a[aria-haspopup]');if(b&&!(b.form&&b.type=='submit'))a.add(b);if(b&&b.href)e.preventDefault()}" +
  'else f.add(n)}' +
  't.forEach(function(k){d.addEventListener(k,on,true)});' +
  'w.early={acts:a,fields:f,stop:function(){t.forEach(function(k){d.removeEventListener(k,on,true)})}}})(document,window)';

function restoreField(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): void {
  const isChoice = field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
  forgetValue(field, isChoice ? String(!field.checked) : `${field.value}\u0000`);
  // React hears of boxes by their click; a plain event of that name does not turn the box again.
  field.dispatchEvent(new Event(isChoice ? 'click' : 'input', { bubbles: true }));
  if (!isChoice) field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Does what was done before the page was ready. Called once, when the whole page listens. */
export function replayPreHydrationEvents(): void {
  const { early } = window;
  if (!early) return;
  early.stop();
  delete window.early;
  for (const field of early.fields) if (field.isConnected) restoreField(field);
  doNext([...early.acts], PATIENCE);
}

/** Looks at a button that is busy at first, and ms between them. */
const PATIENCE = 30;
const POLL_MS = 100;

/** One after another, each when what the one before it changed has been rendered: a form is sent with what is in its fields. */
function doNext(acts: HTMLElement[], attempts: number): void {
  const [one, ...rest] = acts;
  if (!one) return;
  setTimeout(() => {
    if (one instanceof HTMLButtonElement && one.disabled && attempts > 0)
      return setTimeout(() => doNext(acts, attempts - 1), POLL_MS);
    if (one instanceof HTMLFormElement && one.isConnected) one.requestSubmit();
    // What it opens by the browser's own means is open already; a second press would close it.
    else if (one.isConnected && !one.hasAttribute('popovertarget')) one.click();
    return doNext(rest, PATIENCE);
  });
}
