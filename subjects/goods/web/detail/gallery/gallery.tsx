import { ImageIcon } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { coverAt, isCover } from '#web/lib/media/cover.ts';
import { Cover } from '../../parts/cover/cover.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import type { GalleryPicture } from './gallery-picture.ts';
import { pressedKey } from '#web/lib/forms/pressed-key.ts';

const Viewer = lazyWithRetry(() => import('./viewer.tsx'));

/** Size of the large picture's box, in px. */
const WIDTH = 520;
const HEIGHT = 293;
/** The strip on phones: a cover is shown on its card canvas, whose text is large enough there. */
const PHONE = { width: 390, height: 219, coverHeight: 292 };

interface GalleryProps {
  pictures: readonly GalleryPicture[];
  title: string;
  /** Seed of the generated cover that replaces a failed picture. */
  seed: string;
  hue: number;
}

interface Turning extends GalleryProps {
  at: number;
  onView: () => void;
}

/** The large picture with thumbnails below, for wide screens. */
function Stage({
  pictures,
  seed,
  hue,
  at,
  onView,
  badge,
  onShow,
}: Turning & { badge: string; onShow: (index: number) => void }) {
  const strip = useRef<HTMLUListElement>(null);
  const count = pictures.length;
  const isDrawn = isCover(pictures[0]?.url ?? '');
  const show = (index: number) => {
    const next = (index + count) % count;
    onShow(next);
    strip.current?.children[next]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[pressedKey(event)];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  };
  return (
    <div className="max-md:hidden" onKeyDown={onKeyDown} role="group" aria-roledescription="图集" aria-label="商品图片">
      <button type="button" className="gallery-main" onClick={onView}>
        <Picture
          key={pictures[at]?.url}
          src={pictures[at]?.url}
          alt={isCover(pictures[at]?.url ?? '') ? '商品封面' : `商品图片 ${at + 1}`}
          width={WIDTH}
          height={HEIGHT}
          eager
          fallback={<Cover seed={`${seed}${at}`} hue={hue} />}
        >
          {!isCover(pictures[at]?.url ?? '') && <span className="gallery-mark">{badge}</span>}
          <span className={cx('gallery-count', count === 1 && 'sr-only')}>
            {at + 1} / {count}
            <span className="sr-only"> 放大查看</span>
          </span>
        </Picture>
      </button>
      <ul ref={strip} className="gallery-strip" hidden={count < 2}>
        {pictures.map((picture, index) => (
          <li key={picture.url}>
            <button
              type="button"
              className={cx('gallery-thumb', index === at && 'gallery-on')}
              aria-label={`第 ${index + 1} 张`}
              aria-current={index === at || undefined}
              onClick={() => show(index)}
            >
              <Picture
                src={picture.thumb}
                alt=""
                width={80}
                height={56}
                fallback={<Cover seed={`${seed}${index}`} hue={hue} />}
              />
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-2 flex items-center gap-1 text-12 text-ink-3">
        <ImageIcon className="icon size-3.5" aria-hidden="true" />
        {isDrawn ? '封面由商品信息绘制，卖家没有上传图片' : `共 ${count} 张，最后一张是封面`}
        <span className="ml-auto">{count > 1 ? '← → 翻页，点击放大' : '点击放大'}</span>
      </p>
    </div>
  );
}

/** The pictures as a swipeable strip, for phones. Full-size ones load when they are about to be visible. */
function Swipe({ pictures, seed, hue, at, onView, onShow }: Turning & { onShow: (index: number) => void }) {
  return (
    <>
      <ul
        className="gallery-swipe"
        aria-label="商品图片"
        onScroll={({ currentTarget }) => onShow(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {pictures.map((picture, index) => (
          <li key={picture.url}>
            <button type="button" aria-label={`放大第 ${index + 1} 张`} onClick={onView} className="block w-full">
              <Picture
                src={index <= at + 1 ? (coverAt(picture.url, '320x240') ?? picture.url) : picture.thumb}
                alt=""
                width={PHONE.width}
                height={isCover(pictures[0]?.url ?? '') ? PHONE.coverHeight : PHONE.height}
                className="rounded-none!"
                eager={index === 0}
                fallback={<Cover seed={`${seed}${index}`} hue={hue} />}
              />
            </button>
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <span className="gallery-count md:hidden">
          {at + 1} / {pictures.length}
        </span>
      )}
    </>
  );
}

/** The pictures of a listing, the drawn cover last: navigated by arrow keys or swipe, opened at full size by a click. */
export function Gallery({ badge, ...props }: GalleryProps & { badge: string }) {
  const [at, setAt] = useState(0);
  const [viewing, setViewing] = useState(false);
  const { pictures, title } = props;
  const turning = { ...props, at, onView: () => setViewing(true), onShow: setAt };
  return (
    <div className="gallery">
      <Stage {...turning} badge={badge} />
      <Swipe {...turning} />
      {viewing && (
        <Viewer pictures={pictures} start={at} title={title} onClose={() => setViewing(false)} onTurn={setAt} />
      )}
    </div>
  );
}
