import { describe, expect, it } from 'vitest';
import {
  afterQuiet,
  channelsOf,
  clockText,
  deduplicates,
  digestOf,
  dueAt,
  isQuiet,
  retryAt,
  renderTemplate,
} from './rules.ts';

/** A time in China's time zone. */
const china = (text: string) => new Date(`2026-11-22T${text}:00+08:00`);
const night = { fromMinute: 22 * 60, toMinute: 8 * 60 };

describe('texts', () => {
  const template = { title: '{what}', body: '「{goods}」{text}。', link: '/detail/{goodsSn}' };
  it('fill placeholders, escape values in a link, and fill each value once', () => {
    expect(renderTemplate(template, { what: '降价', goods: '号', text: '便宜了。', goodsSn: 'a/b?c' })).toEqual({
      title: '降价',
      body: '「号」便宜了。',
      link: '/detail/a%2Fb%3Fc',
    });
  });
  it('have no link without the values that the link needs', () => {
    expect(renderTemplate(template, { what: '降价' })).toEqual({ title: '降价', body: '「」。', link: null });
  });
  it('have a bounded length whatever the values are', () => {
    const { title, body } = renderTemplate(template, { what: '长'.repeat(500), goods: '长'.repeat(500), text: '' });
    expect(title.length).toBeLessThanOrEqual(60);
    expect(body.length).toBeLessThanOrEqual(300);
  });
});

describe('quiet hours', () => {
  it('can extend over midnight', () => {
    expect(['21:59', '22:00', '03:00', '07:59', '08:00'].map((t) => isQuiet(night, china(t)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
  it('end at their own minute, on the next day when they began on this one', () => {
    expect(afterQuiet(night, china('23:30'))).toEqual(new Date('2026-11-23T08:00:00+08:00'));
    expect(afterQuiet(night, china('03:00'))).toEqual(china('08:00'));
    expect(afterQuiet(null, china('03:00'))).toEqual(china('03:00'));
  });
  it('delay ordinary notices and let urgent ones through', () => {
    const at = china('23:00');
    expect(dueAt(at, { frequency: 'now', urgent: true, quiet: night })).toEqual(at);
    expect(dueAt(at, { frequency: 'now', urgent: false, quiet: night })).toEqual(new Date('2026-11-23T08:00:00+08:00'));
  });
});

describe('digests', () => {
  it('are sent at nine, or at the end of quiet hours that include nine', () => {
    const untilTen = { fromMinute: 23 * 60, toMinute: 10 * 60 };
    expect(dueAt(china('08:30'), { frequency: 'daily', urgent: true, quiet: null })).toEqual(china('09:00'));
    // In the minute of the digest it is now.
    const during = new Date(china('09:00').getTime() + 30_000);
    expect(dueAt(during, { frequency: 'daily', urgent: true, quiet: null })).toEqual(during);
    expect(dueAt(china('09:30'), { frequency: 'daily', urgent: false, quiet: untilTen })).toEqual(
      new Date('2026-11-23T10:00:00+08:00'),
    );
  });
  it('contain the number of notices and the first ten', () => {
    const { title, body } = digestOf(Array.from({ length: 12 }, (_, n) => `第${n}条`));
    expect(title).toBe('您有 12 条新消息');
    expect(body).toContain('第9条；还有 2 条');
  });
});

it('retries are delayed by up to an hour', () => {
  const at = china('09:00');
  expect([1, 2, 3, 9].map((n) => (retryAt(at, n).getTime() - at.getTime()) / 60_000)).toEqual([1, 2, 4, 60]);
});

it('mandatory kinds keep their fixed channels, and the site is always one', () => {
  expect(channelsOf({ channels: ['site', 'sms'], optional: false }, [])).toEqual(['site', 'sms']);
  expect(channelsOf({ channels: ['site', 'sms'], optional: true }, ['email'])).toEqual(['site', 'email']);
  expect(channelsOf({ channels: ['site', 'sms'], optional: true }, null)).toEqual(['site', 'sms']);
});

it('times are displayed by the clock of China', () => {
  expect(clockText(new Date('2026-11-21T17:05:00Z'))).toBe('11-22 01:05');
});

describe('quiet hours', () => {
  const noon = { fromMinute: 12 * 60, toMinute: 14 * 60 };
  it.each([
    [noon, '11:59', false],
    [noon, '12:00', true],
    [noon, '13:59', true],
    [noon, '14:00', false],
    [night, '21:59', false],
    [night, '22:00', true],
    [night, '07:59', true],
    [night, '08:00', false],
    [null, '23:00', false],
  ])('%o at %s: %s', (quiet, time, expected) => {
    expect(isQuiet(quiet, china(time))).toBe(expected);
  });

  it('end within the same day', () => {
    expect(afterQuiet(noon, china('12:30'))).toEqual(china('14:00'));
    expect(afterQuiet(noon, china('14:00'))).toEqual(china('14:00'));
    expect(afterQuiet(noon, china('11:00'))).toEqual(china('11:00'));
  });
});

describe('outlets and digests', () => {
  it('only SMS arrive twice when they are sent twice', () => {
    expect(deduplicates).toEqual({ wechat: true, sms: false, email: true, push: true });
  });

  it('a digest counts only titles that it does not list', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `第${index}条`);
    expect(digestOf(ten)).toEqual({ title: '您有 10 条新消息', body: `${ten.join('；')}。` });
    expect(digestOf([...ten, '末条']).body).toBe(`${ten.join('；')}；还有 1 条。`);
  });

  it('a link needs all of its values, and a template may have none', () => {
    const texts = { title: '题', body: '文' };
    expect(renderTemplate({ ...texts, link: '/a/{one}/{two}' }, { one: '1' }).link).toBeNull();
    expect(renderTemplate({ ...texts, link: '/a/{one}/{two}' }, { one: '1', two: '2' }).link).toBe('/a/1/2');
    expect(renderTemplate({ ...texts, link: null }, {}).link).toBeNull();
  });
});
