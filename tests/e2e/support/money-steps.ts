/** What happens to the money, and what staff do to an order, at their own pages. */
import { expect } from '@playwright/test';
import { askCode, type Person } from './people.ts';

/** Customer service takes its step of the hand-over at the order's page of the back office. */
export async function staffStep(staff: Person, orderSn: string, title: string): Promise<void> {
  const { page } = staff;
  await page.goto(`/backstage/orders/${orderSn}`);
  const step = page.getByRole('region', { name: /交付$/ }).getByRole('listitem').filter({ hasText: title });
  await step.getByRole('button', { name: '完成', exact: true }).click();
  await page
    .getByRole('dialog', { name: `完成「${title}」` })
    .getByRole('button', { name: '确认完成' })
    .click();
  await expect(step.getByRole('button', { name: '完成', exact: true })).toBeHidden();
}

/** Finance ends the protection period of an order before its time, with a reason. */
export async function releaseEarly(finance: Person, orderSn: string): Promise<void> {
  const { page } = finance;
  await page.goto(`/backstage/holds?keyWord=${orderSn}`);
  await page
    .getByRole('row', { name: new RegExp(orderSn) })
    .getByRole('button', { name: '提前解冻' })
    .click();
  const dialog = page.getByRole('dialog', { name: '提前解冻' });
  await dialog.getByLabel('解冻原因').fill('买家已确认无误，双方同意提前放款');
  await dialog.getByRole('button', { name: '提前解冻' }).click();
  await expect(page.getByText('没有冻结中的款项')).toBeVisible();
}

/** Binds the account that a withdrawal goes to, with the code of an SMS. */
export async function bindPayout(seller: Person, phone: string, name: string): Promise<void> {
  const { page } = seller;
  await page.goto('/center/myself/changeAliAccount');
  await page.getByLabel('支付宝账号').fill(`zhou${phone.slice(-4)}@example.com`);
  await page.getByLabel('收款人姓名').fill(name);
  await page.getByLabel('短信验证码').fill(await askCode(page, phone));
  await page.getByRole('button', { name: '绑定', exact: true }).click();
  await expect(page.getByText('收款账户已绑定')).toBeVisible();
}

/** Asks for a withdrawal; answers its number. */
export async function withdraw(seller: Person, amount: string): Promise<string> {
  const { page } = seller;
  await page.goto('/center/mywallets/withdrawal');
  await page.getByLabel('提现金额').fill(amount);
  await page.getByRole('button', { name: '提交提现申请' }).click();
  const first = page.getByRole('list', { name: '提现记录' }).getByRole('listitem').first();
  await expect(first).toContainText('审核中');
  return /W[A-Z0-9]{6,}/.exec(await first.innerText())?.[0] ?? '';
}

/** Finance lets a withdrawal through. */
export async function decideWithdrawal(finance: Person, withdrawSn: string): Promise<void> {
  const { page } = finance;
  await page.goto(`/backstage/withdrawals?keyWord=${withdrawSn}`);
  await page
    .getByRole('row', { name: new RegExp(withdrawSn) })
    .getByRole('button', { name: '通过' })
    .click();
  await page.getByRole('dialog', { name: '通过提现' }).getByRole('button', { name: '通过' }).click();
  await expect(page.getByText('没有待审核的提现')).toBeVisible();
}
