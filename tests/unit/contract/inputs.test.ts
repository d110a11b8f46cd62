import { describe, expect, it } from 'vitest';
import { transactionCacheContactInfo } from '#subjects/orders/contract/contact.ts';
import { updateBooster } from '#subjects/services/contract/booster.ts';
import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import { newsInfo2 } from '#subjects/content/contract/content.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { releaseWantGoods } from '#subjects/offers/contract/offers.ts';
import { createQuickCoin, placeQuickCoinOrder } from '#subjects/quick-coin/contract/quick-coin.ts';
import { queryVerifyCustomer, releaseBlack } from '#subjects/verification/contract/verification.ts';
import { wechatLoginResult } from '#subjects/accounts/contract/wechat.ts';

/** The first message that a caller would read, or 'ok'. */
function messageOf(endpoint: Endpoint, input: Record<string, unknown>): string {
  const parsed = endpoint.input.safeParse(input);
  return parsed.success ? 'ok' : (parsed.error.issues[0]?.message ?? '');
}

it('accepts the code of the log-in poll with and without its u', () => {
  const code = '0123456789abcdef0123456789abcdef';
  expect(wechatLoginResult.input.parse({ code: `${code}u` })).toEqual({ code });
  expect(wechatLoginResult.input.parse({ code })).toEqual({ code });
  expect(messageOf(wechatLoginResult, { code: 'u' })).toBe('登录二维码编号不正确');
});

it.each([
  ['1', '012345', '请输入正确的客服QQ'],
  ['2', 'abc', '请输入正确的客服微信'],
  ['6', '123456', '查询类型超出范围'],
  ['1', '123456', 'ok'],
])('service query %s %s: %s', (queryType, queryValue, message) => {
  expect(messageOf(queryVerifyCustomer, { queryType, queryValue })).toBe(message);
});

describe('packages of a booster', () => {
  const pack = {
    gameId: 1,
    title: '钻石到星耀',
    scope: '单排上分，不使用外挂',
    price: '128.00',
    minutes: 600,
    mode: 'account',
  };
  const packages = (change: object) => ({ packages: JSON.stringify([{ ...pack, ...change }]) });

  it.each([
    [{}, 'ok'],
    [
      {
        milestones: [
          { title: '一', sharePercent: 33.33 },
          { title: '二', sharePercent: 66.67 },
        ],
      },
      'ok',
    ],
    [
      {
        milestones: [
          { title: '一', sharePercent: 33.33 },
          { title: '二', sharePercent: 66.66 },
        ],
      },
      '各阶段占比之和应为 100%',
    ],
    [{ minNum: 5, maxNum: 4 }, '最大数量不能小于最小数量'],
    [{ price: '1e3' }, '金额应为正数，最多两位小数'],
    [{ unit: '斤' }, '计价单位不正确'],
  ])('%o: %s', (change, message) => {
    expect(messageOf(updateBooster, packages(change))).toBe(message);
  });

  it('are text that contains a list', () => {
    expect(messageOf(updateBooster, { packages: '{' })).toBe('套餐格式不正确');
    expect(messageOf(updateBooster, { packages: '{}' })).toBe('内容格式不正确');
  });
});

describe('quick coin', () => {
  const order = { quickCoinSn: 'Q1', num: '5', delivery: '1', roleName: '角色' };
  const terms = {
    gameId: '1',
    areaId: '1',
    unit: '万金币',
    lotUnits: '100',
    lotPrice: '1.90',
    stock: '50',
    delivery: '[1,3]',
  };

  it('requires the item of an auction', () => {
    expect(messageOf(placeQuickCoinOrder, order)).toBe('ok');
    expect(messageOf(placeQuickCoinOrder, { ...order, delivery: '2' })).toBe('请填写拍卖物品');
    expect(messageOf(placeQuickCoinOrder, { ...order, delivery: '2', auctionItem: '白色石头' })).toBe('ok');
    expect(messageOf(placeQuickCoinOrder, { ...order, delivery: '4' })).toBe('交货方式超出范围');
  });

  it('is offered in known units with consistent bounds', () => {
    expect(messageOf(createQuickCoin, terms)).toBe('ok');
    expect(messageOf(createQuickCoin, { ...terms, unit: '银两' })).toBe('金币单位不正确');
    expect(messageOf(createQuickCoin, { ...terms, minNum: '10', maxNum: '9' })).toBe('最多份数不能小于起购份数');
    expect(messageOf(createQuickCoin, { ...terms, delivery: '[]' })).toBe('请选择交货方式');
  });
});

it('needs a campaign to receive a coupon, none to draw', () => {
  expect(messageOf(distributeUserCoupon, {})).toBe('请选择要领取的优惠券');
  expect(messageOf(distributeUserCoupon, { code: 'autumn-5' })).toBe('ok');
  expect(messageOf(distributeUserCoupon, { act: 'draw' })).toBe('ok');
});

it('rates a conversation or an order', () => {
  expect(messageOf(serSatiEval, { score: '5' })).toBe('请选择要评价的会话');
  expect(messageOf(serSatiEval, { score: '5', orderSn: '2026112000001' })).toBe('ok');
});

it('requires evidence and an account for the blacklist', () => {
  const report = {
    reason: 'fraud',
    title: '收款后失联',
    content: '付款之后对方立即删除好友',
    pictures: '["a"]',
    accounts: '[{"kind":"qq","value":"10001"}]',
  };
  expect(messageOf(releaseBlack, report)).toBe('ok');
  expect(messageOf(releaseBlack, { ...report, pictures: '[]' })).toBe('请至少上传一张凭证');
  expect(messageOf(releaseBlack, { ...report, accounts: '[]' })).toBe('至少填写一个账号');
});

it('restricts a return URL to the site', () => {
  const pay = (returnUrl: string) => messageOf(depositPay, { role: 'shop', level: '1', returnUrl });
  expect(pay('/center')).toBe('ok');
  expect(['//elsewhere.example', 'https://elsewhere.example', '/\\elsewhere', '/%2felsewhere'].map(pay)).toEqual(
    Array(4).fill('返回地址不正确'),
  );
});

it('accepts amounts of a want in fen', () => {
  const want = { gameId: '1', goodsTypeId: '1', bigTitle: '求一个高段位号', budget: '820.5' };
  expect(releaseWantGoods.input.parse(want)).toMatchObject({ budget: 82_050, details: {}, alert: true });
  expect(messageOf(releaseWantGoods, { ...want, budget: '0.5' })).toBe('预算不能低于 1.00 元');
});

it('removes a contact that is left empty', () => {
  expect(messageOf(transactionCacheContactInfo, { orderSn: '1', contactPhone: '', qq: '', weChat: '' })).toBe('ok');
  expect(messageOf(transactionCacheContactInfo, { orderSn: '1', qq: '0123' })).toBe('QQ号格式错误');
});

it('finds news by its code', () => {
  expect(messageOf(newsInfo2, { code: 'wechat-complaint' })).toBe('ok');
  expect(messageOf(newsInfo2, { code: '../etc' })).toBe('编号不正确');
});
