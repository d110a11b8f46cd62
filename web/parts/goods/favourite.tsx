import { Heart } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { call } from '#web/lib/api/api.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

/**
 * Follows or unfollows: the screen changes immediately, the server follows; an error reverts it. A visitor is sent to
 * the login, which returns to this page.
 */
export function useFavourite(goodsSn: string, initial: boolean): { followed: boolean; toggle: () => void } {
  const [followed, setFollowed] = useState(initial);
  const location = useLocation();
  const navigate = useNavigate();
  const toggle = () => {
    if (!cookie('token')) {
      void navigate(`/login?returnUrl=${encodeURIComponent(`${location.pathname}${location.search}`)}`);
      return;
    }
    const next = !followed;
    setFollowed(next);
    call(goodsUserFollow, { goodsSn, status: next }).then(
      (result) => {
        setFollowed(result.followed);
        toast(result.followed ? '已收藏，降价会提醒您' : '已取消收藏', 'ok');
      },
      () => setFollowed(!next),
    );
  };
  return { followed, toggle };
}

/** The heart of a row or card. */
export function FavouriteButton({
  goodsSn,
  initial = false,
  className,
}: {
  goodsSn: string;
  initial?: boolean;
  className?: string;
}) {
  const { followed, toggle } = useFavourite(goodsSn, initial);
  return (
    <button
      type="button"
      className={cx('inline-flex items-center gap-1 hover:text-link', className)}
      aria-pressed={followed}
      aria-label={followed ? '取消收藏' : '收藏'}
      onClick={toggle}
    >
      <Heart className="icon" fill={followed ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}
