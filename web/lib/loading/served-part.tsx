import { createContext, type MouseEvent, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { LAZY_LOAD_RETRIES } from '#contract/rules/limits.ts';
import { again } from '#web/ui/picture.tsx';

/**
 * Parts of a page that the browser keeps as rendered by the server (docs/decisions/479): their data is not sent with a full page load.
 * A later navigation or data reload receives it with the loader's data.
 */

/** Data that is not sent, keyed by the loader's data of one request, so that requests cannot mix. */
const unsent = new WeakMap<object, unknown>();

/** Page data whose `more` is sent only with a navigation; on a full page load only the server's rendering has it (`serverOnlyDataOf`). */
export type WithMore<D extends object, M> = D & { more: M | null };

/**
 * A loader's result.
 *
 * @param isDocument whether the page is rendered on the server
 */
export function withServerOnlyData<D extends object, M extends object>(
  data: D,
  more: M,
  isDocument: boolean,
): WithMore<D, M> {
  const result = { ...data, more: isDocument ? null : more };
  if (isDocument) unsent.set(result, more);
  return result;
}

/** The rest of the page's data: on the server always; in the browser null until it has been loaded. */
export function serverOnlyDataOf<M extends object>(data: { more: M | null }): M | null {
  return data.more ?? (unsent.get(data) as M | undefined) ?? null;
}

/**
 * Pictures that cannot be loaded are requested twice more (product.md 9) and then leave an empty background; one in a list with `data-needs-all`
 * empties the list immediately. Returns a function that stops this.
 */
function watchPictures(part: HTMLElement): () => void {
  const tries = new Map<HTMLImageElement, { src: string; attempt: number }>();
  const fail = (picture: HTMLImageElement) => {
    const list = picture.closest('[data-needs-all]');
    if (list) {
      list.replaceChildren();
      return;
    }
    const { src, attempt } = tries.get(picture) ?? { src: picture.src, attempt: 0 };
    if (attempt >= LAZY_LOAD_RETRIES) {
      picture.style.visibility = 'hidden';
      return;
    }
    tries.set(picture, { src, attempt: attempt + 1 });
    picture.removeAttribute('srcset');
    picture.src = again(src, attempt + 1);
  };
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLImageElement) fail(target);
  };
  for (const picture of part.querySelectorAll('img'))
    if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) fail(picture);
  part.addEventListener('error', onError, true);
  return () => part.removeEventListener('error', onError, true);
}

/** The server-rendered markup, by its data and the part's name: a layout may be shown again with its old data. */
const markup = new WeakMap<object, Map<string, string>>();

const markupOf = (of: object, name: string): string => markup.get(of)?.get(name) ?? '';

function keepMarkup(of: object, name: string, html: string): void {
  if (markupOf(of, name) !== '') return;
  const parts = markup.get(of) ?? new Map<string, string>();
  markup.set(of, parts.set(name, html));
}

/** The replacement of a part whose script has not loaded or cannot load: its server-rendered markup. Null if the server rendered none. */
export const KeptMarkup = createContext<ReactNode>(null);

const ROUTED = 'a[data-discover]';

/** A router link in static markup handles the click like the router but ignores its props: it adds a history entry, except for the current page. */
function useLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(ROUTED) : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || link.target || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(`${link.pathname}${link.search}${link.hash}`, { replace: link.href === window.location.href });
  };
}

/** The server's markup, shown again. */
function Markup({ html }: { html: string }) {
  const onClick = useLinks();
  return <div className="contents" onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />;
}

let hasAsked = false;

interface Served {
  /** The data that contains, or contained, the part's (`withServerOnlyData`). */
  of: object;
  /** A name unique among all parts that may take its place: another listing has another name. */
  name: string;
  className?: string;
}

/** Keeps the server's markup. Without markup, as after an error of the whole page, the data is loaded once. */
function ServerMarkup({ of, name, className }: Served) {
  const { revalidate } = useRevalidator();
  const onClick = useLinks();
  const [html] = useState(() => markupOf(of, name));
  const look = useCallback(
    (part: HTMLDivElement | null) => {
      if (!part) return undefined;
      if (part.hasAttribute('data-served')) keepMarkup(of, name, part.innerHTML);
      else if (html === '' && !hasAsked) {
        hasAsked = true;
        void revalidate();
      }
      return watchPictures(part);
    },
    [of, name, html, revalidate],
  );
  return (
    <div
      ref={look}
      className={className}
      suppressHydrationWarning
      onClick={onClick}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/**
 * A part without interaction other than links. When its data arrives later, the server's markup stays until the
 * part's script is loaded, and permanently if loading fails.
 *
 * @param children the part, null while its data is not in the browser (`serverOnlyDataOf`)
 */
export function ServedPart({ of, name, className = 'contents', children }: Served & { children: ReactNode }) {
  const [first] = useState(of);
  if (children === null) return <ServerMarkup of={of} name={name} className={className} />;
  const html = markupOf(first, name);
  const kept = html === '' ? null : <Markup html={html} />;
  return (
    <div className={className} data-served={import.meta.env.SSR ? '' : undefined}>
      <KeptMarkup value={kept}>
        <Suspense fallback={kept}>{children}</Suspense>
      </KeptMarkup>
    </div>
  );
}
