import { describe, expect, test } from 'vitest';
import { gameScenes } from '#subjects/games/contract/game-doc.ts';
import { type Cover, COVER_SIZES, type CoverSize, drawCover, drawPoster } from './cover.ts';
import type { Emblem } from './emblem.ts';
import { drawMask, MASKS } from './mask.ts';
import { drawAvatar, drawBanner, drawCertificate, drawGame, drawLogo } from './marks.ts';
import { paletteOf, type Tier } from './palette.ts';
import { drawScreen } from './screens.ts';
import { cutTo, oklch, widthOf } from './svg.ts';

const SIZES = Object.keys(COVER_SIZES) as CoverSize[];
const EMBLEMS: Emblem[] = [
  { kind: 'rings', shares: [91, 88, 1], char: '王' },
  { kind: 'rings', shares: [], char: '王' },
  { kind: 'pile', discs: 6 },
  { kind: 'icon', icon: 'gift' },
  { kind: 'stairs', steps: 2 },
  { kind: 'mask', mask: { index: 23, hue: 345, hasVoice: true } },
];
const HOSTILE = `</text><script>alert(1)</script>"'&]]>\u0000\ud800`;
const LONG = '𠮷👨‍👩‍👧'.repeat(40);

const cover = (over: Partial<Cover> = {}): Cover => ({
  game: { name: '王者荣耀', hue: 42, scene: 'ridge' },
  tier: 3,
  title: '荣耀王者 · V9',
  region: '安卓QQ',
  badge: { text: '已验号 11-18', brief: '11-18', isTicked: true },
  note: '凤求凰 · 白龙吟 · 遇见神鹿',
  figures: [
    { value: '386', label: '皮肤', note: '超过 91%' },
    { value: '5', label: '典藏', note: '超过 88%' },
    { value: '118', label: '英雄', note: '超过 94%' },
  ],
  emblem: { kind: 'rings', shares: [91, 88, 94], char: '王' },
  ...over,
});

const filledWith = (text: string): Cover =>
  cover({
    game: { name: text, hue: 42, scene: text },
    title: text,
    region: text,
    badge: { text, brief: text.slice(0, 4), isTicked: true },
    note: text,
    figures: Array.from({ length: 3 }, () => ({ value: text, label: text, note: text })),
    emblem: { kind: 'rings', shares: [50, 50, 50], char: [...text][0] ?? '' },
  });

const empty = cover({ title: '', region: '', note: '', figures: [], badge: undefined });

const covers: Cover[] = [...EMBLEMS.map((emblem) => cover({ emblem })), empty, filledWith(HOSTILE), filledWith(LONG)];

/** Every kind of generated picture. */
const pictures: string[] = [
  ...covers.flatMap((c) => SIZES.map((size) => drawCover(c, size))),
  ...covers.map((c) => drawPoster(c, { width: 600, height: 630, hasText: true })),
  ...Array.from({ length: MASKS }, (_, index) => drawMask({ index, hue: index * 15, hasVoice: index % 2 === 0 })),
  ...Array.from({ length: 12 }, (_, index) => drawScreen({ hue: 148, seed: index * 7, index })),
  ...gameScenes.map((scene, i) => drawGame({ hue: i * 20, scene, char: '王者' })),
  drawAvatar({ hue: 20, char: '山' }),
  drawAvatar({ hue: 20, char: '' }),
  drawBanner({ hue: 221, dark: true }),
  drawCertificate({ hue: 40, text: HOSTILE }),
  ...(['stall', 'moon', 'star', 'seal'] as const).map((kind) => drawLogo({ hue: 221, char: HOSTILE, kind })),
];

/** Walks the tags and checks that they are closed in order, that attributes are quoted and no text is left over. Returns the element names. */
function parse(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const token = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z][\w:.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let end = 0;
  for (let m = token.exec(xml); m !== null; m = token.exec(xml)) {
    end = token.lastIndex;
    const [, closing, name = '', attributes = '', selfClosed, text] = m;
    if (text !== undefined) {
      expect(text).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)|>/);
      continue;
    }
    if (closing === '/') expect(open.pop()).toBe(name);
    else {
      names.push(name);
      const keys = Array.from(attributes.matchAll(/\s([\w:.-]+)=/g), (a) => a[1]);
      expect(new Set(keys).size, `${name}: ${keys.join(' ')}`).toBe(keys.length);
      if (selfClosed !== '/') open.push(name);
    }
  }
  expect(end).toBe(xml.length);
  expect(open).toEqual([]);
  return names;
}

interface Line {
  x: number;
  y: number;
  size: number;
  anchor: string;
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The lines of text outside the emblem, with their places. */
const linesOf = (svg: string): Line[] =>
  Array.from(svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)"([^>]*)>([^<]*)</g), (m): Line => {
    const [, x, y, size, rest = '', text = ''] = m;
    const anchor = /text-anchor="(\w+)"/.exec(rest)?.[1] ?? 'start';
    const plain = text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
    return { x: Number(x), y: Number(y), size: Number(size), anchor, text: plain };
  }).filter(({ anchor }) => anchor !== 'middle');

