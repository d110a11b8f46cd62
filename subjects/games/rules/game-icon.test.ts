import { expect, it } from 'vitest';
import { gameIconUrl } from './game-icon.ts';

it('an icon is the uploaded picture, else a drawing with the first sign of the name', () => {
  const drawn = { icon: null, hue: 120, scene: 'sword', glyph: '王者' };
  expect(gameIconUrl({ ...drawn, icon: 'g/1.webp' })).toBe('/img/g/1.webp?w=160');
  expect(gameIconUrl(drawn)).toBe(`/art/icon/120/sword/${encodeURIComponent('王')}.svg`);
  expect(gameIconUrl({ ...drawn, glyph: '😀a' })).toBe(`/art/icon/120/sword/${encodeURIComponent('😀')}.svg`);
  expect(gameIconUrl({ ...drawn, glyph: '' })).toBe('/art/icon/120/sword/_.svg');
});
