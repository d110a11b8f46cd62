/** Rules of every form: a message disappears on edit, only in its own form, and typed text is not lost without a question. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { ownListings } from '../support/goods.ts';
import { actionButton, hydrated, test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';

test('two forms with the same message each take away their own', async ({ people }, info) => {
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');
  await signIn(seller, SELLER);
  await signIn(buyer, BUYER);
  const list = await ownListings(seller);
  // A listing takes three questions a day from one buyer: each screen has its own.
  const at = info.project.name === 'phone' ? -3 : -2;
  const goodsSn = list.filter(({ goodsTypeId }) => goodsTypeId === OrderType.Account).at(at)?.goodsSn ?? '';
  const texts = ['一', '二'].map((part) => `第${part}个问题：皮肤都在吗${Date.now() % 100_000}`);
  for (const content of texts) await callAs(buyer, '/api/goods/question/ask', { goodsSn, content });

  const { page } = seller;
  await page.goto('/center/questions');
  const row = (at: number) => page.getByRole('listitem').filter({ hasText: texts[at] ?? '' });
  const send = (at: number) => row(at).getByRole('button', { name: '回答', exact: true }).click();
  const message = (at: number) => row(at).getByText('请填写回答');
  await send(0);
  await expect(row(0).getByLabel('回答')).toBeFocused();
  await row(0).getByLabel('回答').press('a');
  await expect(message(0)).toHaveCount(0);
  await row(0).getByLabel('回答').press('Backspace');
  // The other form is rejected with the same text, which does not concern the first one.
  await send(1);
  await expect(message(1)).toBeVisible();
  await expect(message(0)).toHaveCount(0);
  // Its own next rejection shows it again.
  await send(0);
  await expect(message(0)).toBeVisible();
  await expect(message(1)).toBeVisible();
});

// The market's refusal is a message in the console as well, so the console is not watched here.
test('a message about a field that is not shown yet is at the one that shows it', async ({ page, context }) => {
  await signIn({ name: 'seller', page, context }, SELLER);
  await page.goto('/intermediary/intermediary');
  await page.getByLabel('交易内容').fill('王者荣耀 V8 账号，含典藏皮肤');
  await page.getByLabel('价格（元）').fill('480');
  await page.getByRole('button', { name: '发起并生成链接' }).click();
  await expect(page.getByText('请选择游戏和「账号」类型')).toBeVisible();
  await expect(page.getByRole('combobox', { name: /^游戏/ })).toBeFocused();
});

test('the message of a group of choices goes with the choice', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/wares?gt=1');
  await page.goto((await page.locator('a[href^="/detail/"]').first().getAttribute('href')) ?? '');
  await page.getByRole('button', { name: '举报这件商品' }).click();
  const dialog = page.getByRole('dialog', { name: /^举报/ });
  await dialog.getByRole('button', { name: '提交举报' }).click();
  const message = dialog.getByText('请选择举报原因');
  await expect(message).toBeVisible();
  await dialog.getByRole('radio').first().check();
  await expect(message).toHaveCount(0);
});

test('a reason that is missing is asked for beside its field', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'caiwu');
  await page.goto('/backstage/commission');
  await page.getByRole('button', { name: '登记打款' }).first().click();
  const dialog = page.getByRole('dialog', { name: '登记佣金已打款' });
  await dialog.getByRole('button', { name: '确认已打款' }).click();
  const receipt = dialog.getByLabel('银行回单号');
  await expect(dialog.getByText('请填写银行回单号')).toBeVisible();
  await expect(receipt).toBeFocused();
  await expect(receipt).toHaveAttribute('aria-invalid', 'true');
  await receipt.fill('20261127001');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('going back and a reload ask before typed text in a dialog is lost', async ({ people }) => {
  const seller = await people.visitor('seller');
  const buyer = await people.visitor('buyer');
  await signIn(seller, SELLER);
  await signIn(buyer, BUYER);
  const list = await ownListings(seller);
  const mine = await callAs<{ list: { goodsSn: string }[] }>(buyer, '/api/goods/bargainingList?belong=0&pageSize=50');
  const owned = new Set(mine.list.map(({ goodsSn }) => goodsSn));
  const goods = list.find((one) => one.bargainOpen && one.goodsTypeId === OrderType.Account && !owned.has(one.goodsSn));
  const { page } = buyer;
  await page.goto('/allgame');
  await page.goto(goods?.pageUrl ?? '');
  const here = page.url();
  await hydrated(page);
  const dialog = page.getByRole('dialog', { name: '议价' });
  const question = page.getByRole('dialog', { name: '不再填写？' });
  const isGuarded = () => page.evaluate(() => (history.state as { isOver?: boolean } | null)?.isOver === true);

  await actionButton(page, '议价').click();
  await dialog.getByLabel('留言').click();
  // With a mouse a dialog without text does not use the history. Chromium 109 has none once Playwright has set up its window.
  const hasMouse = await page.evaluate(() => matchMedia('(hover: hover)').matches);
  if (hasMouse) expect(await isGuarded()).toBe(false);
  await page.keyboard.type('今天就能付款');
  await expect.poll(isGuarded).toBe(true);
  for (let time = 0; time < 2; time++) {
    await page.goBack();
    await question.getByRole('button', { name: '继续填写' }).click();
    await expect(dialog.getByLabel('留言')).toHaveValue('今天就能付款');
    expect(page.url()).toBe(here);
    await expect.poll(isGuarded).toBe(true);
  }

  // The browser's own question; the reload is called off.
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload({ timeout: 2_000 }).catch(() => null);
  const unload = await asked;
  expect(unload.type()).toBe('beforeunload');
  await unload.dismiss();
  await reloaded;
  await expect(dialog.getByLabel('留言')).toHaveValue('今天就能付款');

  await page.goBack();
  await question.getByRole('button', { name: '放弃并关闭' }).click();
  await expect(dialog).toHaveCount(0);
  // Nothing is typed any more: leaving the page asks no question.
  await page.goBack();
  await page.waitForURL(/\/allgame/);
});

/** Opens the report of a listing and types into it, until going back is guarded. */
async function typeReport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: '举报这件商品' }).click();
  const dialog = page.getByRole('dialog', { name: /^举报/ });
  await dialog.getByLabel('补充说明').click();
  await page.keyboard.type('图片与描述不符');
  await expect.poll(() => isMarked(page)).toBe(true);
  return dialog;
}

