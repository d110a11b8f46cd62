import { hueOf, initialOf } from '#web/lib/format/hue.ts';
import { cx } from './class-names.ts';

/** The market's own picture of a name (server/art) is light in every theme, and would need a request for what a style can do. */
const isDrawn = (src: string): boolean => src.includes('/art/avatar/');

/** A person or shop: the picture if there is one, otherwise the first character on a separate background hue. */
export function Avatar({
  name,
  src,
  size = 40,
  className,
}: {
  name: string;
  src?: string | null;
  size?: number;
  className?: string;
}) {
  return (
    <span
      className={cx('avatar', className)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.42), '--hue': hueOf(name) }}
      aria-hidden="true"
    >
      {src && !(name && isDrawn(src)) ? (
        <img src={src} width={size} height={size} alt="" loading="lazy" className="size-full object-cover" />
      ) : (
        initialOf(name)
      )}
    </span>
  );
}
