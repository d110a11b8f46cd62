/** Width in which an uploaded icon is served; lists show it at half of it. */
const ICON_WIDTH = 160;

/** The source of a game's icon: an uploaded picture, otherwise a drawing. */
export interface IconParts {
  icon: string | null;
  hue: number;
  scene: string;
  glyph: string;
}

/** URL of a game's icon. It encodes everything that the picture shows, so browsers may cache it forever and still show a new one immediately. */
export function gameIconUrl({ icon, hue, scene, glyph }: IconParts): string {
  if (icon !== null) return `/img/${icon}?w=${ICON_WIDTH}`;
  const char = [...glyph][0];
  return `/art/icon/${hue}/${scene}/${char === undefined ? '_' : encodeURIComponent(char)}.svg`;
}
