import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LAZY_LOAD_RETRIES } from '#contract/rules/limits.ts';
import { cx } from './class-names.ts';

/** The same picture, asked for anew. */
function again(src: string, attempt: number): string {
  return attempt === 0 ? src : `${src}${src.includes('?') ? '&' : '?'}retry=${attempt}`;
}

/**
 * A picture whose place is reserved before it comes. It loads when it comes near the screen (at once with `eager`), is
 * asked for twice again when it fails, and then gives way to `fallback`.
 */
export function Picture({
  src,
  srcSet,
  sizes,
  alt,
  width,
  height,
  eager = false,
  fallback = null,
  className,
  children,
}: {
  src: string | null | undefined;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  /** Empty where the words beside it say the same. */
  alt: string;
  width: number;
  height: number;
  eager?: boolean;
  fallback?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const [attempt, setAttempt] = useState(0);
  const image = useRef<HTMLImageElement>(null);
  const fail = () => setAttempt((n) => n + 1);
  // A picture that failed before the scripts came has no event left to tell.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0 && image.current.currentSrc) fail();
  }, []);
  const isVisible = src && attempt <= LAZY_LOAD_RETRIES;
  return (
    <span className={cx('picture', className)} style={{ aspectRatio: `${width} / ${height}` }}>
      {isVisible ? (
        <img
          ref={image}
          key={attempt}
          src={again(src, attempt)}
          srcSet={attempt === 0 ? srcSet : undefined}
          sizes={sizes}
          alt={alt}
          width={width}
          height={height}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          onError={fail}
        />
      ) : (
        fallback
      )}
      {children}
    </span>
  );
}
