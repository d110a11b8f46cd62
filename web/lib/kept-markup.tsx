import { createContext, type MouseEvent, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

/** The replacement of a part whose script has not loaded or cannot load: its server-rendered markup. Null if the server rendered none. */
export const KeptMarkup = createContext<ReactNode>(null);

const ROUTED = 'a[data-discover]';

/** A router link in static markup handles the click like the router but ignores its props: it adds a history entry, except for the current page. */
export function useLinks(): (event: MouseEvent) => void {
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
export function Markup({ html }: { html: string }) {
  const onClick = useLinks();
  return <div className="contents" onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />;
}
