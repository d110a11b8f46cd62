import { expect, test } from 'vitest';
import { motifChoices, motifOf } from './game-motif.ts';

test('each choice of staff is a separate drawing, in the order of the drawings', () => {
  expect(motifChoices.map(({ scene, label }) => [label, motifOf(scene)])).toEqual([
    ['三路', 'lanes'],
    ['等高线', 'contour'],
    ['准星', 'cross'],
    ['拱门', 'arch'],
    ['星轨', 'orbit'],
    ['六边形', 'hex'],
    ['波浪', 'wave'],
    ['山峦', 'ridge'],
  ]);
});

test('scenes of one kind share a drawing', () => {
  const groups: Readonly<Record<string, readonly string[]>> = {
    lanes: ['ridge', 'crystal', 'road'],
    cross: ['city', 'dunes'],
    arch: ['arch', 'castle', 'clouds'],
    hex: ['hex', 'cards'],
    wave: ['waves', 'lantern', 'shrine'],
    ridge: ['hills', 'bamboo', 'forest', 'islands'],
  };
  for (const [motif, scenes] of Object.entries(groups))
    for (const scene of scenes) expect(motifOf(scene), scene).toBe(motif);
});

test('a scene that is not known is drawn as mountains, also by the name of a method', () => {
  expect(motifOf('moon')).toBe('ridge');
  expect(motifOf('toString')).toBe('ridge');
});
