/** Order steps of buyers and sellers, through the interface only. */
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { upload } from '#subjects/media/contract/pictures.ts';
import { handoverDone } from '#subjects/orders/contract/handover.ts';
import { expectNoOverflow } from './overflow.ts';
import { actionButton, PAY_PASSWORD, type Person } from './people.ts';

/** Leaves the coupons alone: those of a demo login are those of the other worker's journeys, too. */
export async function skipCoupons(page: Page): Promise<void> {
  await expect(actionButton(page, '提交订单')).toBeVisible();
  const none = page.getByRole('radiogroup', { name: '使用哪张优惠券' }).getByRole('radio', { name: '不使用' });
  if (await none.isVisible()) await none.check();
}

/** Buys one goods from its page, with a guarantee when one is named. Returns the order's number and what it costs in all. */
export async function placeOrder(buyer: Person, goodsPath: string, guarantee?: string) {
  const { page } = buyer;
  await page.goto(goodsPath);
  await actionButton(page, '立即购买').click();
  await expect(page.getByRole('heading', { name: '确认订单' })).toBeVisible();
  if (guarantee) {
    await page.getByRole('button', { name: guarantee }).click();
    await expect(page.getByText(guarantee).first()).toBeVisible();
  }
  await skipCoupons(page);
  await actionButton(page, '提交订单').click();
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
  // Within five minutes of the last proof nothing is asked.
  const dialog = page.getByRole('dialog', { name: '输入支付密码' });
  const field = dialog.getByLabel('支付密码', { exact: true });
  await expect(field.or(page.getByText('付款成功', { exact: true }))).toBeVisible();
  if (await field.isVisible()) {
    await field.fill(PAY_PASSWORD);
    await dialog.getByRole('button', { name: '确认' }).click();
  }
  await paid(page);
}

/** Pays by the sandbox: on a phone its page opens by itself; on a computer another person's phone opens the code's page and confirms; the page updates by itself. */
export async function payByCode(buyer: Person, phone: Person): Promise<void> {
  const { page } = buyer;
  await page.getByRole('radio', { name: /支付宝/ }).click();
  const go = page.getByRole('button', { name: /^去支付/ });
  const code = page.getByAltText('支付宝付款二维码');
  const success = page.getByRole('button', { name: '付款成功' });
  // On a computer the choice displays the code immediately; a phone is asked before it leaves the page.
  await expect(
    code
      .or(go)
      .or(page.getByRole('button', { name: '更换支付方式' }))
      .first(),
  ).toBeVisible();
  if (await go.isVisible()) await go.click().catch(() => undefined);
  await expect(code.or(success)).toBeVisible();
  if (await success.isVisible()) {
    // A phone is redirected to the channel and returns.
    await success.click();
    await expect(page.getByText('付款成功，请回到原页面查看结果')).toBeVisible();
    await page.getByRole('link', { name: '返回原页面' }).click();
    return await paid(page);
  }
  const address = await page.getByRole('link', { name: '在本机支付' }).getAttribute('href');
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
  await expect(person.page.getByRole('region', { name: '资金去向' })).toBeVisible();
}

/** The log-in that a seller seals. */
export interface LogIn {
  account: string;
  password: string;
}

/** The hand-over card, and in it the step whose turn it is. */
function handover(page: Page) {
  const card = page.getByRole('region', { name: /交付$/ });
  return {
    card,
    current: card.getByRole('list', { name: '交付步骤' }).locator('li[aria-current="step"]'),
    due: page.getByRole('group', { name: '这一步' }),
  };
}

/**
 * Adds the proof of the due step: by the camera's tile where there is a finger, which a mouse does not see, else by the field for files. Returns
 * the picture's key, as the upload answered it.
 */
async function addProof({ page }: Person, due: Locator, proof: string): Promise<string> {
  const camera = due.getByLabel('拍照上传凭证');
  await expect(camera).toHaveAttribute('capture', 'environment');
  await expect(camera).toHaveAttribute('accept', 'image/*');
  const isTouched = await page.evaluate(() => matchMedia('(pointer: coarse)').matches);
  await expect(camera).toBeVisible({ visible: isTouched });
  const uploaded = page.waitForResponse((response) => response.url().includes(`${upload.path}?purpose=evidence`));
  await (isTouched ? camera : due.getByLabel(/上传截图|再传一张/)).setInputFiles(proof);
  const { data } = (await (await uploaded).json()) as { data: { key: string } };
  await expect(due.getByAltText('凭证 1')).toBeVisible();
  return data.key;
}

