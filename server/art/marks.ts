import { motif } from './palette.ts';
import { box, cutTo, disc, fill, firstCharacter, oklch, SERIF, svg, write } from './svg.ts';

/** Four-pointed glint with hollow sides. */
function glint(x: number, y: number, r: number): string {
  const k = r * 0.16;
  const at = (dx: number, dy: number) => `${Math.round((x + dx) * 10) / 10} ${Math.round((y + dy) * 10) / 10}`;
  return `M${at(0, -r)}Q${at(k, -k)} ${at(r, 0)}Q${at(k, k)} ${at(0, r)}Q${at(-k, k)} ${at(-r, 0)}Q${at(-k, -k)} ${at(0, -r)}Z`;
}

/** Square icon of a game: its line drawing under one serif character. Full bleed; the page rounds the corners. */
export function drawGame({ hue, scene, char }: { hue: number; scene: string; char: string }): string {
  const lines = motif(scene, 6, 6, 84, { colour: oklch(0.62, 0.09, hue), stroke: 1.6 });
  const letter = firstCharacter(char);
  const style = { size: 52, weight: 900, anchor: 'middle', family: SERIF } as const;
  return svg(
    96,
    96,
    fill('M0 0h96v96H0z', oklch(0.49, 0.1, hue)) +
      fill('M0 60h96v36H0z', oklch(0.45, 0.1, hue + 8)) +
      lines +
      write(48, 67, letter, { ...style, colour: '#fff' }),
  );
}

/** Avatar: the first character of a name on a tint, or a plain figure when there is no name. */
export function drawAvatar({ hue, char }: { hue: number; char: string }): string {
  const ground = fill('M0 0h96v96H0z', oklch(0.905, 0.04, hue));
  const letter = firstCharacter(char);
  const dark = oklch(0.56, 0.07, hue);
  const person = disc(48, 38, 16, dark) + fill('M16 96a32 34 0 0 1 64 0z', dark);
  const style = { size: 42, weight: 600, anchor: 'middle', colour: oklch(0.4, 0.08, hue) } as const;
  return svg(96, 96, ground + (letter === '' ? person : write(48, 63, letter, style)));
}

/** A quiet band in a brand's hue, behind text. */
export function drawBanner({ hue, dark }: { hue: number; dark: boolean }): string {
  const tone = (l: number, c: number) => (dark ? oklch(0.5 - l * 0.3, c * 0.6 + 0.015, hue) : oklch(l, c, hue));
  return svg(1200, 320, fill('M0 0h1200v320H0z', tone(0.938, 0.026)) + fill('M0 220h1200v100H0z', tone(0.88, 0.045)));
}

/** Stall under an awning, 64 wide, in a box of 96. */
function stall(colour: string, cut: string): string {
  const scallops = Array.from({ length: 5 }, (_, i) => `M${18 + i * 12} 40a6 7 0 0 0 12 0z`).join('');
  return (
    fill('M24 22h48l6 18H18z', colour) +
    fill(scallops, colour) +
    fill('M25 46h4.6v28H25zM66.4 46h4.6v28h-4.6z', colour) +
    box(21, 72, 54, 6, 2, colour) +
    fill('M44.5 52h7v5.5h5.5v7h-5.5v5.5h-7v-5.5H39v-7h5.5z', colour) +
    `<path d="M36 24l-4 16M48 24v16M60 24l4 16" stroke="${cut}" stroke-width="2" stroke-opacity=".55" fill="none"/>`
  );
}

export type LogoKind = 'stall' | 'moon' | 'star' | 'seal';

/** Logo of a distributor. `char` is used by the kind 'seal' only. */
export function drawLogo({ hue, char, kind }: { hue: number; char: string; kind: LogoKind }): string {
  const ground = oklch(0.425, 0.08, hue);
  const glow = oklch(0.86, 0.09, hue + 24);
  const ink = '#fff';
  const marks: Record<LogoKind, () => string> = {
    stall: () => stall(ink, ground),
    moon: () =>
      fill('M58 16a33 33 0 1 0 22 46a27 27 0 0 1-22-46z', ink) + fill(glint(70, 32, 9), glow) + disc(80, 49, 2, ink),
    star: () =>
      fill(glint(46, 50, 33), ink) +
      fill(glint(74, 24, 11), glow) +
      `<ellipse cx="46" cy="50" rx="35" ry="12" transform="rotate(-24 46 50)" fill="none" stroke="${glow}" stroke-width="3" stroke-dasharray="74 36" stroke-dashoffset="-18"/>`,
    seal: () =>
      `<rect x="12" y="12" width="72" height="72" rx="12" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="2.5"/>` +
      write(48, 66, firstCharacter(char), { size: 50, colour: ink, weight: 900, anchor: 'middle', family: SERIF }),
  };
  return svg(96, 96, box(0, 0, 96, 96, 22, ground) + marks[kind]());
}

/** A certificate picture of the demo market: a seal and a text. Distributors upload real ones. */
export function drawCertificate({ hue, text }: { hue: number; text: string }): string {
  const frame = `<rect x=".5" y=".5" width="95" height="31" rx="4" fill="${oklch(0.98, 0.01, hue)}" stroke="${oklch(0.8, 0.05, hue)}"/>`;
  const seal = `${disc(16, 16, 9, oklch(0.5, 0.1, hue))}<path d="M12 16l3 3 5.5-6" fill="none" stroke="#fff" stroke-width="2"/>`;
  const title = write(30, 15, cutTo(text, 11, 64), { size: 11, weight: 600, colour: oklch(0.3, 0.05, hue) });
  return svg(96, 32, frame + seal + title + write(30, 25.5, '演示资质', { size: 7.5, colour: oklch(0.5, 0.03, hue) }));
}
