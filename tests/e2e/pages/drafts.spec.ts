/** Text typed into a longer form is still there after leaving the page, in this tab and for this user only. */
import { expect, type Page } from '@playwright/test';
import { type Person, test } from '../support/people.ts';
import { data, register, signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
const BOOSTING = 60;

/** Every value that this tab has stored. */
const stored = (page: Page) => page.evaluate(() => Object.entries(sessionStorage).flat().join('\n'));

/** Fills a field; the script that keeps drafts comes after hydration, so it is filled again until the draft has the text. */
async function typeKept(page: Page, name: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name });
  await expect
    .poll(async () => {
      await field.fill('');
      await field.fill(text);
      return await stored(page);
    })
    .toContain(text);
}

async function open({ page }: Person, address: string): Promise<void> {
  await page.goto(address);
}

test('a want is found again, with the game that was chosen', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await open(buyer, '/center/buyBlackList?new=1');
  await page.getByLabel('游戏', { exact: true }).selectOption({ label: '和平精英' });
  await page.waitForURL(/gid=/);
  await page.getByLabel('一句话说明').fill('求无双套装，价格可以谈');
  await page.getByLabel('预算（元）').fill('1234');
  await page.getByLabel('有符合的新商品或降价时提醒我').uncheck();
  await page.goto('/allgame');
  await open(buyer, '/center/buyBlackList?new=1');
  await expect(page.getByLabel('一句话说明')).toHaveValue('求无双套装，价格可以谈');
  await expect(page.getByLabel('预算（元）')).toHaveValue('1234');
  await expect(page.getByLabel('有符合的新商品或降价时提醒我')).not.toBeChecked();
  await expect(page.getByLabel('游戏', { exact: true }).locator('option:checked')).toHaveText('和平精英');
  // Another user of this tab finds nothing.
  await signIn(buyer, SELLER);
  await open(buyer, '/center/buyBlackList?new=1');
  await expect(page.getByLabel('一句话说明')).toHaveValue('');
  await expect(page.getByLabel('有符合的新商品或降价时提醒我')).toBeChecked();
});

test('an address for events is found again with its choices', async ({ people }) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const { page } = seller;
  const openForm = async () => {
    await open(seller, '/center/openApi?tab=webhooks');
    await page.getByRole('button', { name: '新增地址' }).click();
  };
  await openForm();
  await page.getByRole('dialog').getByRole('checkbox').first().uncheck();
  await typeKept(page, '推送地址', 'https://events.example/youshi');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/allgame');
  await openForm();
  await expect(page.getByRole('textbox', { name: '推送地址' })).toHaveValue('https://events.example/youshi');
  await expect(page.getByRole('dialog').getByRole('checkbox').first()).not.toBeChecked();
  await expect(page.getByRole('dialog').getByRole('checkbox').nth(1)).toBeChecked();
});

test('a note of a service order is found again', async ({ people }, { project }) => {
  const buyer = await people.visitor('buyer');
  // Unpaid orders of the shared buyer, which other journeys leave for a while, would close the form.
  await register(buyer, project.name === 'phone' ? '13955550393' : '13955550394');
  const path = `/api/goods/getGoodsList?goodsTypeId=${BOOSTING}&pageSize=1`;
  const { list } = await data<{ list: { goodsSn: string }[] }>(buyer.context.request, path);
  const { page } = buyer;
  const address = `/wares/${list[0]?.goodsSn}/order`;
  await open(buyer, address);
  await typeKept(page, '补充说明', '常用英雄是李白');
  await page.goto('/allgame');
  await open(buyer, address);
  await expect(page.getByLabel('补充说明')).toHaveValue('常用英雄是李白');
});

test('numbers of a person are kept in memory and never stored', async ({ people }, { project }) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const { page } = seller;
  await open(seller, '/center/myself/changeAliAccount');
  await typeKept(page, '收款人姓名', '陈小雨');
  await page.getByLabel('支付宝账号').fill('13811112222');
  // Without a new document: by a link of the page, and back.
  const away = page.getByRole('link', { name: project.name === 'phone' ? '消息' : '全部功能' });
  await away.locator('visible=true').first().click();
  await page.waitForURL((url) => url.pathname !== '/center/myself/changeAliAccount');
  await page.goBack();
  await expect(page.getByLabel('收款人姓名')).toHaveValue('陈小雨');
  await expect(page.getByLabel('支付宝账号')).toHaveValue('13811112222');
  expect(await stored(page)).not.toContain('13811112222');
});
