import { describe, expect, test } from 'vitest';
import { drawAvatar, drawBanner, drawGame, drawGoods, drawLogo, SCENE_KINDS } from './draw.ts';
import { oklch } from './svg.ts';

const SIZES = [
  [480, 270],
  [640, 480],
  [360, 360],
] as const;

/** Goods pictures: each scene, several goods and sizes, all twelve pictures. */
function* goodsPictures() {
  for (const [i, scene] of SCENE_KINDS.entries()) {
    for (const seed of [0, 1, 7, 4_294_967_295]) {
      for (let index = 0; index < 12; index++) {
        const [width, height] = SIZES[(seed + index) % 3] ?? SIZES[0];
        yield { hue: i * 20, scene, seed, index, width, height };
      }
    }
  }
}

function allPictures(): string[] {
  return [
    ...Array.from(goodsPictures(), drawGoods),
    ...SCENE_KINDS.map((scene, i) => drawGame({ hue: i * 20, scene, char: '王' })),
    drawAvatar({ hue: 20, char: '山' }),
    drawAvatar({ hue: 20, char: '' }),
    drawBanner({ hue: 221 }),
    drawBanner({ hue: 221, dark: true }),
    ...(['stall', 'moon', 'star', 'seal'] as const).map((kind) => drawLogo({ hue: 221, char: '市', kind })),
  ];
}

/** Walks the tags: each is closed in order, attributes are quoted, nothing of the text is left over. Returns the element names. */
function parse(xml: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const token = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z][\w:.-]*="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let end = 0;
  for (let m = token.exec(xml); m !== null; m = token.exec(xml)) {
    end = token.lastIndex;
    const [, closing, name = '', attributes = '', empty, text] = m;
    if (text !== undefined) {
      expect(text).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      continue;
    }
    if (closing === '/') expect(open.pop()).toBe(name);
    else {
      names.push(name);
      const keys = Array.from(attributes.matchAll(/\s([\w:.-]+)=/g), (a) => a[1]);
      expect(new Set(keys).size, `${name}: ${keys.join(' ')}`).toBe(keys.length);
      if (empty !== '/') open.push(name);
    }
  }
  expect(end).toBe(xml.length);
  expect(open).toEqual([]);
  return names;
}

const ELEMENTS = ['svg', 'g', 'defs', 'linearGradient', 'stop', 'path', 'rect', 'circle', 'ellipse', 'text'];

