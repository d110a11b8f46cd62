import { describe, expect, it } from 'vitest';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { linkTexts } from '#subjects/back-office/rules/links.ts';
import { PUSH_TOKEN, pushReason } from '#subjects/link-push/rules/link-push.ts';
import { isNewSeller } from '#subjects/goods/rules/new-seller.ts';
import { offlineMethodName } from '#subjects/orders/rules/offline.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { isFairPrice, isFirstScreenPrice, isOutlier, isTooWide, NO_STANDING, standingOf } from './price-reference.ts';
import { agreementOfArticle, ruleNoPattern, rulesOfTheProgram } from '#subjects/content/rules/public-texts.ts';
import { usualQuestions } from '#subjects/questions/rules/question.ts';
import { refundArrival } from '#subjects/payments/rules/refund-arrival.ts';
import { requestNumber } from '#contract/rules/request-number.ts';
import { textToSign } from '#subjects/open-api/rules/api-keys.ts';
import { wantStatusName } from '#subjects/offers/rules/want.ts';

describe('the reference price', () => {
  it.each([
    [100, 199, false],
    [100, 200, false],
    [100, 201, true],
    [0, 0, false],
  ])('is too wide for sales from %i to %i: %s', (low, high, expected) => {
    expect(isTooWide({ low, high })).toBe(expected);
  });

  it.each([
    [49, 100, true],
    [50, 100, false],
    [200, 100, false],
    [201, 100, true],
  ])('%i beside a typical price of %i is an outlier: %s', (price, typical, expected) => {
    expect(isOutlier(price, typical)).toBe(expected);
  });

  it.each([
    [-48, false],
    [-26, false],
    [-25, true],
    [-3, true],
    [-2, false],
    [8, false],
    [null, false],
  ])('is recommended as fair %s percent beside it: %s', (diffPercent, expected) => {
    expect(isFairPrice({ outlier: false, diffPercent })).toBe(expected);
    expect(isFairPrice({ outlier: true, diffPercent })).toBe(false);
  });

  it.each([
    [49, false, true, 0, 0],
    [50, false, false, -50, 300],
    [60, false, false, -40, 180],
    [60, true, false, 0, 0],
    [74, false, false, -26, 12],
    [75, false, false, -25, 0],
    [90, false, false, -10, 0],
    [110, false, false, 10, 0],
    [140, false, false, 40, 225],
    [150, false, false, 50, 300],
    [199, false, false, 99, 300],
    [151, true, false, 0, 0],
    [201, true, true, 0, 0],
  ])('%i beside a typical price of 100, too wide %s', (price, wide, outlier, diffPercent, lostPoints) => {
    expect(standingOf(price, { typical: 100, wide })).toEqual({ outlier, diffPercent, lostPoints });
  });
});

it('a seller is new below five completed sales', () => {
  expect([0, 4, 5, 6].map(isNewSeller)).toEqual([true, true, false, false]);
});

it('each sort of goods has the questions that its buyers ask', () => {
  const [account = 1] = accountTypes;
  const asked = [account, 2, BOOSTING, COMPANION_PLAY].map((type) => usualQuestions(type));
  expect(asked.map((list) => [list.length, list[0]])).toEqual([
    [3, '绑定的手机和邮箱都能换吗？'],
    [3, '现在拍下多久能发货？'],
    [3, '今天能开打吗？'],
    [3, '今晚有空吗？'],
  ]);
});

it('states, links and methods have names, and unknown ones a fallback', () => {
  expect([1, 2, 3, 9].map(wantStatusName)).toEqual(['求购中', '已关闭', '已买到', '已结束']);
  expect(linkTexts(['payee', 'nothing', 'browser'])).toEqual(['同一收款账户', '共用浏览器']);
  expect([1, 3, 9, null].map(offlineMethodName)).toEqual(['线下当面交付', '语音或远程协助交付', '', '']);
  expect(['sandbox', 'nothing', 'toString'].map(refundArrival)).toEqual(['沙箱里一分钟内到账，不涉及真实资金', '', '']);
  expect(refundArrival('alipay')).toContain('余额');
  expect(refundArrival('wechat')).toContain('零钱');
});

