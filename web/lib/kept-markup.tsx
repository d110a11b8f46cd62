import { createContext, type MouseEvent, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

/** What stands for a part whose script has not come, or cannot: the server's markup of it. Null where the server made none. */
export const KeptMarkup = createContext<ReactNode>(null);

const ROUTED = 'a[data-discover]';

/** A link of the router in markup takes the press as it would have taken it, but for its props: it adds an entry, and one to this page does not. */
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

/** The server's markup shown again. */
export function Markup({ html }: { html: string }) {
  const onClick = useLinks();
  return <div className="contents" onClick={onClick} dangerouslySetInnerHTML={{ __html: html }} />;
}