/** Does the due step of the hand-over card with one click: fills what is to be sealed, adds the proof that is asked for, and finishes. */
export async function doStep(person: Person, title: string, work: { logIn?: LogIn; proof?: string } = {}) {
  const { current, due } = handover(person.page);
  await expect(current).toContainText(title);
  await expectNoOverflow(person, `step ${title}`);
  if (work.logIn) {
    await due.getByRole('button', { name: '封存并提交' }).click();
    await expect(due.getByText(/^请填写.*账号$/)).toBeVisible();
    await due.getByLabel(/账号/).fill(work.logIn.account);
    // Completed fields are no longer marked as missing.
    await expect(due.getByText(/^请填写.*账号$/)).toBeHidden();
    await due.getByLabel('密码', { exact: true }).fill(work.logIn.password);
  }
  const key = work.proof === undefined ? undefined : await addProof(person, due, work.proof);
  const sent = person.page.waitForRequest((request) => request.url().includes(handoverDone.path));
  await due.getByRole('button', { name: work.logIn ? '封存并提交' : '我已完成' }).click();
  const form = new URLSearchParams((await sent).postData() ?? '');
  expect(JSON.parse(form.get('pictures') ?? '[]'), `pictures of ${title}`).toEqual(key === undefined ? [] : [key]);
  await expect(current.filter({ hasText: title })).toHaveCount(0);
}

/**
 * Binds the account to the buyer's phone: he seals his number with one click, the seller reads it and begins in the game, he seals the code
 * that arrives, the seller reads it and proves the end. Neither leaves the site.
 */
export async function bindPhone(
  buyer: Person,
  seller: Person,
  about: { number: string; code: string; proof: string },
): Promise<void> {
  const dueOf = (person: Person) => handover(person.page).due;
  const current = (person: Person) => dueOf(person).locator('li[aria-current="step"]');
  const read = async (button: string, value: string) => {
    await dueOf(seller).getByRole('button', { name: button }).click();
    const dialog = seller.page.getByRole('dialog', { name: '密封信息' });
    await expect(dialog.getByText(value, { exact: true })).toBeVisible();
    await expectNoOverflow(seller, button);
    await dialog.getByRole('button', { name: '合上' }).click();
    await expect(seller.page.getByText(value, { exact: true })).toHaveCount(0);
  };
  await expect(current(seller)).toContainText('等买家封存新手机号');
  await expectNoOverflow(buyer, 'number to be sealed');
  await dueOf(buyer).getByRole('button', { name: '封存，发给卖家' }).click();
  await expect(current(seller)).toContainText('更换手机', { timeout: 60_000 });
  await read('查看号码', about.number);
  await dueOf(seller).getByRole('button', { name: '已发起，验证码已发出' }).click();
  await expect(current(buyer)).toContainText('验证码', { timeout: 60_000 });
  await dueOf(buyer).getByLabel('验证码').fill(about.code);
  await expectNoOverflow(buyer, 'code to be sealed');
  await dueOf(buyer).getByRole('button', { name: '封存，发给卖家' }).click();
  await expect(dueOf(seller).getByRole('button', { name: '查看验证码' })).toBeVisible({ timeout: 60_000 });
  await read('查看验证码', about.code);
  await addProof(seller, dueOf(seller), about.proof);
  await dueOf(seller).getByRole('button', { name: '我已换绑成功' }).click();
  await seesDue(seller, '等待买家修改密码');
}

/** Waits for the headline of the order's page, in the text for this party. */
export async function seesDue(person: Person, headline: string): Promise<void> {
  await expect(person.page.getByRole('heading', { level: 1, name: headline, exact: true })).toBeVisible({
    timeout: 60_000,
  });
}

/** Whether the buyer's page says to wait with the sealed form. */
export async function cannotOpenYet(person: Person): Promise<void> {
  const { card } = handover(person.page);
  await expect(card.getByText('客服核对登录、卖家发货后可以打开').first()).toBeVisible();
  await expect(card.getByRole('button', { name: '打开密封信息' })).toHaveCount(0);
}

/** Opens what the other side has sealed, reads it under the own mark, and closes it by the keyboard; the opening is on the list. */
export async function openCredential(person: Person, secret: LogIn): Promise<void> {
  const { page } = person;
  const { card } = handover(page);
  await card.getByRole('button', { name: '打开密封信息' }).first().click();
  const dialog = page.getByRole('dialog', { name: '密封信息' });
  await expect(dialog.getByText(secret.account, { exact: true })).toBeVisible();
  await expect(dialog.getByText(secret.password, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('timer')).toContainText('后合上');
  await expectNoOverflow(person, 'sealed form open');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(secret.password)).toHaveCount(0);
  await expect(card.getByRole('region', { name: '密封信息查看记录' })).toContainText('您');
}

/** Clicks a button of the order's head, answers its dialog and waits for the state that follows. */
export async function takeAction(person: Person, label: string, state: string, reason?: string): Promise<void> {
  const { page } = person;
  await page.getByRole('button', { name: label, exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: label });
  if (reason) await dialog.getByRole('textbox').fill(reason);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(stateOf(page, state)).toBeVisible();
}

/** The state of the order whose page is open, as its first panel names it. */
const stateOf = (page: Page, state: string) =>
  page.getByRole('region', { name: '订单', exact: true }).getByText(state, { exact: true });

/** Waits until an order's page shows, without a reload, what another person has done. */
export async function seesState(person: Person, state: string): Promise<void> {
  await expect(stateOf(person.page, state)).toBeVisible({ timeout: 60_000 });
}

/** A valid picture: a screenshot. */
export async function picture(person: Person, name: string): Promise<string> {
  const path = join(process.env.E2E_DATA_DIR ?? '', name);
  await person.page.screenshot({ path });
  return path;
}
