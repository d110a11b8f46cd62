/** Input before the scripts have loaded is not lost. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { exclusively } from '../support/exclusive.ts';
import { actionButton, hydrated, type People, test } from '../support/people.ts';
import { signIn, staffAtWork } from '../support/sign-in.ts';

const ASSETS = 'build/client/assets';

/**
 * Holds the page's script files back until the returned function is called. The route stays: removing it while a file is being requested can leave
 * that file without a response.
 */
async function holdScripts(page: Page, files = /\/assets\/.*\.js$/): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    // A page that has been closed meanwhile needs no response.
    await route.continue().catch(() => undefined);
  });
  return resolve;
}

test('a click before hydration is carried out after it', async ({ people }) => {
  const shop = await people.visitor('shop');
  await signIn(shop, '13800000002');
  const { page } = shop;
  const letGo = await holdScripts(page);
  await page.goto('/center/myshop/shopmanage', { waitUntil: 'commit' });
  const button = page.getByRole('button', { name: '发布报价', exact: true });
  await button.click();
  await button.click();
  // The click is acknowledged immediately, and the sign ends once the action has run.
  const signs = async () =>
    await button.evaluate((element) => element.getAnimations().filter(({ id }) => id === 'early').length);
  expect(await signs()).toBeGreaterThan(0);
  letGo();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  expect(await signs()).toBe(0);
});

test('a click in a part that loads later is carried out after it has loaded', async ({ people }, { project }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, '13800000001');
  const { page } = buyer;
  // The files in which the build has put the button's script.
  const names = readdirSync(ASSETS).filter((name) => readFileSync(join(ASSETS, name), 'utf8').includes('订阅该搜索'));
  const letGo = await holdScripts(page, new RegExp(`/assets/(${names.join('|')})$`));
  // A separate search for each width, since a second subscription to the same one says so.
  await page.goto(`/wares?gt=1&gid=12&max=${project.name === 'phone' ? 77771 : 77772}`);
  await actionButton(page, '订阅该搜索').click();
  await expect(page.getByText('已订阅，去管理')).toHaveCount(0);
  letGo();
  await expect(actionButton(page, '已订阅，去管理')).toBeVisible();
});

test('input before hydration is kept and sent with the form', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  const letGo = await holdScripts(page);
  await page.goto('/black', { waitUntil: 'commit' });
  const field = page.getByRole('main').getByLabel(/QQ、微信、手机号/);
  await field.fill('没有人用的账号 1024');
  await field.press('Enter');
  letGo();
  await expect(page.getByRole('main').getByRole('status').first()).toContainText(/查|记录/);
  await expect(field).toHaveValue('没有人用的账号 1024');
});

test('a word typed before hydration into a part that is hydrated after the page is kept', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  // The bar of the search is such a part on a computer's screen.
  await page.setViewportSize({ width: 1440, height: 900 });
  const letGo = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const field = page.getByRole('banner').locator('input[name="keyWord"]');
  await field.fill('王者');
  letGo();
  await hydrated(page);
  const bar = page.getByRole('combobox', { name: '关键词或商品编号' });
  await expect(bar).toHaveValue('王者');
  await bar.press('Enter');
  await expect(page).toHaveURL(/keyWord=/);
  await expect(page.locator('a[href^="/detail/"]').first()).toBeVisible();
});

/** Opens the form of a brand with its scripts held back. Returns the page, what releases the scripts, and the select of popular games. */
async function openBrandWithoutScripts(people: People) {
  const { page } = await staffAtWork(people, 'fenxiao');
  await page.goto('/backstage/brands');
  const brand = await page.getByRole('link', { name: '月光游戏' }).getAttribute('href');
  const letGo = await holdScripts(page);
  await page.goto(brand ?? '', { waitUntil: 'commit' });
  const select = page.getByRole('combobox', { name: '热门游戏' });
  // The document may still be arriving, and `allInnerTexts` does not wait.
  await expect(select.getByRole('option').nth(2)).toBeAttached();
  return { page, letGo, select };
}

/** Discards the brand draft stored on the server, so that the next test starts with the same list. */
async function discardDraft(page: Page): Promise<void> {
  await expect(page.getByText('自动保存为您的草稿')).toBeAttached();
  await page.getByRole('button', { name: '放弃改动' }).click();
  await expect(page.getByText('与线上相同').first()).toBeVisible();
}

test('two games added before hydration are both in the list, in order', async ({ people }) => {
  await exclusively('brand', async () => {
    const { page, letGo, select } = await openBrandWithoutScripts(people);
    const names = (await select.getByRole('option').allInnerTexts()).slice(1, 3);
    for (const label of names) await select.selectOption({ label });
    letGo();
    const chosen = page
      .getByRole('list')
      .filter({ has: page.getByRole('button', { name: /上移$/ }) })
      .first()
      .getByRole('listitem');
    for (const [index, name] of names.entries()) await expect(chosen.nth(index - names.length)).toContainText(name);
    await discardDraft(page);
  });
});

test('a select that hydration resets between its two events keeps its value', async ({ people }) => {
  await exclusively('brand', async () => {
    const { page, letGo, select } = await openBrandWithoutScripts(people);
    const [, name = ''] = await select.getByRole('option').allInnerTexts();
    await select.evaluate((element: HTMLSelectElement) => {
      element.selectedIndex = 1;
      element.dispatchEvent(new Event('input', { bubbles: true }));
      element.selectedIndex = 0;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(
      await page.evaluate(() => [window.early?.done, ...(window.early?.fields.values() ?? [])].flat().length),
    ).toBe(2);
    letGo();
    await expect(page.getByRole('button', { name: `${name}上移` })).toBeVisible();
    await discardDraft(page);
  });
});

test('a password submitted before hydration does not appear in the URL', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  const letGo = await holdScripts(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill('13800000001');
  await page.getByLabel('手机号').press('Enter');
  expect(new URL(page.url()).search).toBe('');
  letGo();
  await expect(page.getByLabel('手机号')).toHaveValue('13800000001');
  await expect(page.getByText('请输入密码')).toBeVisible();
});

test('a click between the end of the hydration and the replay is carried out once', async ({ people }) => {
  const { page } = await staffAtWork(people, 'admin');
  // React has taken the page over and delivers a click by itself, but the replay has not begun: it begins by setting `done`.
  await page.addInitScript(() => {
    let queue: Window['early'];
    const clickBefore = (): void => {
      delete queue?.done;
      document.querySelector<HTMLElement>('button[aria-label="收起导航"]')?.click();
    };
    Object.defineProperty(window, 'early', {
      get: () => queue,
      set(value: Window['early']) {
        queue = value;
        Object.defineProperty(value, 'done', {
          configurable: true,
          get: () => undefined,
          set(done: true) {
            clickBefore();
            if (queue) queue.done = done;
          },
        });
      },
    });
  });
  await page.goto('/backstage/users');
  const rail = page.getByRole('navigation', { name: '后台导航' });
  await expect(rail.getByRole('button', { name: '展开导航' })).toBeVisible();
  // A replayed click is taken from the queue in a task after `done`, and clicked in the third task after that at the latest.
  await expect.poll(() => page.evaluate(() => window.early?.acts.size)).toBe(0);
  await page.evaluate(async () => {
    for (let task = 0; task < 5; task += 1) await new Promise((resolve) => setTimeout(resolve));
  });
  await expect(rail.getByRole('button', { name: '展开导航' })).toBeVisible();
});
