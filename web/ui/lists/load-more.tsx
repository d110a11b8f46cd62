import { Link } from 'react-router';
import { buttonClass } from '../button.tsx';

/**
 * The end of a growing list: how much is displayed, and a link to more. The link has a real URL, so it also works
 * before hydration; `onMore` then takes over and appends in place.
 */
export function LoadMore({
  visible,
  total,
  href,
  busy,
  onMore,
}: {
  visible: number;
  /** Text, because a count may be '1000+'. */
  total: string;
  /** URL of the next page; null at the end of the list. */
  href: string | null;
  busy: boolean;
  onMore: () => void;
}) {
  return (
    <div className="flex items-center justify-center gap-3 py-5 text-13 text-ink-3">
      <span aria-live="polite">
        已显示 {visible} / {total} 件
      </span>
      {href ? (
        <Link
          to={href}
          rel={href.includes('cursor=') ? 'next nofollow' : 'next'}
          className={buttonClass({})}
          aria-busy={busy || undefined}
          onClick={(event) => {
            event.preventDefault();
            if (!busy) onMore();
          }}
        >
          {busy && <span className="spinner" aria-hidden="true" />}
          继续看
        </Link>
      ) : (
        <span>没有更多了</span>
      )}
    </div>
  );
}
