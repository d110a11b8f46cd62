/** The centre's menu by role: short for everybody, and never more than what the person is. */
import { expect, test } from 'vitest';
import { CENTER_ROLES, type CenterRole } from '#subjects/notices/contract/todo.ts';
import { centerMenu } from '#web/layouts/shell/center-menu.ts';
import { MENU_MAX, menuOf } from '#web/layouts/shell/role-menu.ts';
import { nextCard } from '#web/pages/center/home/next-items.ts';

const labels = (roles: readonly CenterRole[]) =>
  menuOf(roles, {}).flatMap(({ items }) => items.map(({ label }) => label));

test('a buyer sees what buyers need, and how to begin selling or serving', () => {
  expect(labels([])).toEqual([
    '个人中心',
    '我买到的',
    '收藏与浏览',
    '议价与求购',
    '包赔与申诉',
    '优惠券',
    '余额与账单',
    '收款账户',
    '资料与实名',
    '安全',
    '消息',
    '开始卖号',
    '申请陪玩、代练',
  ]);
});

test('a seller, a companion and a booster see their work first', () => {
  expect(labels(['seller']).slice(1, 7)).toEqual([
    '我的商品',
    '我卖出的',
    '提问与议价',
    '回收申请',
    '经营统计',
    '表格导入',
  ]);
  expect(labels(['companion']).slice(1, 3)).toEqual(['陪玩订单', '陪玩套餐']);
  expect(labels(['booster']).slice(1, 4)).toEqual(['代练订单', '接单大厅', '代练套餐']);
  expect(labels(['seller'])).not.toContain('开始卖号');
  for (const work of ['我的商品', '经营统计', '表格导入', '陪玩订单', '接单大厅', '金币回收商', '开放接口'])
    expect(labels([])).not.toContain(work);
});

test('every combination of roles has between 12 and 15 entries, each once', () => {
  for (let bits = 0; bits < 2 ** CENTER_ROLES.length; bits += 1) {
    const roles = CENTER_ROLES.filter((_, i) => (bits >> i) % 2 === 1);
    const found = labels(roles);
    expect(found.length, roles.join()).toBeGreaterThanOrEqual(12);
    expect(found.length, roles.join()).toBeLessThanOrEqual(MENU_MAX);
    expect(new Set(found).size).toBe(found.length);
    expect(menuOf(roles, {}).flatMap(({ items }) => items.filter(({ shortcut }) => shortcut)).length).toBe(7);
  }
});

test('every page of the menu is also among all functions', () => {
  const all = new Set(centerMenu.flatMap(({ items }) => items.map(({ to }) => to.split('?')[0])));
  const menus = [[], ...CENTER_ROLES.map((role) => [role])].flatMap((roles) => menuOf(roles, {}));
  const pages = menus.flatMap(({ items }) => items.flatMap(({ pages: of }) => of.map(({ to }) => to)));
  expect(pages.length).toBeGreaterThan(80);
  expect(pages.filter((path) => !all.has(path) && path !== '/center/goodsGrid')).toEqual([]);
});

test('numbers of an entry are summed', () => {
  const entry = menuOf(['seller'], { questions: 2, bargainsReceived: 3 })
    .flatMap(({ items }) => items)
    .find(({ label }) => label === '提问与议价');
  expect(entry).toMatchObject({ count: 5, urgent: true });
});

const account = { phoneMask: '139****2626', isPayPassWord: false };
const step = (kind: 'identity' | 'payPassword' | 'coupons' | 'questions', count = 1) => ({
  kind,
  count,
  due: null,
  since: null,
  order: null,
});

test('the card of a new account lists its steps, the phone as done', () => {
  const { first, others } = nextCard([step('identity'), step('payPassword'), step('coupons', 3)], account, new Date());
  expect(first).toMatchObject({ title: '完成实名，就能下单和议价', action: '去实名' });
  expect(others.map(({ title, isDone }) => [title, isDone === true])).toEqual([
    ['绑定手机', true],
    ['实名认证', false],
    ['支付密码', false],
    ['领取 3 张优惠券', false],
  ]);
});

test('an order is not a gap of the account, and an unpaid one leads to its payment', () => {
  const order = { orderSn: '2611', title: '正在换绑手机', goods: '王者荣耀 安卓QQ', belong: 0, status: 2 };
  const due = '2026-11-29T10:00:00Z';
  const { first, others } = nextCard(
    [
      { kind: 'order', count: 1, due, since: null, order },
      { kind: 'order', count: 1, due, since: null, order: { ...order, orderSn: '2612', title: '请付款', status: 0 } },
    ],
    account,
    new Date(due),
  );
  expect(first).toMatchObject({ title: '正在换绑手机', action: '去操作', due, isSetup: false });
  expect(others[0]).toMatchObject({ title: '请付款', action: '去付款' });
});

test('a deadline of the wire, which is in China time, is late once it has passed', () => {
  const order = { orderSn: '2611', title: '请答复减价', goods: '', belong: 1, status: 1 };
  const at = (due: string) =>
    nextCard([{ kind: 'order', count: 1, due, since: null, order }], account, new Date('2026-12-01T05:16:00Z')).first
      ?.isLate;
  expect([at('2026-12-01T12:43:00+08:00'), at('2026-12-01T13:43:00+08:00')]).toEqual([true, false]);
});

test('tasks that others wait for come before the gaps of the account', () => {
  const asked = { ...step('questions', 2), since: '2026-11-29T09:00:00Z' };
  const { first, others } = nextCard([asked, step('payPassword')], account, new Date('2026-11-29T09:38:00Z'));
  expect(first).toMatchObject({ title: '回复 2 个提问', text: '最早的等了 38 分钟', to: '/center/questions' });
  expect(others.map(({ key }) => key)).toEqual(['payPassword']);
  expect(nextCard([], account, new Date()).first).toBeNull();
});
