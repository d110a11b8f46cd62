import { cx } from '#web/ui/class-names.ts';
import { hashOf, hueOf, initialOf } from '#web/lib/hue.ts';
import scenes from './scenes.svg?url';

const SCENES = ['wall', 'rank', 'sheet', 'ridge', 'city', 'orbit', 'gate', 'road', 'waves', 'topo'] as const;

/**
 * A generated picture in place of a missing photograph: the game's hue, and a scene that is always the same for the
 * same seed.
 */
export function Cover({ seed, hue, className }: { seed: string; hue?: number | undefined; className?: string }) {
  return (
    <span className={cx('cover', className)} style={{ '--h': hue ?? hueOf(seed) }} aria-hidden="true">
      <svg>
        <use href={`${scenes}#${SCENES[hashOf(seed) % SCENES.length]}`} />
      </svg>
    </span>
  );
}

/** A game's tile: its icon if the catalogue has one, otherwise its first character on a generated scene. */
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
      <svg>
        <use href={`${scenes}#${SCENES[hashOf(name) % SCENES.length]}`} />
      </svg>
      <b>{initialOf(name)}</b>
    </span>
  );
}