const isMarked = (page: Page) => page.evaluate(() => (history.state as { isOver?: boolean } | null)?.isOver === true);

test('a dialog that was sent, or was open at a reload, costs no further click of Back', async ({ people }, info) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/wares?gt=1');
  // A listing is reported once: each screen has its own.
  const listings = page.locator('a[href^="/detail/"]');
  const goods = (await (info.project.name === 'phone' ? listings.last() : listings.first()).getAttribute('href')) ?? '';
  await page.goto(goods);

  const dialog = await typeReport(page);
  await dialog.getByRole('radio').first().check();
  await dialog.getByRole('button', { name: '提交举报' }).click();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.goBack();
  await page.waitForURL(/\/wares\?gt=1$/);

  await page.goto(goods);
  await typeReport(page);
  page.once('dialog', (question) => void question.accept());
  await page.reload();
  // The page goes back by itself to the entry below.
  await expect.poll(() => isMarked(page)).toBe(false);
  await typeReport(page);
  await page.goBack();
  await page.getByRole('dialog', { name: '不再填写？' }).getByRole('button', { name: '放弃并关闭' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await page.waitForURL(/\/wares\?gt=1$/);
});

test('text in a dialog inside another is the inner one’s', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'a phone’s dialogs close on going back from their opening on');
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/wares?gt=1');
  await page.goto((await page.locator('a[href^="/detail/"]').first().getAttribute('href')) ?? '');
  await page.getByRole('button', { name: '举报这件商品' }).click();
  const dialog = page.getByRole('dialog', { name: /^举报/ });
  const note = dialog.getByLabel('补充说明');
  await note.click();
  await note.evaluate((field) => {
    const add = window.addEventListener.bind(window) as (...args: unknown[]) => void;
    // A dialog that counts text as its own asks before the page is left.
    window.addEventListener = (kind: string, ...rest: unknown[]) => {
      if (kind === 'beforeunload') document.body.dataset.isGuarded = 'true';
      add(kind, ...rest);
    };
    const inner = document.createElement('dialog');
    inner.append(document.createElement('textarea'));
    field.closest('dialog')?.append(inner);
    inner.showModal();
  });
  const body = page.locator('body');
  await dialog.locator('dialog textarea').click();
  await page.keyboard.type('里层的文字');
  await expect(dialog.locator('dialog textarea')).toHaveValue('里层的文字');
  await expect(body).not.toHaveAttribute('data-is-guarded', 'true');
  await dialog.locator('dialog').evaluate((inner) => inner.remove());
  await note.click();
  await page.keyboard.type('外层');
  await expect(body).toHaveAttribute('data-is-guarded', 'true');
});