describe('every picture', () => {
  test('is well-formed, of plain shapes, and neither runs nor loads anything', () => {
    for (const picture of pictures) {
      const allowed = ['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'text'];
      expect(parse(picture).filter((name) => !allowed.includes(name))).toEqual([]);
      const markup = picture
        .replaceAll(/>[^<]+</g, '><')
        .replaceAll(/ aria-label="[^"]*"/g, '')
        .replaceAll('xmlns="http://www.w3.org/2000/svg"', '');
      expect(markup).not.toMatch(/script|href|style=|url\(|https?:|\son[a-z]+=/i);
    }
  });

  test('has valid numbers, and no control characters or halves of characters', () => {
    for (const picture of pictures) {
      expect(picture).not.toMatch(/NaN|undefined|Infinity|[\u0000-\u001f]/);
      expect(picture.isWellFormed()).toBe(true);
    }
  });
});

describe('covers', () => {
  test('take at most 3 KB with usual texts, and are the same for the same listing', () => {
    for (const emblem of EMBLEMS) {
      for (const size of SIZES) {
        const drawn = drawCover(cover({ emblem }), size);
        expect(Buffer.byteLength(drawn), `${emblem.kind} ${size}`).toBeLessThan(3_072);
        expect(drawCover(cover({ emblem }), size)).toBe(drawn);
      }
    }
  });

  test('keep all text inside the canvas at 11 units or more, whatever its length', () => {
    for (const c of covers) {
      for (const size of SIZES) {
        const [width, height] = COVER_SIZES[size];
        for (const { x, y, size: fontSize, anchor, text } of linesOf(drawCover(c, size))) {
          const long = widthOf(text) * fontSize;
          expect(anchor === 'end' ? x - long : x + long, `${size}: ${text}`).toSatisfy(
            (end: number) => end >= 0 && end <= width,
          );
          expect(y).toBeLessThanOrEqual(height);
          expect(fontSize).toBeGreaterThanOrEqual(11);
        }
      }
    }
  });

  test('name the game once where there is no figure and the title is its name', () => {
    const bare = cover({ title: '王者荣耀', figures: [], badge: undefined });
    expect(linesOf(drawCover(bare, '136x90')).filter(({ text }) => text === '王者荣耀')).toHaveLength(1);
  });

  test('name the title, the region and the leading figure on the smallest canvas', () => {
    const texts = linesOf(drawCover(cover(), '112x112')).map(({ text }) => text);
    expect(texts).toEqual(['386', '皮肤', '荣耀王者 · V9', '安卓QQ']);
  });

  test('show all three figures, the note and the badge on cards, and no ring for a missing figure', () => {
    const texts = linesOf(drawCover(cover(), '320x240')).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['已验号 11-18', '王者荣耀 · 安卓QQ', '386', '5', '118', '超过 94%']));
    const two = cover({ emblem: { kind: 'rings', shares: [10, 20], char: '王' } });
    expect(drawCover(two, '320x240').match(/stroke-dasharray/g)).toHaveLength(2);
  });

  test('leave their text out of previews on a machine without fonts, and keep the drawing', () => {
    const bare = drawPoster(filledWith(HOSTILE), { width: 600, height: 630, hasText: false });
    expect(parse(bare)).toContain('circle');
    expect(bare.replace(/aria-label="[^"]*"/, '')).not.toMatch(/<text|alert/);
  });

  test('name the game when nothing else is known', () => {
    expect(linesOf(drawCover(empty, '136x90')).map(({ text }) => text)).toContain('王者荣耀');
  });

  test('do not cut a character that a reader sees as one', () => {
    expect(cutTo('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 10, 25)).toBe('👨‍👩‍👧…');
    expect(cutTo('王者荣耀', 10, 40)).toBe('王者荣耀');
  });
});

/** WCAG contrast of two #rrggbb colours. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
      const v = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test('text has a contrast of 4.5 on ground and band, in every hue and tier', () => {
  for (let hue = 0; hue < 360; hue++) {
    for (const tier of [0, 1, 2, 3] as Tier[]) {
      const { ground, band, soft } = paletteOf(hue, tier);
      for (const under of [ground, band])
        for (const text of ['#ffffff', soft])
          expect(contrast(text, under), `${hue} ${tier}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

describe('marks', () => {
  test('show one character as a reader sees it', () => {
    expect(drawGame({ hue: 1, scene: 'city', char: '王者' })).toContain('>王</text>');
    expect(drawAvatar({ hue: 1, char: '👨‍👩‍👧 家' })).toContain('>👨‍👩‍👧</text>');
    expect(drawAvatar({ hue: 1, char: '  ' })).not.toContain('<text');
    expect(drawLogo({ hue: 1, char: '&', kind: 'seal' })).toContain('>&amp;</text>');
  });

  test('draw every mask differently', () => {
    const masks = Array.from({ length: MASKS }, (_, index) => drawMask({ index, hue: 60, hasVoice: false }));
    expect(new Set(masks).size).toBe(MASKS);
    for (const mask of masks) expect(Buffer.byteLength(mask)).toBeLessThan(1_400);
  });

  test('give a listing screenshots that differ', () => {
    expect(new Set(Array.from({ length: 12 }, (_, index) => drawScreen({ hue: 42, seed: 9, index }))).size).toBe(12);
  });
});

test('oklch gives the colours of browsers and reduces chroma instead of clipping', () => {
  // Reference values: CSS Color 4, oklch(0.62796 0.25768 29.234) is red, oklch(0.51975 0.17686 142.495) is green.
  expect(oklch(0.6279, 0.2576, 29.23)).toBe('#ff0000');
  expect(oklch(0.5197, 0.1768, 142.5)).toBe('#008000');
  expect(oklch(0.97, 0.3, 20)).toMatch(/^#f[0-9a-f]/);
});
