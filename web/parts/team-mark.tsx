/** Circles below this width have room for one letter. */
const SMALL = 32;

/** A team's logo in a circle, or the first letters of its short name. */
export function TeamMark({ name, logo, size = 36 }: { name: string; logo: string | null; size?: number }) {
  return logo === null ? (
    <span
      className="grid flex-none place-items-center rounded-full bg-sunken text-12 font-semibold text-ink-2"
      style={{ width: size, height: size }}
      aria-hidden="true"
    >
      {name.slice(0, size < SMALL ? 1 : 3)}
    </span>
  ) : (
    <img
      src={logo}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      className="flex-none rounded-full bg-sunken object-cover"
      style={{ width: size, height: size }}
    />
  );
}
