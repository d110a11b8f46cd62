/**
 * A merchant runs a shop by own tools: a table with two bad rows is mended and published, a key and an address for events are made, and
 * a listing that was sold elsewhere leaves the market immediately.
 */
import { expect, type Locator } from '@playwright/test';
import { isGenuineEvent, Youshi } from '../../../packages/client/src/index.ts';
import { openReceiver } from '../../support/servers/receiver.ts';
import { callAs } from '../support/calls.ts';
import { expectNoOverflow } from '../support/overflow.ts';
import { hydrated, MARKET, PAY_PASSWORD, type Person, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const MERCHANT = '13800000006';
const ABOUT = { kind: 'publish', gameId: '1', goodsTypeId: '2' } as const;
const STAMP = String(Date.now()).slice(-8);

/** Four rows by the market's own template; the second asks for no number, the third is in a place that the game does not have. */
async function table(merchant: Person): Promise<{ file: Buffer; place: string }> {
  const query = new URLSearchParams(ABOUT).toString();
  const { text } = await callAs<{ text: string }>(merchant, `/api/goods/import/template?${query}`);
  const [head = '', example = ''] = text.replace('\ufeff', '').trim().split('\r\n');
  const names = head.split(',');
  const at = (name: string): number => names.indexOf(name);
  const cells = example.split(',');
  const region = cells[at('区服')] ?? '';
  const rows = [1, 2, 3, 4].map((n) => {
    const row = [...cells];
    row[at('商家编号')] = `M-${STAMP}-${n}`;
    row[at('标题')] = `地下城金币 现货 ${STAMP} 第${n}批`;
    row[at('价格')] = n === 2 ? '面议' : `${30 + n}.50`;
    if (n === 3) row[at('区服')] = '没有的大区';
    return row.join(',');
  });
  return { file: Buffer.from(`\ufeff${[head, ...rows].join('\r\n')}\r\n`), place: region };
}

/** Proves to be the owner where the page asks for it. */
async function proves(merchant: Person, until: Locator): Promise<void> {
  const password = merchant.page.getByRole('dialog').getByRole('textbox', { name: '支付密码' });
  await expect(password.or(until)).toBeVisible();
  if (await until.isVisible()) return;
  await password.fill(PAY_PASSWORD);
  await password.press('Enter');
}

/** Reads a secret that is shown once, and confirms that it was saved. */
async function keeps(merchant: Person, rows: number): Promise<string[]> {
  const dialog = merchant.page.getByRole('dialog', { name: '请保存签名密码' });
  await proves(merchant, dialog);
  await expect(dialog.locator('code')).toHaveCount(rows);
  await dialog.getByRole('button', { name: '关闭' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('请先保存密码，再勾选“我已妥善保存”');
  const texts = await dialog.locator('code').allInnerTexts();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(dialog).toBeHidden();
  return texts;
}

test('a merchant imports a table, creates a key and a webhook, and reports a listing sold elsewhere', async ({
  people,
}) => {
  const merchant = await people.visitor('merchant');
  const { page } = merchant;
  await signIn(merchant, MERCHANT);
  const { file, place } = await table(merchant);

  await page.goto('/center/goodsGrid');
  const price = page.getByRole('textbox', { name: / 价格$/ }).first();
  await hydrated(page);
  const before = await price.inputValue();
  await price.fill('123.45');
  await page.reload();
  await expect(price).toHaveValue('123.45');
  await expect(page.getByText('已修改 1 件，还没有保存')).toBeVisible();
  await hydrated(page);
  await page.getByRole('button', { name: '全部还原' }).click();
  await expect(price).toHaveValue(before);
  await page.getByRole('region', { name: '批量编辑' }).getByRole('link', { name: '表格导入' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '表格导入' })).toBeVisible();
  await hydrated(page);
  await expectNoOverflow(merchant, 'the first page of the import');
  const main = page.getByRole('main');
  await main.getByLabel('游戏', { exact: true }).selectOption(ABOUT.gameId);
  await main.getByLabel('商品类型', { exact: true }).selectOption(ABOUT.goodsTypeId);
  await page.getByLabel('表格文件').setInputFiles({ name: '金币.csv', mimeType: 'text/csv', buffer: file });
  await expect(page.getByRole('heading', { level: 1, name: '对应表格的列' })).toBeVisible();
  await expectNoOverflow(merchant, 'the columns');
  await page.getByRole('button', { name: '检查每一行' }).click();

  const second = page.getByRole('form', { name: '第 2 行' });
  await expect(second).toContainText('面议');
  await expectNoOverflow(merchant, 'the rows');
  await second.getByLabel('价格', { exact: true }).fill('32.50');
  await second.getByRole('button', { name: '保存并检查' }).click();
  await expect(second).toBeHidden();
  const third = page.getByRole('form', { name: '第 3 行' });
  await expect(third.getByRole('alert')).toHaveText('该游戏没有这个区服');
  await third.getByLabel('区服', { exact: true }).selectOption(place);
  await third.getByRole('button', { name: '保存并检查' }).click();
  await expect(third).toBeHidden();
  await page.getByRole('button', { name: '发布 4 件' }).click();
  await expect(page.getByText('全部处理好了')).toBeVisible();
  const { list } = await callAs<{ list: { bigTitle: string; price: string }[] }>(
    merchant,
    `/api/goods/selfPublishGoodsList?keyWord=${STAMP}`,
  );
  expect(list.map(({ price }) => price).toSorted()).toEqual(['31.50', '32.50', '33.50', '34.50']);

  const receiver = await openReceiver();
  try {
    await page.goto('/center/openApi');
    await page.getByRole('button', { name: '新建密钥' }).first().click();
    const form = page.getByRole('dialog', { name: '新建密钥' });
    await form.getByLabel('名称', { exact: true }).fill('库存同步');
    for (const box of await form.getByRole('checkbox').all()) await box.check();
    await form.getByRole('button', { name: '生成密钥' }).click();
    const [key = '', secret = ''] = await keeps(merchant, 2);
    await page.goto('/center/openApi?tab=webhooks');
    await page.getByRole('button', { name: '新增地址' }).first().click();
    const address = page.getByRole('dialog', { name: '新增推送地址' });
    await address.getByLabel('推送地址', { exact: true }).fill('example.com/youshi');
    await address.getByRole('button', { name: '保存' }).click();
    await expect(address.getByRole('alert')).toHaveText('请填写以 https:// 开头的完整网址');
    await address.getByLabel('推送地址', { exact: true }).fill(receiver.url);
    await address.getByRole('button', { name: '保存' }).click();
    const [eventSecret = ''] = await keeps(merchant, 1);
    await expectNoOverflow(merchant, 'the addresses for events');
    const own = page.getByRole('listitem').filter({ hasText: receiver.url });
    await own.getByRole('button', { name: '发送测试' }).click();
    // The result appears automatically.
    const sent = page.getByRole('listitem').filter({ hasText: '测试事件' });
    await expect(sent.getByText('已送达', { exact: true })).toBeVisible();

    const market = new Youshi({ origin: MARKET, key, secret });
    const onSale = (await market.calls.goodsList({ status: 2, pageSize: 1 })).list[0];
    if (!onSale) throw new Error('the merchant has nothing on sale');
    const visitor = await people.visitor('visitor');
    await visitor.page.goto(onSale.pageUrl);
    await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await market.calls.soldElsewhere({ goodsSn: onSale.goodsSn })).toMatchObject({ status: 3 });
    await page.goto(`/center/sellOutGoods?status=3&keyWord=${onSale.goodsSn}`);
    await expect(page.getByText(onSale.goodsSn).locator('visible=true').first()).toBeVisible();
    await visitor.page.goto(`/wares?keyWord=${onSale.goodsSn}`);
    await expect(visitor.page.locator(`a[href^="${onSale.pageUrl}"]`)).toHaveCount(0);
    await expect.poll(() => receiver.received.filter(({ body }) => body.includes(onSale.goodsSn)).length).toBe(1);
    const event = receiver.received.find(({ body }) => body.includes(onSale.goodsSn));
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({ type: 'goods.off' });
    expect(await isGenuineEvent(event?.headers ?? {}, event?.body ?? '', eventSecret)).toBe(true);
  } finally {
    await receiver.close();
  }
  await page.goto('/center/statistics');
  await expect(page.getByRole('heading', { level: 2, name: '在售商品' })).toBeVisible();
  await expectNoOverflow(merchant, 'the figures');
});
