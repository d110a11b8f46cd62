/** A game's icon next to its name. */
export function GameIcon({ src, size = 20 }: { src: string | null; size?: number }) {
  if (src === null) return null;
  return <img src={src} width={size} height={size} alt="" loading="lazy" className="flex-none rounded-tag" />;
}
