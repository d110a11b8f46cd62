import { drawEmblem, type Emblem } from './emblem.ts';
import { motif, type Palette, paletteOf, type Tier } from './palette.ts';
import { box, cutTo, disc, fill, fitted, line, round, svg, widthOf, withoutText, write } from './svg.ts';

/** Canvases of a cover: rows, phone rows, cards from 280 px of width, and the first picture of a listing's page. */
export const COVER_SIZES = {
  '136x90': [136, 90],
  '112x112': [112, 112],
  '320x240': [320, 240],
  '560x315': [560, 315],
} as const;
export type CoverSize = keyof typeof COVER_SIZES;

/** One figure of the listing, as text. */
export interface CoverFigure {
  value: string;
  label: string;
  /** A third line, such as 超过 91%. */
  note?: string;
}

/** The content of a cover. All texts are plain: they are escaped, fitted and truncated here. */
export interface Cover {
  game: { name: string; hue: number; scene: string };
  tier: Tier;
  /** Rank, class, route, nickname or kind of item. */
  title: string;
  /** Region or camp; may be empty. */
  region: string;
  /** The badge above the title; `brief` replaces it on small canvases. */
  badge?: { text: string; brief: string; isTicked: boolean } | undefined;
  /** One line of names; may be empty. */
  note: string;
  /** At most three; dots in the colours of the rings where the emblem has rings. */
  figures: readonly CoverFigure[];
  /** The figure of small canvases; the first of `figures` unless it is given. */
  lead?: CoverFigure | undefined;
  emblem: Emblem;
}

interface Small {
  width: number;
  height: number;
  /** Top edge of the lower band. */
  band: number;
  emblem: { x: number; y: number; size: number };
  motif: { x: number; y: number };
  lead: { y: number; max: number; width: number; labelY: number };
  titleY: number;
  regionY: number;
  hasDate: boolean;
}

const ROW: Small = {
  width: 136,
  height: 90,
  band: 53,
  emblem: { x: 7, y: 4, size: 46 },
  motif: { x: 66, y: -22 },
  lead: { y: 30, max: 24, width: 68, labelY: 46 },
  titleY: 69,
  regionY: 83,
  hasDate: true,
};
const SQUARE: Small = {
  width: 112,
  height: 112,
  band: 66,
  emblem: { x: 8, y: 8, size: 50 },
  motif: { x: 44, y: -24 },
  lead: { y: 32, max: 22, width: 45, labelY: 48 },
  titleY: 85,
  regionY: 101,
  hasDate: false,
};

const MARGIN = 9;
/** No text is smaller than this on any canvas. */
const LEAST = 11;

const placed = (drawing: string, { x, y, size }: { x: number; y: number; size: number }): string =>
  `<g transform="translate(${x} ${y}) scale(${size / 100})">${drawing}</g>`;

const tick = (x: number, y: number, s: number, colour: string): string =>
  line(
    `M${round(x)} ${round(y)}l${round(s * 0.35)} ${round(s * 0.35)} ${round(s * 0.65)}-${round(s * 0.7)}`,
    colour,
    Math.max(1.4, round(s * 0.16)),
  );

/** The fine frame of the highest tier. */
const foil = (width: number, height: number, inset: number, { rings }: Palette): string =>
  `<path d="M${inset} ${inset}H${width - inset}V${height - inset}H${inset}z" fill="none" stroke="${rings[1]}" stroke-opacity=".7"/>`;

/** The lead figure at the upper right; without one the game's name, unless the title already contains it. */
function smallLead(cover: Cover, at: Small, { soft }: Palette): string {
  const right = at.width - 8;
  const lead = cover.lead ?? cover.figures[0];
  const { y, max, width, labelY } = at.lead;
  if (!lead) {
    if (cover.title === cover.game.name) return '';
    const name = cutTo(cover.game.name, 12, width);
    return write(right, labelY - 8, name, { size: 12, colour: '#fff', weight: 600, anchor: 'end' });
  }
  const size = Math.max(LEAST, fitted(lead.value, max, width));
  return (
    write(right, y, cutTo(lead.value, size, width), { size, colour: '#fff', weight: 700, anchor: 'end' }) +
    write(right, labelY, cutTo(lead.label, LEAST, width), { size: LEAST, colour: soft, anchor: 'end' })
  );
}

