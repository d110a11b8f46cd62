/** What buyers and sellers do with an order, by the interface alone. */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { act, type Person } from './people.ts';

/** Buys one goods from its page, with a guarantee when one is named. Answers the order's number and what it costs in all. */
export async function placeOrder(buyer: Person, goodsPath: string, guarantee?: string) {
  const { page } = buyer;
  await page.goto(goodsPath);
  await act(page, '立即购买').click();
  await expect(page.getByRole('heading', { name: '确认订单' })).toBeVisible();
  if (guarantee) {
    await page.getByRole('button', { name: guarantee }).click();
    await expect(page.getByText(guarantee).first()).toBeVisible();
  }
  await act(page, '提交订单').click();
  await page.waitForURL(/\/pay\?orderSn=/);
  await expect(page.getByText(/请在 .* 内付款/)).toBeVisible();
  const total = await yuanOf(page, '支付订单');
  return { orderSn: new URL(page.url()).searchParams.get('orderSn') ?? '', total };
}

/** The first price in a named region, in yuan with two decimals. */
export async function yuanOf(page: Page, region: string): Promise<string> {
  const text = await page.getByRole('region', { name: region }).first().innerText();
  return /¥\s*([\d,]+\s*\.\s*\d{2})/.exec(text)?.[1]?.replace(/[,\s]/g, '') ?? '';
}

/** Pays the order of the open payment page from the balance. */
export async function payFromBalance(buyer: Person): Promise<void> {
  const { page } = buyer;
  await page.getByRole('radio', { name: /余额支付/ }).check();
  await page.getByRole('button', { name: /^确认支付/ }).click();
  await paid(page);
}

/** Pays by the sandbox's code: another person's phone opens what stands behind the code and presses; the page changes by itself. */
export async function payByCode(buyer: Person, phone: Person): Promise<void> {
  const { page } = buyer;
  await page.getByRole('radio', { name: /支付宝/ }).check();
  await page.getByRole('button', { name: /^生成付款码/ }).click();
  await expect(page.getByAltText('支付宝付款码')).toBeVisible();
  const address = await page.getByRole('link', { name: '打开付款页' }).getAttribute('href');
  await phone.page.goto(address ?? '');
  await phone.page.getByRole('button', { name: '付款成功' }).click();
  await expect(phone.page.getByText('付款成功，请回到原页面查看结果')).toBeVisible();
  await paid(page);
}

async function paid(page: Page): Promise<void> {
  await page.waitForURL(/\/success\?orderSn=/);
  await expect(page.getByText('付款成功', { exact: true })).toBeVisible();
}

/** Opens an order's own page. */
export async function openOrder(person: Person, orderSn: string): Promise<void> {
  await person.page.goto(`/center/buyOrderDetail?orderSn=${orderSn}`);
  await expect(person.page.getByRole('region', { name: '这笔钱在哪' })).toBeVisible();
}

/** The hand-over step whose turn it is. */
function turn(page: Page) {
  return page.getByRole('region', { name: /交付$/ }).locator('li[aria-current="step"]');
}

/** Does the open step of the hand-over card: seals what is to be sealed, adds the proof that is asked for, and says it is done. */
export async function doStep(person: Person, title: string, work: { seal?: string; proof?: string } = {}) {
  const { page } = person;
  const step = turn(page);
  await expect(step).toContainText(title);
  if (work.seal) {
    await step.getByLabel('账号、密码、验证码等').fill(work.seal);
    await step.getByRole('button', { name: '提交并封存' }).click();
    await expect(step.getByText('已封存', { exact: true })).toBeVisible();
  }
  if (work.proof) {
    await step.getByLabel(/上传截图|再传一张/).setInputFiles(work.proof);
    await expect(step.getByAltText('凭证 1')).toBeVisible();
  }
  await step.getByRole('button', { name: '这一步我已完成' }).click();
  await expect(step.filter({ hasText: title })).toHaveCount(0);
}

/** Reads what the other side has sealed: once, and never again. */
export async function revealOnce(person: Person, secret: string): Promise<void> {
  const { page } = person;
  const card = page.getByRole('region', { name: /交付$/ });
  await card.getByRole('button', { name: '查看一次' }).click();
  const dialog = page.getByRole('dialog', { name: '查看密封信息' });
  await dialog.getByRole('button', { name: '现在查看' }).click();
  await expect(dialog.getByText(secret)).toBeVisible();
  await dialog.getByRole('button', { name: '已记下，关闭' }).click();
  await expect(card.getByRole('button', { name: '查看一次' })).toHaveCount(0);
}

/** Presses a button of the order's head, answers its dialog and waits for the state that follows. */
export async function takeAct(person: Person, label: string, state: string, reason?: string): Promise<void> {
  const { page } = person;
  await page.getByRole('button', { name: label, exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: label });
  if (reason) await dialog.getByRole('textbox').fill(reason);
  // A button that must be read first counts its seconds in its own label.
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: state })).toBeVisible();
}

/** Waits until an order's page, left alone, shows what somebody else has done. */
export async function seesState(person: Person, state: string): Promise<void> {
  await expect(person.page.getByRole('heading', { level: 1, name: state })).toBeVisible({ timeout: 30_000 });
}

/** A picture that is really one: what is on the screen. */
export async function picture(person: Person, name: string): Promise<string> {
  const path = join(process.env.E2E_DATA_DIR ?? '', name);
  await person.page.screenshot({ path });
  return path;
}
