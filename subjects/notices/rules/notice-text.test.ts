import { describe, expect, it } from 'vitest';
import {
  cutText,
  fillBody,
  fillText,
  noticeChannelNames,
  noticeChannels,
  noticeTextMax,
  noticeTextProblem,
  placeholdersOf,
  sampleValues,
  smsTemplatePattern,
  trialChannels,
} from './notice-text.ts';

describe('a text of a notice', () => {
  it('names each placeholder once, in their order', () => {
    expect(placeholdersOf('{goods} 的 {orderSn}，{goods}{} {a1} {中}')).toEqual(['goods', 'orderSn']);
  });

  it('is filled; a value that is missing is empty, and one that is long is cut', () => {
    expect(fillText('「{goods}」{what}{none}。', { goods: '典藏号', what: '已发货' })).toBe('「典藏号」已发货。');
    expect(fillText('{goods}', { goods: '长'.repeat(80) })).toBe('长'.repeat(80));
    expect(fillText('{goods}', { goods: '长'.repeat(81) })).toBe(`${'长'.repeat(79)}…`);
  });

  it('is cut with an ellipsis above its most letters', () => {
    expect([cutText('四个字啊', 4), cutText('四个字啊啊', 4)]).toEqual(['四个字啊', '四个字…']);
  });

  it('loses a doubled full stop, and what is beyond the length of a body', () => {
    expect(fillBody('{text}。请处理', { text: '请尽快。' })).toBe('请尽快。请处理');
    expect(fillBody('{text}。', { text: '好吗？' })).toBe('好吗？');
    expect(fillBody('{text}。', { text: '好！' })).toBe('好！');
    expect(fillBody('{text}。', { text: '好' })).toBe('好。');
    expect(fillBody('长'.repeat(301), {})).toBe(`${'长'.repeat(299)}…`);
  });

  it.each([
    ['{goods} 已发货', ['goods'], 60, null],
    ['{goods} {sn}', ['goods', 'what'], 60, '没有变量 {sn}；可用：{goods}、{what}'],
    ['{sn}', [], 60, '没有变量 {sn}；这类通知没有变量'],
    ['{goods', ['goods'], 60, '花括号只用于变量，成对书写；可用：{goods}'],
    ['goods}', [], 60, '花括号只用于变量，成对书写；这类通知没有变量'],
    ['十个字的文本刚好十个', [], 10, null],
    ['十一个字的文本多了一个', [], 10, '这个渠道最多 10 个字，现在 11 个'],
  ])('%s with %o inside %i: %s', (text, allowed, max, problem) => {
    expect(noticeTextProblem(text, allowed, max)).toBe(problem);
  });

  it('has an example of every value, and a word for one that is not known', () => {
    expect(sampleValues(['goods', 'minutes', 'neu'])).toEqual({
      goods: '王者荣耀 V10 账号 典藏 3 款',
      minutes: '30',
      neu: '示例',
    });
  });
});

describe('a channel of notices', () => {
  it('has a name and its most letters', () => {
    expect(noticeChannels.map((channel) => [noticeChannelNames[channel], noticeTextMax[channel]])).toEqual([
      ['站内', { title: 60, body: 300 }],
      ['微信', { title: 40, body: 120 }],
      ['短信', { title: 20, body: 120 }],
      ['邮件', { title: 60, body: 300 }],
      ['浏览器', { title: 40, body: 120 }],
    ]);
    expect(trialChannels).toEqual(['sms', 'email', 'wechat', 'push']);
  });

  it.each([
    ['SMS_123456789', true],
    ['1234567', true],
    ['abc', true],
    ['ab', false],
    ['a'.repeat(40), true],
    ['a'.repeat(41), false],
    ['SMS 1', false],
    ['a-b_c', true],
  ])('%s as the number of a text at the vendor: %s', (text, isOne) => {
    expect(smsTemplatePattern.test(text)).toBe(isOne);
  });
});
