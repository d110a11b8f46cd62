import { describe, expect, it } from 'vitest';
import { IMAGE_RULE } from '#contract/rules/limits.ts';
import { imageUrl, requestedPicture, sizeOfKey } from '#server/kernel/picture-key.ts';
import {
  cachedWidths,
  hashOf,
  hueOf,
  initialOf,
  markOf,
  secondsOfVoice,
  servingWidth,
  storageKey,
  voiceKey,
  wantedWidth,
} from './rules.ts';

const NAME = 'abcdefghijklmnopqrstuvwxy2';

describe('the key of a picture', () => {
  it.each([
    [`${NAME}-64x48`, { width: 64, height: 48 }],
    [`${NAME}-9999x99999`, { width: 9999, height: 99_999 }],
    [`${NAME}-10000x1`, undefined],
    [`${NAME}-1x100000`, undefined],
    [`${NAME}-0x48`, undefined],
    [`${NAME}-64x0`, undefined],
    [`${NAME}a-64x48`, undefined],
    [`${NAME.slice(1)}-64x48`, undefined],
    [`${NAME.toUpperCase()}-64x48`, undefined],
    [`${NAME}-64x48/../x`, undefined],
    [` ${NAME}-64x48`, undefined],
  ])('%s holds the size %o', (key, size) => {
    expect(sizeOfKey(key)).toEqual(size);
  });

  it('is read from an address with its parts, which only a private picture has', () => {
    const signature = 's'.repeat(22);
    const parts = (param: string) => {
      const asked = requestedPicture(param);
      return asked && [asked.key, asked.end, asked.signature, asked.isPrivate];
    };
    expect(parts(`${NAME}-64x48`)).toEqual([`${NAME}-64x48`, '', '', false]);
    expect(parts(`${NAME}-64x48-p`)).toEqual([`${NAME}-64x48-p`, '', '', true]);
    expect(parts(`${NAME}-64x48-p.abc123.${signature}`)).toEqual([`${NAME}-64x48-p`, 'abc123', signature, true]);
    for (const bad of [
      `${NAME}-64x48.abc123.${signature}`,
      `${NAME}-64x48-p.abc123`,
      `${NAME}-64x48-p.`,
      `${NAME}-64x48-p.abc123.${signature}.x`,
      `${NAME}-64x48-p.abc123.${signature}x`,
      '',
    ])
      expect(parts(bad)).toBeUndefined();
  });

  it('names where a width is stored and served', () => {
    expect(storageKey(`${NAME}-64x48`, 320)).toBe(`pictures/ab/${NAME}-64x48/320.webp`);
    expect([imageUrl('k'), imageUrl('k', 640)]).toEqual(['/img/k', '/img/k?w=640']);
  });
});

describe('the key of a voice', () => {
  it.each([
    [`${NAME}-1.mp3`, 1],
    [`${NAME}-60.m4a`, 60],
    [`${NAME}-99.wav`, 99],
    [`${NAME}-100.wav`, undefined],
    [`${NAME}-0.mp3`, undefined],
    [`${NAME}-5.ogg`, undefined],
    [`${NAME.replace('2', '1')}-5.mp3`, undefined],
    [`${NAME}-5.mp3x`, undefined],
    [`x${NAME}-5.mp3`, undefined],
  ])('%s lasts %o seconds', (key, seconds) => {
    expect(secondsOfVoice(key)).toBe(seconds);
  });

  it('names where it is stored', () => {
    expect(voiceKey(`${NAME}-5.mp3`)).toBe(`voices/ab/${NAME}-5.mp3`);
  });
});

describe('the widths of a picture', () => {
  it.each([
    [300, [300]],
    [320, [320]],
    [321, [320, 321]],
    [1920, [320, 640, 1280, 1920]],
  ])('cached for a width of %i are %o', (width, widths) => {
    expect(cachedWidths(width)).toEqual(widths);
  });

  it.each([
    [1920, undefined, 1920],
    [1920, 1, 320],
    [1920, 320, 320],
    [1920, 321, 640],
    [1920, 1281, 1920],
    [1920, 5000, 1920],
    [500, 640, 500],
  ])('served for a width of %i: for %o it is %i', (width, wanted, served) => {
    expect(servingWidth(width, wanted)).toBe(served);
  });

  it.each([
    ['w=640', 640],
    ['a=1&w=320&b=2', 320],
    ['imageView2/2/w/640/q/75', 640],
    ['imageView2/2/w/640', 640],
    ['imageView2/2/format/webp/w/200/q/75', 200],
    [IMAGE_RULE, undefined],
    ['w=0', undefined],
    ['w=123456', undefined],
    ['w=12x', undefined],
    ['xw=12', undefined],
    ['imageView2/2/w/123456', undefined],
    ['', undefined],
  ])('asked for as %s: %o', (query, width) => {
    expect(wantedWidth(query)).toBe(width);
  });
});

it('a name has one of twelve hues and the first letter of its picture', () => {
  expect([hashOf(''), hashOf('a'), hashOf('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  expect(hueOf('a')).toBe((0xe40c292c % 12) * 30 + 15);
  expect(['小游', '·小游', '7x', '--', ''].map(initialOf)).toEqual(['小', '小', '7', '', '']);
});

describe('the width that an address asks for', () => {
  it.each([
    ['imageView2/2/w/64', 64],
    ['ximageView2/2/w/64', undefined],
    ['imageView2/22/w/64', undefined],
    ['imageView2/2/w/64x', undefined],
    ['imageView2/2/w/00064', 64],
    ['imageView2/2/w/0/q/75', undefined],
    ['imageView2/2/h/100/w/64', 64],
    ['w=99999', 99_999],
    ['w=', undefined],
  ])('%s: %o', (query, width) => {
    expect(wantedWidth(query)).toBe(width);
  });
});

it.each([
  ['goods', ''],
  ['avatar', ''],
  ['content', ''],
  ['chat', '-p'],
  ['evidence', '-p'],
] as const)('a picture for %s has the mark “%s”: what two parties show each other is private', (purpose, mark) => {
  expect(markOf(purpose)).toBe(mark);
});
