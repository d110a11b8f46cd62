/** How many disguised contacts the filter recognises, and how many ordinary texts it mistakes for one (decision 535). */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { continuedContact, findContacts, maskContacts } from '#contract/rules/contacts/contacts.ts';
import { generateGoods } from '#db/seed/generate/goods.ts';
import { CONTACT_EXAMPLES } from '#tests/data/contact-examples.ts';
import { cpuMs } from '#tests/support/time/cpu-time.ts';

/** Of each kind and of all examples together. */
const MIN_RECALL_OF_A_KIND = 0.9;
const MIN_RECALL = 0.95;
const MAX_FALSE_SHARE = 0.01;

/** The examples that the audit of the filter names. */
const NAMED = [
  '➊➌➑⓿⓿➊➌➑⓿⓿⓿',
  'l38OOl38OOO',
  '138-O0l3-8000',
  'tg @zhangsan',
  '飞机 zhang8888',
  '小绿书 zhang8888',
  '绿色软件 zhangsan88',
  'vvx 同号 zhang88',
  'ᴡx zhang8888',
  '丷: zhang8888',
  '微型：abc12345',
];

const isContinued = (text: string): boolean => {
  const messages = text.split('\n');
  return messages.some((message, i) => i > 0 && continuedContact(messages.slice(0, i), message) !== undefined);
};

/** The texts of the demo market: generated listings, and every text of the seed with Chinese in it. */
function demoTexts(): string[] {
  const texts = Array.from({ length: 3000 }, (_, index) => generateGoods({ seed: 11, index })).flatMap((goods) => [
    goods.title,
    goods.description,
  ]);
  for (const file of globSync('db/seed/**/*.ts'))
    for (const [, text = ''] of readFileSync(file, 'utf8').matchAll(/['`]([^'`\n]*[\u4e00-\u9fff][^'`\n]*)['`]/g))
      texts.push(text);
  return texts;
}

describe('A12: recall and false positives', () => {
  const rates = Object.entries(CONTACT_EXAMPLES).map(([kind, examples]) => {
    const missed = examples.filter((text) => (kind === 'messages' ? !isContinued(text) : !maskContacts(text).masked));
    return { kind, count: examples.length, missed };
  });

  it('there are 300 different examples', () => {
    const all = Object.values(CONTACT_EXAMPLES).flat();
    expect([all.length, new Set(all).size]).toEqual([300, 300]);
  });

  it.each(rates)('$kind', ({ count, missed }) => {
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(count * (1 - MIN_RECALL_OF_A_KIND));
  });

  it('at least 95 % of all examples are recognised', () => {
    const missed = rates.flatMap((rate) => rate.missed);
    expect(1 - missed.length / 300).toBeGreaterThanOrEqual(MIN_RECALL);
  });

  it.each(NAMED)('recognises %s', (text) => {
    expect(findContacts(text, { bait: true })).not.toEqual([]);
  });

  it('at most 1 % of the texts of the demo are taken for a contact', () => {
    const texts = demoTexts();
    expect(texts.length).toBeGreaterThan(7000);
    const wrong = texts.filter((text) => findContacts(text, { bait: true }).length > 0);
    expect(wrong.length / texts.length, wrong.slice(0, 20).join('\n')).toBeLessThanOrEqual(MAX_FALSE_SHARE);
  });
});

describe('A12: a contact in several messages', () => {
  it('the part in the last message is masked, from where it begins', () => {
    expect(continuedContact(['138', '0013'], '8000 打我')).toEqual({ from: 0, to: 4 });
    expect(continuedContact(['加我QQ'], '号是 12345678 哦')).toEqual({ from: 3, to: 11 });
  });

  it.each([
    [['138', '好的'], '300 行吗'],
    [['你好', '在吗'], '价格1288.00'],
    [['13:30 上号'], '8 点前打完'],
    [['还剩 138 颗'], '要 20 颗'],
    [['微信区还是QQ区'], '战力 163000'],
    [['安卓QQ'], '500000金币'],
  ])('ordinary messages stay: %j, %s', (earlier, text) => {
    expect(continuedContact(earlier, text)).toBeUndefined();
  });
});

it('A12: the readings of a text take linear time', () => {
  const parts = ['1-', 'l3 ', '一。', 'yi ', '0three', '(1)', '要洞', 'a艾特', '12,dot ', 'q1 '];
  for (const part of parts) {
    const text = part.repeat(5000 / part.length);
    expect(
      cpuMs(() => findContacts(text, { bait: true })),
      part,
    ).toBeLessThan(400);
  }
});
