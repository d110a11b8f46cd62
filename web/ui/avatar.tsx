import { hueOf, initialOf } from '#web/lib/hue.ts';
import { cx } from './class-names.ts';

/** A person or shop: the picture if there is one, otherwise the first character on a background of its own hue. */
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
      {src ? (
        <img src={src} width={size} height={size} alt="" loading="lazy" className="size-full object-cover" />
      ) : (
        initialOf(name)
      )}
    </span>
  );
}
