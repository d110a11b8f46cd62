import { type DataStrategyResult, type MiddlewareFunction, redirect, replace } from 'react-router';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { isLeaving, mayReload } from './chunk-reload.ts';
import type { LayoutData } from '../pages/layout-data.ts';
import { serverResponds } from '../api/server-health.ts';

/**
 * Handles a navigation whose data cannot be loaded: no server, a proxy's error, a broken connection. By default the
 * router would replace the whole page including its layout with an error. Instead the current page stays, with its
 * input, and shows a message (`parts/site/failed-navigation.tsx`); the user can retry.
 */

type Results = Record<string, DataStrategyResult>;

/** A failed navigation that waits for the user's decision. */
interface FailedLoad {
  error: unknown;
  /** A retry is running. */
  busy: boolean;
  decide: (choice: Choice) => void;
}

type Choice = 'again' | 'stay';

/** A connection without data for this long counts as broken. */
const PATIENCE_MS = 20_000;

/**
 * The current page: its URL, its routes with their data, and whether it is an error page, which need not be preserved.
 */
let current: { path: string; matches: readonly { id: string; loaderData?: unknown }[]; failed: boolean } = {
  path: '',
  matches: [],
  failed: false,
};
/** The last data of every layout that was displayed; the ids of pages contain a colon or a slash. */
const frames = new Map<string, unknown>();
const isLayout = (id: string): boolean => !/[:/]/.test(id);

let lastLayout: LayoutData | null = null;

let failedLoad: FailedLoad | null = null;
const listeners = new Set<() => void>();
/** The next load returns to the page that is still displayed. */
let isStaying = false;
/** A script could not be loaded: the router would wait for it forever, so only a full page load helps. */
let isScriptLost = false;
let loseScript = (): void => {};
/** The navigation that the user cancelled during a retry. */
let abandonedUrl = '';

function publish(next: FailedLoad | null): void {
  failedLoad = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeFailedLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The navigation that waits for a decision, if any. */
export function currentFailedLoad(): FailedLoad | null {
  return failedLoad;
}

function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname}${search}`;
}

/** Called with the page that is now displayed, and its URL: the browser's may already be the next one. */
export function rememberCurrentPage(
  location: { pathname: string; search: string },
  matches: typeof current.matches,
): void {
  const path = addressOf(new URL(addressOf(location), window.location.origin));
  current = { path, matches, failed: current.failed };
  for (const { id, loaderData } of matches) if (isLayout(id) && loaderData) frames.set(id, loaderData);
}

/** Called by the market's layout with its data: an error outside all layouts is displayed in the last one. */
export function rememberLayout(data: LayoutData): void {
  lastLayout = data;
}

/** The data of the last displayed layout, in the browser. */
export function currentLayout(): LayoutData | null {
  return lastLayout;
}

/** Called by an error page while it is displayed. */
export function rememberFailed(failed: boolean): void {
  current.failed = failed;
}

/** Called when the router cannot load the script of the page that it navigates to. */
export function onScriptLost(): void {
  isScriptLost = true;
  loseScript();
}

/**
 * The failure of a layout, when the page is not its cause: an error of our own has its message and a page to display
 * it.
 */
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

/** The page's failure inside the existing layout. */
function withLayoutData(results: Results): Results {
  const failedLayouts = [...frames].filter(([id]) => results[id]?.type === 'error');
  return { ...results, ...asData(failedLayouts) };
}

const never = (): Promise<never> => new Promise(() => {});

/** Sends the router back to the current page, whose data is supplied from here. */
function stay(): Results {
  if (failedLoad) publish(null);
  isStaying = true;
  return { root: { type: 'data', result: replace(`${current.path}${window.location.hash}`) } };
}

/** Waits for the user's decision about a navigation and returns the results to continue with. */
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

/** Handles a missing script: loads the page once from the current release; without a server the current page stays. */
async function goAfresh(to: string): Promise<Results> {
  if (!(await serverResponds()) || !mayReload()) return hold(to, new TypeError('fetch'));
  window.location.assign(to);
  return never();
}

/** Wraps every load of the router in the browser: handles those whose layout has failed. */
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
  // Going back has already changed the URL, and an error page is not worth staying on.
  if (failure !== undefined && !isHere && !current.failed) return hold(to, failure);
  if (failedLoad) publish(null);
  if (failure === undefined) return results;
  if (to !== current.path || current.failed) return withLayoutData(results);
  // Firefox cancels the requests of a page during a navigation.
  if (!isLeaving()) toast('提示：网络超时', 'warn');
  return currentResults();
};
