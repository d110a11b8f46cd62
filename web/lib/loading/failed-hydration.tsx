import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useRouteError } from 'react-router';

/**
 * A failure while the page is hydrated keeps the server's page. The server-rendered page is readable and its links work without
 * scripts, so replacing it with an error page would remove more than what failed.
 */

let isHydrated = false;

/** For the outermost component: from now on a failure occurs on a page that worked. */
export function useHydrationEnd(): void {
  useEffect(() => {
    // In a separate task: a failed effect of another component has removed this one by then.
    const timer = setTimeout(() => {
      isHydrated = true;
    });
    return () => clearTimeout(timer);
  }, []);
}

/** Whether the server itself responded with an error page, which hydrates like any other. */
function isServersError(): boolean {
  const { state } =
    (window as unknown as { __reactRouterContext?: { state?: { errors?: object | null } } }).__reactRouterContext ?? {};
  return Object.keys(state?.errors ?? {}).length > 0;
}

/** Whether an error being rendered is a failed hydration: of the page, or of a part whose script loaded later. */
export function isHydrationFailure(): boolean {
  if (import.meta.env.SSR || isServersError()) return false;
  return !isHydrated || document.querySelector('[data-late]') !== null;
}

/**
 * For the boundaries of layouts: passes a failed hydration on to the outermost boundary, which keeps the page; returns any other error.
 * @throws the error
 */
export function useErrorOfPage(): unknown {
  const error = useRouteError();
  if (isHydrationFailure()) throw error;
  return error;
}

/** The page's elements as they are, with what was typed into its fields, and without scripts. */
function copyOfBody(): DocumentFragment {
  const copy = document.createDocumentFragment();
  for (const node of document.body.childNodes) copy.append(node.cloneNode(true));
  for (const one of copy.querySelectorAll('script, style, link, #page-read')) one.remove();
  return copy;
}

/** The first copy: a boundary rendered again finds only its own message in the document. */
let served: DocumentFragment | undefined;

/** The server's page, with a message that it is not complete. */
export function KeptPage() {
  // Read while the failed page is still in the document.
  const [copy] = useState(() => (served ??= copyOfBody()).cloneNode(true));
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (copy.hasChildNodes()) place.current?.replaceChildren(copy);
  }, [copy]);
  useEffect(() => {
    // Forms that only scripts send are held back again, as before the hydration (pre-hydration.ts).
    delete window.early?.done;
  }, []);
  return (
    <>
      <p className="bg-attn-bg px-4 py-2 text-center text-13 text-attn" role="status">
        页面可以阅读，但部分按钮没有反应。请
        <a href="" className="underline">
          刷新页面
        </a>
        ；仍是这样时，请关闭浏览器插件，或改用新版 Chrome、Edge、Firefox、Safari 浏览器
      </p>
      <div className="contents" ref={place} />
    </>
  );
}
