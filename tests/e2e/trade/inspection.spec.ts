/** An inspection that differs: sealed by the seller, read by staff, shown to buyers, taken over by the seller. */
import { expect, type Page } from '@playwright/test';
import { picture } from '../support/order-steps.ts';
import { test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const SELLER = '13800000002';
const PASSWORD = 'Harbour-58-lamp';

/** Reads every field as something: the lowest number, the first choice. So at least one is not as stated. */
async function fillReadings(page: Page): Promise<void> {
  const form = page.locator('form').filter({ hasText: '逐项填您在游戏里读到的' });
  await expect(form).toBeVisible();
  for (const group of await form.locator('fieldset').all()) await group.locator('label').first().click();
  for (const select of await form.locator('select').all()) await select.selectOption({ index: 1 });
  for (const input of await form.locator('input[inputmode="numeric"]').all()) await input.fill('1');
}

test('a deviating inspection is public, and the seller takes its values over', async ({ people }, info) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const { page } = seller;
  await page.goto('/center/sellOutGoods?status=2');
  const own = await page
    .getByRole('link', { name: '验号', exact: true })
    .evaluateAll((links) =>
      links.map((a) => new URL((a as HTMLAnchorElement).href).searchParams.get('goods')).filter((sn) => sn !== null),
    );
  const goodsSn = own.at(info.project.name === 'phone' ? -1 : -2) ?? '';
  // The log-in of a listing of the demo market.
  const account = `demo${goodsSn}`;
  await page.goto(`/center/inspections?goods=${goodsSn}`);
  const ask = page.getByRole('region', { name: `申请验号 ${goodsSn}` });
  await ask.getByLabel('账号', { exact: true }).fill(account);
  await ask.getByRole('button', { name: '密封提交' }).click();
  await expect(ask.getByText('请填写密码')).toBeVisible();
  await ask.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await ask.getByRole('button', { name: '密封提交' }).click();
  await expect(ask.getByText('正在验号')).toBeVisible();

  const staff = await staffAtWork(people, 'kefu1');
  const staffPage = staff.page;
  await staffPage.goto('/backstage/inspections?status=queued');
  await staffPage
    .getByRole('row', { name: new RegExp(goodsSn) })
    .getByRole('link', { name: '验号' })
    .click();
  const task = staffPage.getByRole('region', { name: /验号单/ });
  await task.getByRole('button', { name: '领取' }).click();
  await task.getByRole('button', { name: '打开密封信息' }).click();
  const dialog = staffPage.getByRole('dialog', { name: '密封信息' });
  await expect(dialog.getByText(account, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: '合上' }).click();
  await fillReadings(staffPage);
  await task.getByLabel(/上传截图/).setInputFiles(await picture(staff, 'reading.png'));
  await expect(task.getByAltText(/凭证 1/)).toBeVisible();
  await task.getByRole('button', { name: '提交验号结果' }).click();
  await expect(task.getByText(/有 \d+ 项不同/)).toBeVisible();

  const visitor = await people.visitor('buyer');
  await visitor.page.goto(`/detail/${goodsSn}`);
  const record = visitor.page.locator('#inspection');
  await expect(record.getByText(/^卖家填 /).first()).toBeVisible();
  await expect(record.getByAltText('验号截图 1')).toBeVisible();
  await expect(visitor.page.locator('#passport')).toContainText('项与卖家填写不同');

  await page.goto('/center/inspections');
  await page.getByRole('button', { name: '按验号结果更正' }).first().click();
  await expect(page.getByText('已按验号结果更正，商品显示「已验号」')).toBeVisible();
  await visitor.page.reload();
  await expect(visitor.page.getByText('今天验号').first()).toBeVisible();
});
