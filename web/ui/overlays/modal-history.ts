/**
 * Makes going back close the topmost modal: on a phone any, elsewhere one with typed text. While one is open, the history ends with a marked
 * copy of the page's own entry; going back from it closes the modal, unnoticed by the router. A modal that is closed in another way
 * leaves the entry, since a step back that removes it would race with a navigation or the next modal; going back skips it. A page
 * that begins at a marked entry, as after a reload, steps below it at once (`web/head/leave-dialog-entry.ts`).
 */

/** The entry that the router regards as the current one, while the marked entry follows it; null otherwise. */
interface PageEntry {
  state: Readonly<Record<string, unknown>>;
  url: string;
}

let pageEntry: PageEntry | null = null;
const open: { close: () => void }[] = [];
/** The number that the router gave to the current entry. */
let currentIdx: unknown;

const stateOf = (state: unknown): Readonly<Record<string, unknown>> =>
  typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
const unmarked = (state: Readonly<Record<string, unknown>>) => ({ ...state, isOver: undefined });

/** Changes the history without the wrappers below. */
const write = (kind: 'pushState' | 'replaceState', ...args: Parameters<History['pushState']>): void =>
  History.prototype[kind].apply(history, args);

function hold(): void {
  if (pageEntry) return;
  const state = stateOf(history.state);
  pageEntry = { state: unmarked(state), url: window.location.href };
  // A second mark would make going back end at the first.
  if (!state.isOver) write('pushState', { ...pageEntry.state, isOver: true }, '');
}

/** Arrived at a marked entry: from the entry below, which is the same page, the step continues to the following page, if any. */
function onMarked(event: PopStateEvent, state: Readonly<Record<string, unknown>>): void {
  pageEntry = { state: unmarked(state), url: window.location.href };
  if (state.idx !== currentIdx) return;
  event.stopImmediatePropagation();
  history.forward();
}

function onPop(event: PopStateEvent): void {
  const state = stateOf(event.state);
  if (state.isOver) onMarked(event, state);
  else onUnmarked(event, state);
  currentIdx = state.idx;
}

function onUnmarked(event: PopStateEvent, state: Readonly<Record<string, unknown>>): void {
  const left = pageEntry;
  pageEntry = null;
  // The router numbers its entries: another number is another page, not the entry below the marked one.
  if (!left || left.state.idx !== state.idx) return;
  event.stopImmediatePropagation();
  // A filter may have replaced the page's address while the mark stood there.
  write('replaceState', left.state, '', left.url);
  const top = open.at(-1);
  if (!top) {
    history.back();
    return;
  }
  const isOverAnother = open.length > 1;
  top.close();
  if (isOverAnother) hold();
  // A modal that refuses to close, for example while sending, gets its entry back: going back again must not leave the page.
  else setTimeout(() => open.at(-1) === top && hold(), 100);
}

let isListening = false;
function listen(): void {
  if (isListening) return;
  isListening = true;
  currentIdx = stateOf(history.state).idx;
  window.addEventListener('popstate', onPop, true);
  history.pushState = (...args) => {
    pageEntry = null;
    currentIdx = stateOf(args[0]).idx;
    write('pushState', ...args);
  };
  history.replaceState = (state, unused, url) => {
    currentIdx = stateOf(state).idx;
    if (pageEntry) {
      write('replaceState', { ...stateOf(state), isOver: true }, unused, url);
      pageEntry = { state: stateOf(state), url: window.location.href };
    } else write('replaceState', state, unused, url);
  };
}

/** Lets going back call `close` until the returned function is called. */
export function closeOnBack(close: () => void): () => void {
  listen();
  const entry = { close };
  open.push(entry);
  hold();
  return () => {
    const at = open.indexOf(entry);
    if (at >= 0) open.splice(at, 1);
  };
}
