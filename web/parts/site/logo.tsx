import { Link } from 'react-router';

/** The distributor's logo, or a generated one in its brand colour. */
export function LogoMark({ src, size }: { src?: string | undefined; size: number }) {
  if (src) return <img src={src} width={size} height={size} alt="" className="rounded-control object-contain" />;
  return (
    <svg viewBox="0 0 40 40" width={size} height={size} aria-hidden="true" className="flex-none">
      <rect width="40" height="40" rx="9" fill="var(--act)" />
      <path
        d="M9 10h22l2.5 7.5a3.6 3.6 0 0 1-6.8 1.6 3.7 3.7 0 0 1-6.7.2 3.7 3.7 0 0 1-6.7-.2 3.6 3.6 0 0 1-6.8-1.6z"
        fill="#fff"
      />
      <path d="M18 22.5h4v3h3v4h-3v3h-4v-3h-3v-4h3z" fill="#fff" />
    </svg>
  );
}

/** Logo and name, linked to the home page. */
export function Logo({ name, src, tagline }: { name: string; src?: string | undefined; tagline?: string | undefined }) {
  return (
    <Link to="/" className="flex h-10 flex-none items-center gap-2.5">
      <LogoMark src={src} size={40} />
      <span>
        <b className="block text-[1.375rem] leading-6 font-bold tracking-[0.04em]">{name}</b>
        {tagline && <span className="block text-11 tracking-[0.06em] text-ink-3">{tagline}</span>}
      </span>
    </Link>
  );
}