describe('every picture', () => {
  const pictures = allPictures();

  test('is well-formed and consists of plain shapes only', () => {
    for (const picture of pictures) {
      const names = parse(picture);
      expect(names[0]).toBe('svg');
      expect(names.filter((name) => !ELEMENTS.includes(name))).toEqual([]);
    }
  });

  test('executes and loads nothing', () => {
    for (const picture of pictures) {
      expect(picture).not.toMatch(/script|href|style=|@import|javascript|\son[a-z]+=/i);
      const withoutNamespace = picture.replace('xmlns="http://www.w3.org/2000/svg"', '');
      expect(withoutNamespace).not.toMatch(/https?:|url\((?!#)/);
    }
  });

  test('is under 4 KB without invalid numbers', () => {
    for (const picture of pictures) {
      expect(Buffer.byteLength(picture)).toBeLessThan(4_096);
      expect(picture).not.toMatch(/NaN|undefined|Infinity|\d\.\d{3,}|e-\d/);
    }
  });

  test('uses the gradients that it defines', () => {
    for (const picture of pictures) {
      const used = Array.from(picture.matchAll(/url\(#([^)]+)\)/g), (m) => m[1]);
      const defined = Array.from(picture.matchAll(/ id="([^"]+)"/g), (m) => m[1]);
      expect(defined).toEqual(used);
    }
  });
});

describe('pictures of goods', () => {
  const base = { hue: 42, scene: 'ridge', seed: 5, index: 0, width: 480, height: 270 };

  test('are the same for the same goods', () => {
    expect(allPictures()).toEqual(allPictures());
  });

  test('differ within one listing', () => {
    for (const seed of [1, 2, 3]) {
      const drawn = Array.from({ length: 12 }, (_, index) => drawGoods({ ...base, seed, index }));
      expect(new Set(drawn).size).toBe(12);
      // The element mix tells the kinds of picture apart, whatever their colours.
      const kinds = drawn.slice(0, 8).map((svg) => parse(svg).join(' '));
      expect(new Set(kinds).size).toBe(8);
    }
  });

  test('differ between listings, and gradients of two have different ids', () => {
    const drawn = Array.from({ length: 60 }, (_, seed) => drawGoods({ ...base, seed }));
    expect(new Set(drawn).size).toBe(60);
    expect(new Set(drawn.map((svg) => / id="([^"]+)"/.exec(svg)?.[1])).size).toBe(60);
  });

  test('stay near the hue of their game', () => {
    const near = Array.from({ length: 200 }, (_, seed) => drawGoods({ ...base, seed }))
      .map((svg) => /stop-color="#(..)..(..)"/.exec(svg))
      .filter((m) => Number.parseInt(m?.[1] ?? '0', 16) > Number.parseInt(m?.[2] ?? '0', 16));
    expect(near.length).toBeGreaterThan(150);
  });

  test('have the requested size, and draw an unknown scene as mountains', () => {
    expect(drawGoods({ ...base, width: 640, height: 480 })).toContain('width="640" height="480" viewBox="0 0 160 120"');
    const covers = (scene: string) => Array.from({ length: 20 }, (_, seed) => drawGoods({ ...base, scene, seed }));
    expect(covers('no such scene')).toEqual(covers('ridge'));
    expect(covers('waves')).not.toEqual(covers('ridge'));
  });

  test('escape and shorten their label', () => {
    const svg = drawGoods({ ...base, label: `<script>&"'\u0000\ud800]]>${'长'.repeat(60)}` });
    parse(svg);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script&gt;&amp;&quot;&#39;');
    expect(svg.match(/长/g)?.length).toBeLessThan(40);
  });
});

describe('marks', () => {
  test('show one character as perceived by a reader', () => {
    expect(drawGame({ hue: 1, scene: 'city', char: '王者' })).toContain('>王</text>');
    expect(drawAvatar({ hue: 1, char: '👨‍👩‍👧 家' })).toContain('>👨‍👩‍👧</text>');
    expect(drawAvatar({ hue: 1, char: '<b>' })).toContain('>&lt;</text>');
    expect(drawAvatar({ hue: 1, char: '  ' })).not.toContain('<text');
    expect(drawLogo({ hue: 1, char: '&', kind: 'seal' })).toContain('>&amp;</text>');
  });

  test('follow the hue and the theme', () => {
    expect(drawLogo({ hue: 221, char: '游', kind: 'stall' })).not.toBe(
      drawLogo({ hue: 30, char: '游', kind: 'stall' }),
    );
    expect(drawBanner({ hue: 221 })).not.toBe(drawBanner({ hue: 221, dark: true }));
  });
});

describe('oklch', () => {
  test('gives the colours of browsers', () => {
    expect(oklch(1, 0, 0)).toBe('#ffffff');
    expect(oklch(0, 0, 0)).toBe('#000000');
    // Reference values: CSS Color 4, oklch(0.62796 0.25768 29.234) is red, oklch(0.51975 0.17686 142.495) is green.
    expect(oklch(0.6279, 0.2576, 29.23)).toBe('#ff0000');
    expect(oklch(0.5197, 0.1768, 142.5)).toBe('#008000');
  });

  test('reduces chroma instead of clipping, so that the hue is unchanged', () => {
    expect(oklch(0.5, 0.4, 142)).not.toBe(oklch(0.5, 0.4, 130));
    expect(oklch(0.97, 0.3, 20)).toMatch(/^#f[0-9a-f]/);
  });
});
