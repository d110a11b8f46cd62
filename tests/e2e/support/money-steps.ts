/** Steps for money, and for orders by staff, at their own pages. */
import { expect } from '@playwright/test';
import { expectNoOverflow } from './overflow.ts';
import { requestCode, PAY_PASSWORD, type Person } from './people.ts';
import { decided } from './sign-in.ts';

/** Customer service takes its step of the hand-over with a proof at the order's page of the back office. */
export async function staffStep(staff: Person, orderSn: string, title: string, proof: string): Promise<void> {
  const { page } = staff;
  await page.goto(`/backstage/orders/${orderSn}`);
  const step = page.getByRole('region', { name: /交付$/ }).getByRole('listitem').filter({ hasText: title });
  await step.getByRole('button', { name: '完成', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `完成「${title}」` });
  await dialog.getByLabel(/上传截图/).setInputFiles(proof);
  await expect(dialog.getByAltText('凭证 1')).toBeVisible();
  await dialog.getByRole('button', { name: '确认完成' }).click();
  await expect(step.getByRole('button', { name: '完成', exact: true })).toBeHidden();
}

/** The assigned member of staff opens what was sealed, under the own mark, and closes it. */
export async function staffOpens(staff: Person, orderSn: string, secret: { account: string }): Promise<void> {
  const { page } = staff;
  await page.goto(`/backstage/orders/${orderSn}`);
  await page.getByRole('button', { name: '打开密封信息' }).click();
  const dialog = page.getByRole('dialog', { name: '密封信息' });
  await expect(dialog.getByText(secret.account, { exact: true })).toBeVisible();
  await expect(dialog).toContainText('用途：核对登录');
  await expectNoOverflow(staff, 'sealed form open');
  await dialog.getByRole('button', { name: '合上' }).click();
  await expect(dialog).toHaveCount(0);
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
  await decided(finance, 'caiwu', page.getByText('没有找到这笔冻结款，可能已解冻'));
}

/** Binds the account that a withdrawal goes to, with the code of an SMS. */
export async function bindPayout(seller: Person, phone: string, name: string): Promise<void> {
  const { page } = seller;
  await page.goto('/center/myself/changeAliAccount');
  await page.getByLabel('支付宝账号').fill(`zhou${phone.slice(-4)}@example.com`);
  await page.getByLabel('收款人姓名').fill(name);
  await page.getByRole('button', { name: '绑定', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '验证身份' });
  await dialog.getByLabel('短信验证码').fill(await requestCode(page, phone));
  await dialog.getByRole('button', { name: '验证并绑定' }).click();
  await expect(page.getByText('收款账户已绑定')).toBeVisible();
}

/** Asks for the first withdrawal, setting the pay password on the way; returns its number. */
export async function withdraw(seller: Person, phone: string, amount: string): Promise<string> {
  const { page } = seller;
  await page.goto('/center/mywallets/withdrawal');
  await page.getByLabel('提现金额').fill(amount);
  await page.getByRole('button', { name: '提交提现申请' }).click();
  const dialog = page.getByRole('dialog', { name: '设置支付密码' });
  await dialog.getByLabel('短信验证码').fill(await requestCode(page, phone));
  await dialog.getByLabel('支付密码', { exact: true }).fill(PAY_PASSWORD);
  await dialog.getByLabel('再输一次').fill(PAY_PASSWORD);
  await dialog.getByRole('button', { name: '设置并继续' }).click();
  const first = page.getByRole('list', { name: '提现记录' }).getByRole('listitem').first();
  await expect(first).toContainText('审核中');
  return /W[A-Z0-9]{6,}/.exec(await first.innerText())?.[0] ?? '';
}

/** Finance approves a withdrawal. */
export async function decideWithdrawal(finance: Person, withdrawSn: string): Promise<void> {
  const { page } = finance;
  await page.goto(`/backstage/withdrawals?keyWord=${withdrawSn}`);
  const row = page.getByRole('row', { name: new RegExp(withdrawSn) });
  await row.getByRole('button', { name: '通过' }).click();
  await expectNoOverflow(finance, 'withdrawal');
  await page.getByRole('dialog', { name: '通过提现' }).getByRole('button', { name: '通过' }).click();
  // Paying out is a separate job; a link that names one withdrawal shows it in whatever state it is.
  await decided(finance, 'caiwu', row.filter({ hasText: /打款中|已到账/ }));
}
