import { describe, expect, it } from 'vitest';
import { afterQuiet, channelsOf, clockText, digestOf, dueAt, isQuiet, retryAt, renderTemplate } from './rules.ts';

/** A moment by China's clock. */
const china = (text: string) => new Date(`2026-11-22T${text}:00+08:00`);
const night = { fromMinute: 22 * 60, toMinute: 8 * 60 };

describe('words', () => {
  const template = { title: '{what}', body: '「{goods}」{text}。', link: '/detail/{goodsSn}' };
  it('fill marks, escape what stands in a link, and end once', () => {
    expect(renderTemplate(template, { what: '降价', goods: '号', text: '便宜了。', goodsSn: 'a/b?c' })).toEqual({
      title: '降价',
      body: '「号」便宜了。',
      link: '/detail/a%2Fb%3Fc',
    });
  });
  it('lead nowhere without what the link needs', () => {
    expect(renderTemplate(template, { what: '降价' })).toEqual({ title: '降价', body: '「」。', link: null });
  });
  it('do not grow with what is put in', () => {
    const { title, body } = renderTemplate(template, { what: '长'.repeat(500), goods: '长'.repeat(500), text: '' });
    expect(title.length).toBeLessThanOrEqual(60);
    expect(body.length).toBeLessThanOrEqual(300);
  });
});

describe('quiet hours', () => {
  it('reach over midnight', () => {
    expect(['21:59', '22:00', '03:00', '07:59', '08:00'].map((t) => isQuiet(night, china(t)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
  it('end at their own minute, on the next day where they began on this one', () => {
    expect(afterQuiet(night, china('23:30'))).toEqual(new Date('2026-11-23T08:00:00+08:00'));
    expect(afterQuiet(night, china('03:00'))).toEqual(china('08:00'));
    expect(afterQuiet(null, china('03:00'))).toEqual(china('03:00'));
  });
  it('hold up what can wait, and let urgent things through', () => {
    const at = china('23:00');
    expect(dueAt(at, { frequency: 'now', urgent: true, quiet: night })).toEqual(at);
    expect(dueAt(at, { frequency: 'now', urgent: false, quiet: night })).toEqual(new Date('2026-11-23T08:00:00+08:00'));
  });
});

describe('digests', () => {
  it('leave at nine, or after quiet hours that hold at nine', () => {
    const untilTen = { fromMinute: 23 * 60, toMinute: 10 * 60 };
    expect(dueAt(china('08:30'), { frequency: 'daily', urgent: true, quiet: null })).toEqual(china('09:00'));
    expect(dueAt(china('09:30'), { frequency: 'daily', urgent: false, quiet: untilTen })).toEqual(
      new Date('2026-11-23T10:00:00+08:00'),
    );
  });
  it('name how many there are and the first ten', () => {
    const { title, body } = digestOf(Array.from({ length: 12 }, (_, n) => `第${n}条`));
    expect(title).toBe('您有 12 条新消息');
    expect(body).toContain('第9条；还有 2 条');
  });
});

it('retries slow down to an hour', () => {
  const at = china('09:00');
  expect([1, 2, 3, 9].map((n) => (retryAt(at, n).getTime() - at.getTime()) / 60_000)).toEqual([1, 2, 4, 60]);
});

it('what is not optional keeps its own channels, and the site is always one', () => {
  expect(channelsOf({ channels: ['site', 'sms'], optional: false }, [])).toEqual(['site', 'sms']);
  expect(channelsOf({ channels: ['site', 'sms'], optional: true }, ['email'])).toEqual(['site', 'email']);
  expect(channelsOf({ channels: ['site', 'sms'], optional: true }, null)).toEqual(['site', 'sms']);
});

it('moments read by the clock of China', () => {
  expect(clockText(new Date('2026-11-21T17:05:00Z'))).toBe('11-22 01:05');
});
