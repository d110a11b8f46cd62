import { cx } from '#web/ui/class-names.ts';
import { hueOf, initialOf } from '#web/lib/format/hue.ts';

/**
 * A plain background in the game's hue, in place of a picture that cannot be loaded; without a hue, one derived from
 * the seed.
 */
export function Cover({ seed, hue, className }: { seed: string; hue?: number | undefined; className?: string }) {
  return <span className={cx('cover', className)} style={{ '--h': hue ?? hueOf(seed) }} aria-hidden="true" />;
}

/** A game's tile: its icon if the catalogue has one, otherwise its first character. */
export function GameTile({
  name,
  hue,
  icon,
  size,
  className,
}: {
  name: string;
  hue?: number | undefined;
  icon?: string | undefined;
  size: number;
  className?: string;
}) {
  if (icon) {
    return (
      <img
        src={icon}
        width={size}
        height={size}
        alt=""
        loading="lazy"
        className={cx('rounded-card object-cover', className)}
      />
    );
  }
  return (
    <span
      className={cx('cover tile', className)}
      style={{ '--h': hue ?? hueOf(name), width: size, height: size, fontSize: Math.round(size * 0.5) }}
      aria-hidden="true"
    >
      <b>{initialOf(name)}</b>
    </span>
  );
}
