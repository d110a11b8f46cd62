/** The protection ends, by its clock and early by two persons; the seller is paid, and the brand's commission is settled. */
import { expect, type Locator, type Page } from '@playwright/test';
import { withdraw } from '#tests/e2e/support/money-steps.ts';
import { openOrder } from '#tests/e2e/support/order-steps.ts';
import type { Cast, Colleague } from '../cast.ts';
import { decided, joinBy } from '../back-office.ts';
import { BRAND, SITE } from '../hosts.ts';
import { GOODS, SELLER } from '../parts.ts';
import { test } from '../stage.ts';

/** The seller's proceeds: the price less 4 %. */
const BY_CLOCK = '2,688.00';
const EARLY = '2,496.00';

interface Decision {
  row: RegExp;
  button: string;
  /** The button of the dialog, where it is called otherwise. */
  action?: string;
  reason?: string;
  /** The element that shows the result. */
  done: (page: Page) => Locator;
}

/** Clicks the button of a row, gives the reason where one is asked for, and waits for what comes of it. */
async function decide(person: Colleague, { row, button, action = button, reason, done }: Decision): Promise<void> {
  const { page } = person;
  await page.getByRole('row', { name: row }).getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (reason !== undefined) await dialog.getByRole('textbox').fill(reason);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await decided(person, done(page));
}

async function seller(cast: Cast) {
  return await cast.user('seller', SITE);
}

test('sums above 2,000 yuan need two persons, set by the admin command', async ({ stage, cast }) => {
  const rejected = await stage.npm('admin', ['settings', 'set', 'withdraw', 'secondPersonFen=0', '--reason', '试']);
  expect(rejected.code).toBe(1);
  expect(rejected.output).toContain('secondPersonFen');
  await stage.admin('settings', 'set', 'withdraw', 'secondPersonFen=2000', '--reason', '开业期间从严');
  const { page } = cast.colleague('lisi');
  await page.goto('/backstage/settings?group=limits');
  const card = page.getByRole('region', { name: '提现与第二人', exact: true });
  await expect(card).toContainText('2000 元');
  await expect(card).toContainText('开业期间从严');
});

test('one protection ends at its time', async ({ cast }) => {
  const person = await seller(cast);
  await openOrder(person, GOODS[0]?.orderSn ?? '');
  await expect(person.page.getByRole('region', { name: '费用明细' })).toContainText(BY_CLOCK);
  await expect(async () => {
    await person.page.goto('/center/mywallets');
    await expect(person.page.getByRole('region', { name: '我的钱包' })).toContainText(/可用余额\s*¥\s*2,688\.00/, {
      timeout: 1_000,
    });
  }).toPass({ timeout: 60_000 });
});

test('the other one is ended early by two persons', async ({ cast }) => {
  const orderSn = GOODS[1]?.orderSn ?? '';
  const [finance, owner] = [cast.colleague('lisi'), cast.colleague('zhangsan')];
  await finance.page.goto(`/backstage/holds?keyWord=${orderSn}`);
  await expect(finance.page.getByRole('row', { name: new RegExp(orderSn) })).toContainText(EARLY);
  await decide(finance, {
    row: new RegExp(orderSn),
    button: '提前解冻',
    reason: '买家已确认无误，双方同意提前放款',
    done: (page) => page.getByText('李四申请解冻'),
  });
  await owner.page.goto(`/backstage/holds?keyWord=${orderSn}`);
  await decide(owner, {
    row: new RegExp(orderSn),
    button: '复核解冻',
    reason: '核对无误',
    done: (page) => page.getByText('没有找到这笔冻结款'),
  });
});

test('the seller withdraws to Alipay, two persons approve it, and it is paid', async ({ stage, cast }) => {
  const person = await seller(cast);
  const withdrawSn = await withdraw(person, SELLER.phone, BY_CLOCK.replace(',', ''));
  const [finance, owner] = [cast.colleague('lisi'), cast.colleague('zhangsan')];
  const row = new RegExp(withdrawSn);
  await finance.page.goto(`/backstage/withdrawals?keyWord=${withdrawSn}`);
  await decide(finance, { row, button: '通过', done: (page) => page.getByText('已初审，等待另一位同事复核') });
  await owner.page.goto(`/backstage/withdrawals?keyWord=${withdrawSn}`);
  await decide(owner, {
    row,
    button: '复核通过',
    done: (page) => page.getByRole('row', { name: row }).getByText(/打款中|已到账/),
  });
  await expect(async () => {
    await person.page.goto('/center/mywallets/withdrawal');
    await expect(person.page.getByRole('list', { name: '提现记录' })).toContainText('已到账', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  const [transfer] = stage.vendors.alipay.transfers.values();
  expect(transfer).toMatchObject({ amount: BY_CLOCK.replace(',', ''), name: SELLER.name, status: 'SUCCESS' });
});

test('an operator of the brand requests its commission, and finance pays it', async ({ cast }) => {
  const owner = cast.colleague('zhangsan');
  const { page } = owner;
  await page.goto('/backstage/staff');
  await page.getByRole('button', { name: '新建员工' }).click();
  const dialog = page.getByRole('dialog', { name: '新建员工' });
  await dialog.getByLabel('登录名').fill('zhaoliu');
  await dialog.getByLabel('姓名').fill('赵六');
  await dialog.getByLabel('站点', { exact: true }).selectOption({ label: '夜鹤游戏' });
  await dialog.getByLabel('角色', { exact: true }).selectOption({ label: '分销商运营（限分销站）' });
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  const linkDialog = page.getByRole('dialog', { name: '一次性地址' });
  await decided(owner, linkDialog);
  const address = await linkDialog.getByLabel('一次性地址').innerText();
  await linkDialog.getByRole('button', { name: '我已保存' }).click();
  const operator = await joinBy(cast, address.trim(), { login: 'zhaoliu', name: '赵六' });

  // Half of 6 % of 2,800 and 2,600 yuan.
  await operator.page.goto('/backstage/commission');
  await expect(operator.page.getByText('162.00').first()).toBeVisible();
  await operator.page.getByRole('button', { name: '申请结算' }).click();
  const asking = operator.page.getByRole('dialog', { name: '申请结算佣金' });
  await asking.getByRole('textbox').fill('162.00');
  await asking.getByRole('button', { name: '提交申请' }).click();
  await decided(operator, operator.page.getByText('待打款').first());

  const finance = cast.colleague('lisi');
  await finance.page.goto('/backstage/commission');
  await decide(finance, {
    row: /夜鹤游戏/,
    button: '登记打款',
    action: '确认已打款',
    reason: '回单 20261123-001',
    done: (page) => page.getByText(/李四 打款/),
  });
  await operator.page.reload();
  await expect(operator.page.getByText('已打款').first()).toBeVisible();
  expect(BRAND).toBe(new URL((await cast.user('buyer', BRAND)).page.url()).host);
});