function drawSmall(cover: Cover, at: Small, palette: Palette): string {
  const { width, height, band } = at;
  const { badge, emblem, game, tier } = cover;
  const right = width - 8;
  const inner = width - 2 * MARGIN;
  const isDated = badge?.isTicked === true;
  const date = isDated && at.hasDate ? badge.brief : '';
  const reserved = isDated ? (date === '' ? 14 : widthOf(date) * LEAST + 18) : 0;
  const size = Math.max(LEAST, fitted(cover.title, 13, inner));
  // A mask has its own background and fills its corner.
  const isMask = emblem.kind === 'mask' && at === ROW;
  const tickX = date === '' ? right - 11 : right - widthOf(date) * LEAST - 13;
  return [
    fill(`M0 0h${width}v${height}H0z`, palette.ground),
    fill(`M0 ${band}h${width}v${height - band}H0z`, palette.band),
    motif(game.scene, at.motif.x, at.motif.y, 92, { colour: palette.track, stroke: 1.2 }),
    placed(drawEmblem(emblem, palette), isMask ? { x: 0, y: 0, size: band } : at.emblem),
    smallLead(cover, at, palette),
    write(MARGIN, at.titleY, cutTo(cover.title, size, inner), { size, colour: '#fff', weight: 600 }),
    cover.region === ''
      ? ''
      : write(MARGIN, at.regionY, cutTo(cover.region, LEAST, inner - reserved), { size: LEAST, colour: palette.soft }),
    isDated ? tick(tickX, at.regionY - 4, 8, palette.rings[0]) : '',
    date === '' ? '' : write(right, at.regionY, date, { size: LEAST, colour: palette.soft, anchor: 'end' }),
    tier === 3 ? foil(width, height, 2.5, palette) : '',
  ].join('');
}

interface Large {
  width: number;
  height: number;
  margin: number;
  band: number;
  emblem: { x: number; y: number; size: number };
  motif: { x: number; y: number; size: number; stroke: number };
  badge: { y: number; height: number; size: number };
  title: { y: number; max: number; least: number; width: number };
  sub: { y: number; size: number; width: number };
  note: { y: number; size: number };
  figures: {
    valueY: number;
    valueSize: number;
    labelY: number;
    labelSize: number;
    noteY: number;
    noteSize: number;
    dot: number;
  };
}

const CARD: Large = {
  width: 320,
  height: 240,
  margin: 18,
  band: 136,
  emblem: { x: 202, y: 16, size: 104 },
  motif: { x: 166, y: -40, size: 210, stroke: 1.3 },
  badge: { y: 17, height: 20, size: 12 },
  title: { y: 69, max: 23, least: 17, width: 178 },
  sub: { y: 92, size: 13, width: 180 },
  note: { y: 119, size: 12 },
  figures: { valueY: 175, valueSize: 24, labelY: 197, labelSize: 12, noteY: 221, noteSize: 12, dot: 4 },
};
const PAGE: Large = {
  width: 560,
  height: 315,
  margin: 28,
  band: 196,
  emblem: { x: 366, y: 16, size: 164 },
  motif: { x: 300, y: -70, size: 330, stroke: 1.5 },
  badge: { y: 26, height: 26, size: 14 },
  title: { y: 96, max: 34, least: 24, width: 320 },
  sub: { y: 126, size: 16, width: 330 },
  note: { y: 164, size: 15 },
  figures: { valueY: 246, valueSize: 34, labelY: 273, labelSize: 15, noteY: 295, noteSize: 13, dot: 5 },
};

function drawBadge({ badge }: Cover, at: Large, { band, soft, rings }: Palette): string {
  if (!badge) return '';
  const { y, height, size } = at.badge;
  const text = cutTo(badge.text, size, at.sub.width - 40);
  const before = badge.isTicked ? size + 9 : 10;
  return (
    box(at.margin, y, Math.round(widthOf(text) * size + before + 10), height, height / 2, band) +
    (badge.isTicked ? tick(at.margin + 9, y + height / 2, size - 4, rings[0]) : '') +
    write(at.margin + before, y + height * 0.7, text, { size, colour: soft })
  );
}

