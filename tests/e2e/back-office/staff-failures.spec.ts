/** Failures in the back office: every message is in Chinese and true, failed actions can be retried, and messages disappear on edit. */
import { expect, type Page } from '@playwright/test';
import { failing } from '../support/failing.ts';
import { test } from '../support/people.ts';
import { staffAtWork } from '../support/sign-in.ts';

const FAILED = { code: 5000, msg: '系统开小差了，请稍后再试', data: null };

/** Makes calls to these addresses fail, with or without a response; the returned function ends it. */
async function failingBy(page: Page, calls: string, by: 'answer' | 'network'): Promise<() => void> {
  return await failing(page, calls, (route) =>
    by === 'answer' ? route.fulfill({ json: FAILED }) : route.abort('failed'),
  );
}

test('a page that cannot be read is named in Chinese, and is read again', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'caiwu');
  await page.goto('/backstage');
  // With a separate status, as a proxy or a broken server gives it; the console would count it as a defect.
  const restore = await failing(page, /\/backstage\/holds\.data/, (route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: 'error' }),
  );
  page.removeAllListeners('console');
  await page
    .getByRole('navigation', { name: '后台导航' })
    .getByRole('link', { name: /^冻结款/ })
    .click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('heading')).toHaveText('系统开小差了，请稍后再试');
  await expect(dialog).not.toContainText(/[A-Za-z]{3}/);
  restore();
  await dialog.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '冻结款' })).toBeVisible();
});

test('a drawer and a history that cannot be read say so as a read does, and are read again', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'a narrow screen opens the page of a record');
  const { page } = await staffAtWork(people, 'admin');
  page.removeAllListeners('console');
  await page.goto('/backstage/users?all=1');
  for (const [by, message] of [
    ['network', '网络超时，没有读到内容'],
    ['answer', FAILED.msg],
  ] as const) {
    const restore = await failingBy(page, '**/api/backstage/user/person*', by);
    const drawer = page.getByRole('complementary', { name: '用户详情' });
    // With a drawer open the row shows fewer columns.
    const row = page.locator('tr[data-row]').nth(by === 'network' ? 0 : 1);
    const number = /U\d+/.exec(await row.innerText())?.[0] ?? 'no number';
    if (by === 'network') await row.locator('td').nth(1).click();
    else await page.keyboard.press('j');
    // The record before may still be reading its parts, and they fail too.
    await expect(drawer).toContainText(number);
    // Each section of the drawer that loads its own data shows a message.
    await expect(drawer.getByRole('alert').first()).toContainText(message);
    restore();
    await drawer.getByRole('button', { name: '重试' }).first().click();
    await expect(drawer.getByText(message)).toHaveCount(0);
  }

  await page.goto('/backstage/settings');
  const restore = await failingBy(page, '**/api/backstage/setting/history*', 'network');
  await page.getByRole('region', { name: '交易费率' }).getByRole('button', { name: '历史' }).click();
  const history = page.getByRole('dialog', { name: '交易费率的历史' });
  await expect(history).toContainText('网络超时，没有读到内容');
  restore();
  await history.getByRole('button', { name: '重试' }).click();
  await expect(history).toContainText('第 1 版');
});

test('a message about a group of choices goes with the choice, and the next refusal shows it again', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'admin');
  await page.goto('/backstage/reasons');
  await page.getByRole('button', { name: '新建原因' }).click();
  const dialog = page.getByRole('dialog', { name: '新建原因' });
  const states = dialog.getByRole('group', { name: '订单状态' });
  // The form may begin with some of them.
  const choices = await states.getByRole('checkbox').all();
  for (const choice of choices) await choice.uncheck();
  const save = dialog.getByRole('button', { name: '保存', exact: true });
  const message = states.getByText('至少选择一种订单状态');
  await save.click();
  await expect(message).toBeVisible();
  await choices[0]?.check();
  await expect(message).toHaveCount(0);
  await choices[0]?.uncheck();
  await save.click();
  await expect(message).toBeVisible();
});

test('on a phone a figure of a table says what it is', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'once is enough: staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['commission/days', 'campaigns', 'inspections', 'news', 'cases', 'adverts', 'business', 'trust']) {
    await page.goto(`/backstage/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Numbers, amounts and times; the first cell names the row.
    const bare = await page
      .locator('.admin-cards tbody td:not(:first-child):not([data-label])')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell as HTMLElement).innerText.trim()).filter((text) => /^[¥\d][¥\d.,:\-/ ]*$/.test(text)),
      );
    // The number of an official contact is what its row is about.
    expect(path === 'trust' ? bare.filter((text) => text.includes(':')) : bare, path).toEqual([]);
  }
});

test('an advert names all that it lacks at once, and keeps what was typed', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'neirong');
  await page.goto('/backstage/adverts');
  await page.getByRole('button', { name: '新建广告' }).click();
  const dialog = page.getByRole('dialog', { name: '新建广告' });
  await dialog.getByLabel('位置').selectOption({ label: '首页横幅' });
  await dialog.getByLabel('短标题').fill('周年');
  await dialog.getByRole('button', { name: '提交复核' }).click();
  for (const text of ['标题至少 2 个字', '链接不能为空', '首页横幅要有图片']) await expect(dialog).toContainText(text);
  await expect(dialog.getByLabel('标题', { exact: true })).toBeFocused();
  await expect(dialog.getByLabel('短标题')).toHaveValue('周年');
});
