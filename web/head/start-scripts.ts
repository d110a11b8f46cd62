import { LATER } from '../router-internals/defer-scripts.ts';

/** After the first paint scripts wait for the page's main picture, but no longer than this. */
const PICTURE_TIMEOUT_MS = 250;
/** In a browser that does not report its paints, the scripts start this long after the page has loaded. */
const NO_PAINT_TIMING_MS = 500;

/** The page's text has been read. */
let isRead = false;
/** It is time for the scripts; they may still have to wait for something. */
let isTime = false;
let hasStarted = false;

function start(): void {
  isTime = true;
  for (const preload of document.querySelectorAll<HTMLLinkElement>(`link[rel=${LATER}]`)) preload.rel = 'modulepreload';
  const inert = document.querySelector<HTMLScriptElement>(`script[type=${LATER}]`);
  if (!isRead || hasStarted || !inert || window.styleRest || window.olderWait) return;
  hasStarted = true;
  const script = document.createElement('script');
  script.type = 'module';
  script.nonce = inert.nonce;
  script.text = inert.text;
  document.head.appendChild(script);
}

const startAfterFrames = (): void => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
};

function startAfterPicture(): void {
  setTimeout(start, PICTURE_TIMEOUT_MS);
  const picture = document.querySelector<HTMLImageElement>('img[fetchpriority=high]');
  if (picture) picture.decode().then(startAfterFrames, startAfterFrames);
  else startAfterFrames();
}

/**
 * Starts the page's scripts, which `startLater` made inert: immediately in a hidden page, else two frames after the first paint
 * and the picture with the highest priority; at the latest half a second after the page has loaded. Content added by scripts
 * needs the whole style sheet, so they also wait for the rest of it (`rest-of-style.ts`), and in older browsers for the polyfills
 * (`load-older.ts`).
 */
export function startScripts(): void {
  document.addEventListener('DOMContentLoaded', () => {
    isRead = true;
    if (isTime) start();
  });
  document.addEventListener('styled', () => {
    if (isTime) start();
  });
  window.addEventListener('load', () => setTimeout(start, NO_PAINT_TIMING_MS));
  if (document.visibilityState === 'hidden') {
    start();
    return;
  }
  try {
    const observer = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      startAfterPicture();
    });
    observer.observe({ type: 'paint', buffered: true });
  } catch {
    // No paint timing: the scripts start after the page has loaded.
  }
}