function drawFigures({ figures, emblem }: Cover, at: Large, { soft, rings }: Palette): string {
  const { valueY, valueSize, labelY, labelSize, noteY, noteSize, dot } = at.figures;
  const column = (at.width - 2 * at.margin) / 3;
  const drawn = figures.slice(0, 3).map(({ value, label, note }, i) => {
    const x = Math.round(at.margin + i * column);
    const room = column - 8;
    const size = Math.max(labelSize, fitted(value, valueSize, room));
    const hasDot = emblem.kind === 'rings' && i < emblem.shares.length;
    const labelX = hasDot ? x + dot * 2 + 5 : x;
    return (
      write(x, valueY, cutTo(value, size, room), { size, colour: '#fff', weight: 700 }) +
      (hasDot ? disc(x + dot, labelY - labelSize * 0.37, dot, rings[i] ?? soft) : '') +
      write(labelX, labelY, cutTo(label, labelSize, room - (labelX - x)), { size: labelSize, colour: soft }) +
      (note === undefined ? '' : write(x, noteY, cutTo(note, noteSize, room), { size: noteSize, colour: soft }))
    );
  });
  return drawn.join('');
}

function drawLarge(cover: Cover, at: Large, palette: Palette): string {
  const { width, height, margin, band, title, sub, note } = at;
  const { emblem, game, tier } = cover;
  const size = Math.max(title.least, fitted(cover.title, title.max, title.width));
  const place = [game.name, cover.region].filter((part) => part !== '').join(' · ');
  return [
    fill(`M0 0h${width}v${height}H0z`, palette.ground),
    fill(`M0 ${band}h${width}v${height - band}H0z`, palette.band),
    motif(game.scene, at.motif.x, at.motif.y, at.motif.size, { colour: palette.track, stroke: at.motif.stroke }),
    placed(drawEmblem(emblem, palette), at.emblem),
    drawBadge(cover, at, palette),
    write(margin, title.y, cutTo(cover.title, size, title.width), { size, colour: '#fff', weight: 700 }),
    write(margin, sub.y, cutTo(place, sub.size, sub.width), { size: sub.size, colour: palette.soft }),
    cover.note === ''
      ? ''
      : write(margin, note.y, cutTo(cover.note, note.size, sub.width), { size: note.size, colour: palette.soft }),
    drawFigures(cover, at, palette),
    tier === 3 ? foil(width, height, 4, palette) : '',
  ].join('');
}

/** The cover as SVG text, at most 3 KB: the same cover and size give the same text. */
export function drawCover(cover: Cover, size: CoverSize): string {
  const [width, height] = COVER_SIZES[size];
  const palette = paletteOf(cover.game.hue, cover.tier);
  const body =
    size === '136x90'
      ? drawSmall(cover, ROW, palette)
      : size === '112x112'
        ? drawSmall(cover, SQUARE, palette)
        : drawLarge(cover, size === '320x240' ? CARD : PAGE, palette);
  const figures = cover.figures.map(({ value, label }) => `${label} ${value}`);
  return svg(width, height, body, [cover.game.name, cover.title, ...figures].filter((part) => part !== '').join(' '));
}

/**
 * The card canvas in the middle of a higher picture, its background and band extended above and below: for preview images. Without text if
 * the machine that rasterises has no Chinese font.
 */
export function drawPoster(cover: Cover, to: { width: number; height: number; hasText: boolean }): string {
  const { ground, band } = paletteOf(cover.game.hue, cover.tier);
  const drawn = drawCover(cover, '320x240');
  const card = to.hasText ? drawn : withoutText(drawn);
  const height = (to.width * CARD.height) / CARD.width;
  const top = Math.max(0, (to.height - height) / 2);
  const placedCard = card.replace(
    / width="320" height="240"/,
    ` y="${round(top)}" width="${to.width}" height="${round(height)}" overflow="visible"`,
  );
  const seam = round(top + (height * CARD.band) / CARD.height);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${to.width}" height="${to.height}">${fill(`M0 0h${to.width}v${to.height}H0z`, ground)}${fill(`M0 ${seam}h${to.width}V${to.height}H0z`, band)}${placedCard}</svg>`;
}
