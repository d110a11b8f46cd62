import { type ComponentType, lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { ErrorState } from '#web/ui/states.tsx';
import { mayReload, withoutReload } from './chunk-reload.ts';

/**
 * Parts of a page that the browser takes as the server rendered them (docs/decisions/479): their data is not sent with a page that comes whole.
 * What needs it later, a navigation or a reload of the data, gets it with the loader's.
 */

/** What is not sent, by the loader's own data of one request, so that no other request can meet it. */
const unsent = new WeakMap<object, unknown>();

/** Data of a page whose `more` comes with a navigation; of a page that comes whole only the server's rendering has it (`moreOf`). */
export type WithMore<D extends object, M> = D & { more: M | null };

/**
 * A loader's result.
 *
 * @param isDocument the page is rendered here and not in the browser
 */
export function withMore<D extends object, M extends object>(data: D, more: M, isDocument: boolean): WithMore<D, M> {
  const result = { ...data, more: isDocument ? null : more };
  if (isDocument) unsent.set(result, more);
  return result;
}

/** The rest of the page's data: on the server always; in the browser null until it has been loaded. */
export function moreOf<M extends object>(data: { more: M | null }): M | null {
  return data.more ?? (unsent.get(data) as M | undefined) ?? null;
}

const ROUTED = 'a[data-discover]';

/** A link of the router takes the press as it would have taken it. */
function useLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(ROUTED) : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || link.target || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    void navigate(`${link.pathname}${link.search}${link.hash}`);
  };
}

/** A picture that cannot be loaded leaves its ground. */
function hideFailedPictures(part: HTMLElement): () => void {
  const hide = (picture: EventTarget | null) => {
    if (picture instanceof HTMLImageElement) picture.style.visibility = 'hidden';
  };
  const onError = ({ target }: Event) => hide(target);
  for (const picture of part.querySelectorAll('img'))
    if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) hide(picture);
  part.addEventListener('error', onError, true);
  return () => part.removeEventListener('error', onError, true);
}

/** What the server rendered, by the data that it came with and the part's name: a layout may be shown again with its old data. */
const markup = new WeakMap<object, Map<string, string>>();

function keepMarkup(of: object, name: string, html: string): void {
  const parts = markup.get(of) ?? new Map<string, string>();
  markup.set(of, parts.set(name, html));
}

let hasAsked = false;

interface Served {
  /** The data that has, or had, the part's (`withMore`). */
  of: object;
  /** Its name among the parts of this data. */
  name: string;
  className?: string;
}

/** Keeps the server's markup. Where there is none, as after an error of the whole page, the data is loaded, once. */
function AsServed({ of, name, className }: Served) {
  const { revalidate } = useRevalidator();
  const onClick = useLinks();
  const [html] = useState(() => markup.get(of)?.get(name) ?? '');
  const look = (part: HTMLDivElement | null) => {
    if (!part) return undefined;
    if (part.hasAttribute('data-served')) keepMarkup(of, name, part.innerHTML);
    else if (html === '' && !hasAsked) {
      hasAsked = true;
      void revalidate();
    }
    return hideFailedPictures(part);
  };
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
 * A part without anything that a browser's script would do in it, but for links.
 *
 * @param children the part, null while its data is not in the browser (`moreOf`)
 */
export function ServedPart({ of, name, className = 'contents', children }: Served & { children: ReactNode }) {
  if (children === null) return <AsServed of={of} name={name} className={className} />;
  return (
    <div className={className} data-served={import.meta.env.SSR ? '' : undefined}>
      <Suspense fallback={null}>{children}</Suspense>
    </div>
  );
}

let isReloading = false;

/** In place of a part whose script cannot be loaded: the page comes from the server once, then the error stands there. */
function Lost() {
  const [isMissing, setMissing] = useState(false);
  const look = (place: HTMLElement | null): void => {
    if (!place || isReloading) return;
    isReloading = mayReload();
    if (isReloading) window.location.reload();
    else setMissing(true);
  };
  if (!isMissing) return <i ref={look} hidden />;
  return <ErrorState message="这一部分没有加载出来，请刷新页面后再试" onRetry={() => window.location.reload()} />;
}

/** A component of a `ServedPart` in the browser, which loads its script when the part's data has come. */
export function lazyServed<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() =>
    withoutReload(load).catch((): { default: ComponentType<P> } => ({ default: Lost })),
  ) as unknown as ComponentType<P>;
}
