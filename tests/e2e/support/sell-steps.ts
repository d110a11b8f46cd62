/** Steps to become a seller, to publish, and to be approved. */
import { expect, type Locator, type Page } from '@playwright/test';
import { actionButton, type Person } from './people.ts';

/** Verifies the real name at its page; the local adapter takes every number whose check character is right. */
export async function verifyRealName(person: Person, name: string, idNumber: string): Promise<void> {
  const { page } = person;
  await page.goto('/center/myself/identityAuthentication');
  await page.getByRole('textbox', { name: '姓名' }).fill(name);
  await page.getByRole('textbox', { name: '身份证号' }).fill(idNumber);
  await page.getByRole('button', { name: '提交认证' }).click();
  await expect(page.getByText('已完成实名认证')).toBeVisible();
}

/** A number inside the limits that a field states below itself, as `1 至 30` or `最多 30`. */
function numberFor(help: string): string {
  const [, least] = /(\d+) 至 \d+/.exec(help) ?? [];
  const [, most] = /最多 (\d+)/.exec(help) ?? [];
  return least ?? (most ? String(Math.min(5, Number(most))) : '5');
}

/** Fills one required field of a game's own form, whatever its kind. */
async function fillField(field: Locator): Promise<void> {
  const choice = field.locator('input[type="radio"], input[type="checkbox"]').first();
  if ((await choice.count()) > 0) return await choice.check({ force: true });
  const list = field.locator('select').first();
  if ((await list.count()) > 0) {
    await list.selectOption({ index: 1 });
    return;
  }
  await field
    .locator('input')
    .first()
    .fill(numberFor(await field.innerText()));
}

async function fillRequired(page: Page): Promise<void> {
  const part = page.getByRole('region', { name: '商品属性' });
  const fields = part.locator('.field').filter({ hasNotText: '选填' });
  for (const field of await fields.all()) await fillField(field);
}

export interface Offer {
  game: string;
  type: string;
  account: string;
  title: string;
  price: string;
  picture: string;
}

/** Opens the form of a game and goods type and fills in what an account needs: place, number, required fields. */
export async function openOffer(page: Page, offer: Pick<Offer, 'game' | 'type' | 'account'>): Promise<void> {
  await page.goto('/center/sell');
  await page
    .getByRole('list', { name: `${offer.game}的商品类型` })
    .getByRole('link', { name: offer.type, exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(offer.game) })).toBeVisible();
  const region = page.getByRole('region', { name: '区服与账号' });
  for (const list of ['大区', '服务器']) await region.getByRole('combobox', { name: list }).selectOption({ index: 1 });
  await region.getByRole('textbox', { name: '游戏账号' }).fill(offer.account);
  await fillRequired(page);
}

/** Publishes goods by the game's own form with a picture; returns the goods' number. */
export async function publish(seller: Person, offer: Offer): Promise<string> {
  const { page } = seller;
  await openOffer(page, offer);
  await page.locator('input[type="file"]').first().setInputFiles(offer.picture);
  await expect(page.getByAltText('第 1 张图片')).toBeVisible();
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(offer.title);
  await page.getByRole('textbox', { name: '标价（元）' }).fill(offer.price);
  await actionButton(page, '提交审核').click();
  await expect(page.getByRole('heading', { name: '已提交审核' })).toBeVisible();
  return new URL(page.url()).searchParams.get('done') ?? '';
}

/** A reviewer finds the listing in the queue and approves it. */
export async function approve(reviewer: Person, goodsSn: string, title: string): Promise<void> {
  const { page } = reviewer;
  await page.goto('/backstage/goods');
  await page.getByLabel('标题或商品编号').fill(goodsSn);
  await page.getByRole('button', { name: '筛选' }).click();
  const detail = page.getByRole('article', { name: new RegExp(title) });
  await expect(detail).toBeVisible();
  await expect(detail.getByAltText('第 1 张截图')).toBeVisible();
  // The approval is sent when the time to undo it is over.
  const sent = page.waitForResponse((response) => response.url().endsWith('/api/backstage/goods/approve'));
  await detail.getByRole('button', { name: /^通过/ }).click();
  await expect(detail).toBeHidden();
  expect((await sent).status()).toBe(200);
}

/** Finds goods by the words of their title in the market's search, and opens them. */
export async function findInSearch(person: Person, title: string, goodsSn: string): Promise<void> {
  const { page } = person;
  await page.goto(`/wares?keyWord=${encodeURIComponent(title)}`);
  await page.locator(`a[href^="/detail/${goodsSn}"]`).locator('visible=true').first().click();
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(title) })).toBeVisible();
}
