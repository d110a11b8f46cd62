import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LAZY_LOAD_RETRIES } from '#contract/rules/limits.ts';
import { cx } from './class-names.ts';

/** The URL of a retry for the same picture. */
export function again(src: string, attempt: number): string {
  return attempt === 0 ? src : `${src}${src.includes('?') ? '&' : '?'}retry=${attempt}`;
}

/**
 * A picture whose space is reserved before it loads. It loads when it comes near the viewport (immediately with
 * `eager`), is requested twice more when it fails, and is then replaced by `fallback`.
 */
export function Picture({
  src,
  phoneSrc,
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
  /** Another picture for screens narrower than 768 px. */
  phoneSrc?: string | undefined;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  /** Empty if the text next to it has the same content. */
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
  // A picture that failed before hydration no longer fires an event.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0 && image.current.currentSrc) fail();
  }, []);
  const isVisible = src && attempt <= LAZY_LOAD_RETRIES;
  const picture = isVisible && (
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
  );
  return (
    <span className={cx('picture', className)} style={{ aspectRatio: `${width} / ${height}` }}>
      {isVisible ? (
        phoneSrc && attempt === 0 ? (
          <picture>
            <source media="(max-width: 767px)" srcSet={phoneSrc} />
            {picture}
          </picture>
        ) : (
          picture
        )
      ) : (
        fallback
      )}
      {children}
    </span>
  );
}
