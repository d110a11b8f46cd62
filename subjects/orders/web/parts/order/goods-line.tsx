import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { withoutGame } from './order-details.ts';

/** Square game icons replace a missing picture; they are shown uncropped. */
const isGameIcon = (thumbnail: string): boolean => thumbnail.startsWith('/art/game/') || thumbnail === '/icon.svg';

/**
 * The traded item of an order in one line: picture, type, game, title, and the page's additions below. A game's name at
 * the start of the title is not repeated.
 */
export function GoodsSummary({
  title,
  gameName,
  typeId,
  typeName,
  thumbnail,
  seed,
  to,
  lines = 2,
  children,
  className,
}: {
  title: string;
  gameName?: string | undefined;
  typeId: number;
  typeName?: string | undefined;
  thumbnail: string;
  /** The seed of the generated cover when there is no picture. */
  seed: string;
  to?: string | undefined;
  lines?: 1 | 2;
  children?: ReactNode;
  className?: string;
}) {
  const text = (
    <>
      {gameName && <b className="mr-1.5 font-semibold">{gameName}</b>}
      {withoutGame(title, gameName ?? '')}
    </>
  );
  return (
    <div className={cx('flex min-w-0 gap-3', className)}>
      <Picture
        src={thumbnail}
        alt=""
        width={96}
        height={64}
        className={cx('w-24 flex-none self-start', isGameIcon(thumbnail) && '[&_img]:object-contain')}
        fallback={<Cover seed={seed} />}
      />
      <div className="grid min-w-0 flex-1 content-center gap-1">
        <p className={cx('text-14 leading-text', lines === 1 ? 'line-clamp-2 xl:line-clamp-1' : 'line-clamp-2')}>
          <TypeTag typeId={typeId} name={typeName} className="mr-1.5 align-[1px]" />
          {to ? (
            <Link to={to} className="hover:text-link">
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        {children}
      </div>
    </div>
  );
}
