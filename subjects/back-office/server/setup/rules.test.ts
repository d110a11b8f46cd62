/** The checklist at the end of the first start. */
import { describe, expect, test } from 'vitest';
import type { VendorInfo } from '#server/kernel/vendors.ts';
import { checkList, nextStep, type SetupDetails } from './rules.ts';

/** A market with nothing set up yet. */
const NOTHING: SetupDetails = {
  isNamed: false,
  publicHosts: 0,
  games: 0,
  admins: 0,
  service: 0,
  reviewers: 0,
  finance: 0,
  vendors: [],
  isTrial: false,
  trialOf: () => undefined,
  backups: 0,
  hasOwnTexts: false,
  completedOrders: 0,
  mailsAudit: false,
  hasMetrics: false,
};

const itemOf = (key: string, details: Partial<SetupDetails>) =>
  checkList({ ...NOTHING, ...details }).find((one) => one.key === key);

test('a new market has every item open, each with its page', () => {
  expect(checkList(NOTHING).map(({ key, isDone, to }) => [key, isDone, to])).toEqual([
    ['name', false, '/backstage/brands'],
    ['hosts', false, '/backstage/brands'],
    ['games', false, '/backstage/games'],
    ['admins', false, '/backstage/staff'],
    ['service', false, '/backstage/staff'],
    ['review', false, '/backstage/staff'],
    ['finance', false, '/backstage/staff'],
    ['texts', false, '/backstage/rules'],
    ['backup', false, '/backstage/jobs'],
    ['watch', false, '/backstage/audit'],
    ['order', false, '/backstage/orders'],
    ['fees', false, '/backstage/settings'],
  ]);
});

describe('an item is done', () => {
  test.each<[string, Partial<SetupDetails>, string, Partial<SetupDetails>, string]>([
    ['name', {}, '给平台起名', { isNamed: true }, '平台已命名'],
    ['hosts', {}, '给平台加公网域名，否则外面打不开', { publicHosts: 1 }, '平台有公网域名'],
    ['games', {}, '导入或新建游戏，否则没有商品可发布', { games: 1 }, '已有 1 个游戏'],
    ['admins', { admins: 1 }, '再设一位管理员，避免手机丢失后无人能登录', { admins: 2 }, '有 2 位管理员'],
    ['service', {}, '新建客服，订单和申诉要有人处理', { service: 1 }, '有 1 位客服'],
    ['review', {}, '新建审核，商品上架前要有人看', { reviewers: 1 }, '有 1 位审核'],
    ['finance', { finance: 1 }, '至少两人能审核提现，大额要复核', { finance: 2 }, '有 2 人能审核提现'],
    ['texts', {}, '核对公开规则和用户协议，改成自己的并发布', { hasOwnTexts: true }, '已发布自己的规则或协议'],
    [
      'backup',
      {},
      '运行 npm run backup 做第一次备份；BACKUP_KEY 要在此之前设好，并和备份分开保存',
      { backups: 1 },
      '做过 1 次备份',
    ],
    ['order', {}, '用每个支付渠道走一笔试单：发布、购买、交付、确认、提现', { completedOrders: 1 }, '完成过 1 笔订单'],
  ])('%s', (key, before, open, after, done) => {
    expect(itemOf(key, before)).toMatchObject({ isDone: false, text: open });
    expect(itemOf(key, after)).toMatchObject({ isDone: true, text: done });
  });

  test('only when both the metrics and the archive of the audit log are outside', () => {
    const watch = (hasMetrics: boolean, mailsAudit: boolean) => itemOf('watch', { hasMetrics, mailsAudit })?.isDone;
    expect([watch(true, true), watch(true, false), watch(false, true)]).toEqual([true, false, false]);
  });

  test('never, for the fees: the program cannot know that somebody looked at them', () => {
    const everything = { isNamed: true, hasOwnTexts: true, completedOrders: 9, games: 9 };
    expect(itemOf('fees', everything)).toEqual({
      key: 'fees',
      text: '核对手续费、保护期和限额',
      isDone: false,
      to: '/backstage/settings',
    });
  });
});

describe('a vendor', () => {
  const at = new Date('2026-11-20T16:00:00Z');
  const vendor = (key: string, state: VendorInfo['state']): VendorInfo => ({
    key,
    label: '阿里云短信',
    subject: '短信',
    state,
  });
  const shown = (one: VendorInfo, more: Partial<SetupDetails> = {}) =>
    itemOf(`vendor.${one.key}`, { vendors: [one], ...more });

  test.each<[string, string, VendorInfo['state'], Partial<SetupDetails>, string, boolean, boolean]>([
    ['switched off on purpose', 'sms', 'off', {}, '短信：已关闭', true, false],
    ['switched off in a trial', 'sms', 'off', { isTrial: true }, '短信：已关闭', true, false],
    ['a stand-in', 'sms', 'stand-in', {}, '短信：还是演示用的替身', false, true],
    ['a stand-in in a trial', 'sms', 'stand-in', { isTrial: true }, '短信：试运行用替身，正式开张时再接', true, true],
    ['real, never tried', 'sms', 'on', {}, '短信：阿里云短信，还没有试过', false, true],
    ['real in a trial', 'sms', 'on', { isTrial: true }, '短信：阿里云短信，还没有试过', false, true],
    ['not of the search', 'my-search', 'on', {}, '短信：阿里云短信，还没有试过', false, true],
    ['web push', 'push.own', 'on', {}, '短信：阿里云短信', true, true],
    ['push by link', 'link-push', 'on', {}, '短信：阿里云短信', true, false],
    ['the search', 'search.bing', 'on', {}, '短信：阿里云短信', true, false],
  ])('%s', (_case, key, state, more, text, isDone, canTry) => {
    expect(shown(vendor(key, state), more)).toEqual({
      key: `vendor.${key}`,
      text,
      isDone,
      canTry,
      to: '/backstage/vendors',
    });
  });

  test('is done when its newest test succeeded, with the day in China', () => {
    const tried = (ok: boolean) =>
      shown(vendor('sms.aliyun', 'on'), { trialOf: (key) => (key === 'sms.aliyun' ? { ok, at } : undefined) });
    expect(tried(true)).toMatchObject({
      text: '短信：阿里云短信，2026-11-21 试用成功',
      isDone: true,
      canTry: true,
    });
    expect(tried(false)).toMatchObject({ text: '短信：阿里云短信，2026-11-21 试用失败', isDone: false, canTry: true });
  });

  test('stands between the staff and the own items, in the given order', () => {
    const keys = checkList({ ...NOTHING, vendors: [vendor('b', 'on'), vendor('a', 'off')] }).map(({ key }) => key);
    expect(keys.slice(6, 10)).toEqual(['finance', 'vendor.b', 'vendor.a', 'texts']);
  });
});

test.each<[Parameters<typeof nextStep>[0], ReturnType<typeof nextStep>]>([
  [[], 'name'],
  [['name'], 'hosts'],
  [['hosts', 'games'], 'name'],
  [['name', 'hosts', 'games'], 'vendors'],
  [['vendors', 'games', 'hosts', 'name'], null],
])('after the steps %j comes %s', (done, next) => {
  expect(nextStep(done)).toBe(next);
});