describe('what a search engine answers', () => {
  it.each([
    ['token is not valid', '推送密钥不正确，请到百度搜索资源平台复制后重新填写'],
    ['site error', '百度没有这个站点：请先在百度搜索资源平台添加并验证主域名'],
    ['site init fail', '百度没有这个站点：请先在百度搜索资源平台添加并验证主域名'],
    ['over quota', '今天的推送额度已用完，明天继续'],
    ['not found', '推送地址不正确，请让平台检查 BAIDU_PUSH_BASE'],
    ['empty content', '百度没有收到网址，稍后会自动重试'],
    ['internal error', '百度的服务暂时出错，稍后会自动重试'],
    ['only 2000 urls are allowed once', '一次推送的网址过多，稍后会自动重试'],
  ])('%s', (message, reason) => {
    expect(pushReason(message)).toBe(reason);
  });

  it('is kept in the message when it is not known', () => {
    expect(pushReason('so only 20 urls are allowed')).toContain('（代码：so only 20 urls are allowed）');
  });

  it.each([
    ['a'.repeat(7), false],
    ['a'.repeat(8), true],
    ['A-z_0'.padEnd(64, '9'), true],
    ['a'.repeat(65), false],
    ['abcd efgh', false],
  ])('%s is a token: %s', (text, expected) => {
    expect(PUSH_TOKEN.test(text)).toBe(expected);
  });
});

describe('public texts', () => {
  it.each([
    ['3', true],
    ['3.2', true],
    ['13.22.11', true],
    ['3.2.1.1', false],
    ['123', false],
    ['3.', false],
    ['.3', false],
    ['a3', false],
  ])('%s is the number of a rule: %s', (text, expected) => {
    expect(ruleNoPattern.test(text)).toBe(expected);
  });

  it('the articles of agreements are known', () => {
    expect(['agreement', 'privacy', 'about'].map(agreementOfArticle)).toEqual(['user_agreement', 'privacy', undefined]);
  });

  it('the rules that the program enforces are those of penalties, refunds, levels and payouts', () => {
    expect(rulesOfTheProgram).toEqual(['5.3', '6.3', '7.1', '8.1', '8.3']);
  });
});

it('a request is read out by its first eight characters', () => {
  expect(requestNumber('27ac930b-a5f4-4d38')).toBe('27ac930b');
});

it('the text that a secret signs has six lines in a fixed order', () => {
  const request = { method: 'POST', target: '/api/open/a?b=1', timestamp: '17', nonce: 'n', bodyHash: 'h' };
  expect(textToSign(request)).toBe('HMAC-SHA256\nPOST\n/api/open/a?b=1\n17\nn\nh');
});

describe('the first screen', () => {
  it.each([
    ['without a reference', null, true],
    ['with a reference too wide to be shown', { outlier: false, diffPercent: null }, true],
    ['half above its reference', { outlier: false, diffPercent: 50 }, true],
    ['more than half above it', { outlier: false, diffPercent: 51 }, false],
    ['below it', { outlier: false, diffPercent: -40 }, true],
    ['far from what is typical', { outlier: true, diffPercent: 0 }, false],
    ['far from a reference that is not shown', { outlier: true, diffPercent: null }, false],
  ])('a price %s', (_case, band, expected) => {
    expect(isFirstScreenPrice(band)).toBe(expected);
  });

  it('a price without a reference is usual', () => {
    expect(NO_STANDING).toEqual({ outlier: false, diffPercent: 0, lostPoints: 0 });
  });
});

it('a price without a reference is no fair one', () => {
  expect([isFairPrice(null), isFairPrice({ outlier: false, diffPercent: null })]).toEqual([false, false]);
});
