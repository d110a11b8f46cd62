import { type DataStrategyResult, type MiddlewareFunction, redirect, replace } from 'react-router';
import { toast } from '#web/ui/toast-store.ts';
import { mayReload } from './chunk-reload.ts';
import type { LayoutData } from './layout-data.ts';
import { serverResponds } from './server-health.ts';

/**
 * What happens when the data of a page cannot be had on the way to it: no server, a proxy's error, a cut line. The router alone would
 * put an error in place of the whole page with its frame. Here the page on screen stays, with what was typed, and says what happened
 * (`parts/failed-navigation.tsx`); whoever asked may ask again.
 */

type Results = Record<string, DataStrategyResult>;

/** A way that did not come through, until somebody decides. */
interface Held {
  error: unknown;
  /** It is being tried again. */
  busy: boolean;
  decide: (choice: Choice) => void;
}

type Choice = 'again' | 'stay';

/** A line that carries nothing for so long is as good as cut. */
const PATIENCE_MS = 20_000;

/** What stands on screen: its address, its routes with their data, and whether it is an error page, which nobody wants to keep. */
let current: { path: string; matches: readonly { id: string; loaderData?: unknown }[]; failed: boolean } = {
  path: '',
  matches: [],
  failed: false,
};
/** The last data of every frame that was on screen; pages' ids hold a colon or a slash. */
const frames = new Map<string, unknown>();
const isLayout = (id: string): boolean => !/[:/]/.test(id);

let lastLayout: LayoutData | null = null;

let held: Held | null = null;
const listeners = new Set<() => void>();
/** The next load is the way back to the page that never went away. */
let isStaying = false;
/** A script could not be fetched: the router waits for it in vain, so only a fresh page leads on. */
let isScriptLost = false;
let loseScript = (): void => {};
/** The way that somebody no longer wanted to go while it was tried again. */
let abandonedUrl = '';

function publish(next: Held | null): void {
  held = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeHeld(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The way that waits for an answer, if there is one. */
export function currentHeld(): Held | null {
  return held;
}

function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname}${search}`;
}

/** Called with what has come on screen, and with its own address: the browser's may be further on already. */
export function rememberCurrentPage(
  location: { pathname: string; search: string },
  matches: typeof current.matches,
): void {
  const path = addressOf(new URL(addressOf(location), window.location.origin));
  current = { path, matches, failed: current.failed };
  for (const { id, loaderData } of matches) if (isLayout(id) && loaderData) frames.set(id, loaderData);
}

/** Called by the market's frame with its data: an error above all frames is shown in the last one. */
export function rememberLayout(data: LayoutData): void {
  lastLayout = data;
}

/** The data of the frame that was last on screen, in the browser. */
export function currentLayout(): LayoutData | null {
  return lastLayout;
}

/** Called by an error page while it stands. */
export function rememberFailed(failed: boolean): void {
  current.failed = failed;
}

/** Called when the router cannot fetch the script of the page that it is on the way to. */
export function onScriptLost(): void {
  isScriptLost = true;
  loseScript();
}

/** Whether a frame has failed by no fault of the page: a refusal of ours has words of its own and a page to show them. */
function failureOf(results: Results): unknown {
  const failed = Object.entries(results).find(
    ([id, { type, result }]) => type === 'error' && isLayout(id) && !(result instanceof Response),
  )?.[1].result as { status?: number; data?: unknown } | undefined;
  const isOurs = failed?.status !== undefined && failed.status < 500 && typeof failed.data !== 'string';
  return isOurs ? undefined : failed;
}

const asData = (entries: Iterable<readonly [string, unknown]>): Results =>
  Object.fromEntries([...entries].map(([id, result]) => [id, { type: 'data', result }]));

const currentResults = (): Results => asData(current.matches.map(({ id, loaderData }) => [id, loaderData]));

/** The page's failure in the frame as it was. */
function withLayoutData(results: Results): Results {
  const failedLayouts = [...frames].filter(([id]) => results[id]?.type === 'error');
  return { ...results, ...asData(failedLayouts) };
}

const never = (): Promise<never> => new Promise(() => {});

/** Sends the router back to the page that is on screen, whose data it then gets from here. */
function stay(): Results {
  if (held) publish(null);
  isStaying = true;
  return { root: { type: 'data', result: replace(`${current.path}${window.location.hash}`) } };
}

/** Waits for the decision about a way and answers with where the router shall go instead. */
async function hold(to: string, error: unknown): Promise<Results> {
  const choice = await new Promise<Choice>((decide) => publish({ error, busy: false, decide }));
  if (choice === 'stay') return stay();
  abandonedUrl = '';
  publish({
    error,
    busy: true,
    decide(later) {
      if (later === 'again') return;
      abandonedUrl = to;
      publish(null);
    },
  });
  if (!isScriptLost) return { root: { type: 'data', result: redirect(to) } };
  if (!(await serverResponds())) return abandonedUrl ? stay() : hold(to, error);
  window.location.assign(to);
  return never();
}

/** A script that is gone: the page comes afresh from the release that stands, once; without a server the page on screen stays. */
async function goAfresh(to: string): Promise<Results> {
  if (!(await serverResponds()) || !mayReload()) return hold(to, new TypeError('fetch'));
  window.location.assign(to);
  return never();
}

/** Around every load of the router in the browser: decides what becomes of one whose frame has failed. */
export const holdUnreached: MiddlewareFunction<Results> = async ({ request }, next) => {
  const to = addressOf(new URL(request.url));
  const isBack = isStaying && to === current.path;
  isStaying = false;
  if (isBack) return currentResults();
  if (isScriptLost && to !== current.path) return goAfresh(to);
  const lost = new Promise<null>((resolve) => {
    loseScript = () => resolve(null);
  });
  const slow = new Promise<Results>((resolve) => {
    setTimeout(() => resolve({ root: { type: 'error', result: new TypeError('fetch') } }), PATIENCE_MS);
  });
  const results = await Promise.race([next(), lost, slow]);
  if (request.signal.aborted) return results ?? {};
  if (!results) return goAfresh(to);
  if (abandonedUrl === to) {
    abandonedUrl = '';
    return stay();
  }
  const failure = failureOf(results);
  const isHere = to === addressOf(window.location);
  // The way back has changed the address already, and an error page is nothing to stay on.
  if (failure !== undefined && !isHere && !current.failed) return hold(to, failure);
  if (held) publish(null);
  if (failure === undefined) return results;
  if (to !== current.path || current.failed) return withLayoutData(results);
  toast('提示：网络超时', 'warn');
  return currentResults();
};
