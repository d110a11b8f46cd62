/** An operator of a brand changes its colour and its hot games in the back office, and sees both on the site. */
import { expect } from '@playwright/test';
import { exclusively } from '../support/exclusive.ts';
import { test } from '../support/people.ts';
import { staffAtWork } from '../support/sign-in.ts';

test('a published colour and list of hot games are on the site', async ({ people }) => {
  test.slow();
  await exclusively('brand', async () => {
    const operator = await staffAtWork(people, 'fenxiao');
    const { page } = operator;
    await page.goto('/backstage/brands');
    await expect(page.getByRole('link', { name: '星河网游' }), 'another brand').toHaveCount(0);
    await page.getByRole('link', { name: '月光游戏' }).click();
    await expect(page.getByRole('heading', { name: '颜色与标识' })).toBeVisible();

    // A hue too close to the price colour is rejected next to its field, and the typed value stays.
    const hue = page.getByLabel('色相', { exact: true });
    const before = await hue.inputValue();
    await hue.fill('40');
    await expect(page.getByText('色相与价格色只差 7°').first()).toBeVisible();
    await page.getByLabel('改动的原因').fill('换成蓝色');
    await page.getByRole('button', { name: '发布', exact: true }).click();
    await expect(hue).toHaveValue('40');

    const next = before === '250' ? '300' : '250';
    await hue.fill(next);
    const games = page
      .getByRole('list')
      .filter({ has: page.getByRole('button', { name: /上移$/ }) })
      .first();
    const second = await games.getByRole('listitem').nth(1).innerText();
    const name = second.split('\n').at(-1)?.trim() ?? '';
    await page.getByRole('button', { name: `${name}上移` }).click();
    await expect(page.frameLocator('iframe[title="手机上的样子"]').locator('html')).toHaveAttribute(
      'style',
      new RegExp(`--brand-h:\\s*${next}`),
    );
    await page.getByRole('button', { name: '发布', exact: true }).click();
    await expect(page.getByText(/第 \d+ 版已发布/).first()).toBeVisible();
    const address = page.url();

    const visitor = await people.visitor('a visitor of the brand');
    const market = new URL(address);
    market.hostname = 'moon.localhost';
    market.pathname = '/';
    market.search = '';
    await visitor.page.goto(market.href);
    await expect(visitor.page.locator('html')).toHaveAttribute('style', new RegExp(`--brand-h:\\s*${next}`));
    // The tiles of the hot games are a row of links; the brand's first game is the first of them.
    await expect(visitor.page.locator('.games a').first()).toContainText(name);

    // An earlier version is brought back from its dialog: the page loads anew, without a question about the reason that was sent.
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    const versions = page.locator('#versions');
    await versions.getByRole('button', { name: '恢复', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('原因').pressSequentially('换回原来的颜色');
    const reloaded = page.waitForEvent('load');
    await dialog.getByRole('button', { name: '恢复', exact: true }).click();
    await reloaded;
    await expect(versions.getByText(/^恢复自第 \d+ 版$/).first()).toBeVisible();
    expect(questions).toEqual([]);
  });
});

test('staff of a brand open the pages of its own users; the others are names that say why', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'fenxiao');
  await page.goto('/backstage/orders');
  const links = page.locator('tbody a[href^="/backstage/orders/"]');
  await expect(links.first()).toBeVisible();
  const orders = new Set(await links.evaluateAll((found) => found.map((a) => a.getAttribute('href') ?? '')));
  const own = new Set<string>();
  let others = 0;
  for (const order of [...orders].slice(0, 8)) {
    await page.goto(order);
    // The market's buyer and seller, each a link or a name that says why it is none.
    const names = page.getByRole('main').locator('[title^="其他站点的用户"], a[href^="/backstage/users/"]');
    await expect(names.first()).toBeVisible();
    others += await page.getByRole('main').getByTitle('其他站点的用户，您只能看到名称').count();
    for (const href of await names.evaluateAll((found) => found.map((a) => a.getAttribute('href'))))
      if (href !== null) own.add(href);
  }
  expect(others, 'the demo brand sells listings of other sites').toBeGreaterThan(0);
  expect(own.size).toBeGreaterThan(0);
  for (const href of [...own].slice(0, 5))
    expect(await page.evaluate(async (path) => (await fetch(path)).status, href), href).toBe(200);
});
