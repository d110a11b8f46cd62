/** The back office keeps what was typed, and a panel that fails leaves the others as they are. */
import { expect, type Route } from '@playwright/test';
import { failing } from '../support/failing.ts';
import { BACK_OFFICE, MARKET, test } from '../support/people.ts';
import { staffAtWork } from '../support/sign-in.ts';

test('leaving an article that was not saved asks first; a click outside a dialog keeps the text', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'neirong');
  await page.goto('/backstage/news?id=new');
  const title = page.getByLabel('标题');
  await title.fill('系统维护通知');
  const rail = page.getByRole('navigation', { name: '后台导航' });
  await rail.getByRole('link', { name: '案例' }).click();
  const question = page.getByRole('dialog', { name: '离开这一页？' });
  await question.getByRole('button', { name: '留在本页' }).click();
  await expect(title).toHaveValue('系统维护通知');
  await rail.getByRole('link', { name: '案例' }).click();
  await question.getByRole('button', { name: '放弃并离开' }).click();
  await expect(page).toHaveURL(/backstage\/cases/);

  await page.goto('/backstage/adverts');
  await page.getByRole('button', { name: '新建广告' }).click();
  const dialog = page.getByRole('dialog', { name: '新建广告' });
  await page.mouse.click(4, 4);
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: '新建广告' }).click();
  await dialog.getByLabel('标题', { exact: true }).fill('周年活动');
  await page.mouse.click(4, 4);
  await expect(dialog.getByLabel('标题', { exact: true })).toHaveValue('周年活动');

  // Every other way out asks, and staying leaves the text as it was.
  const giveUp = page.getByRole('dialog', { name: '不再填写？' });
  for (const out of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: '关闭' }).click(),
    () => dialog.getByRole('button', { name: '返回' }).click(),
  ]) {
    await out();
    await giveUp.getByRole('button', { name: '继续填写' }).click();
    await expect(giveUp).toHaveCount(0);
    await expect(dialog.getByLabel('标题', { exact: true })).toHaveValue('周年活动');
  }
  // The third Escape in a row closes the dialog whatever the page does: it is shown again, below the question. Nothing is asked of the page
  // in between, which would count as an action of the user.
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await giveUp.getByRole('button', { name: '继续填写' }).click();
  await expect(giveUp).toHaveCount(0);

  await page.keyboard.press('Escape');
  await giveUp.getByRole('button', { name: '放弃并关闭' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // A reverted input causes no leave warning.
  await page.getByRole('button', { name: '新建广告' }).click();
  await dialog.getByLabel('标题', { exact: true }).fill('周年活动');
  await dialog.getByLabel('标题', { exact: true }).fill('');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the open form of a setting asks before it is given up, and its history leaves it as it is', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'admin');
  await page.goto('/backstage/settings');
  const card = page.getByRole('region', { name: '交易费率' });
  await card.getByRole('button', { name: '修改' }).click();
  const reason = card.getByLabel('原因');
  await reason.fill('周年活动');
  const question = page.getByRole('dialog', { name: '不再填写？' });
  await card.getByRole('button', { name: '取消' }).click();
  await question.getByRole('button', { name: '继续填写' }).click();
  await expect(reason).toHaveValue('周年活动');
  await card.getByRole('button', { name: '历史' }).click();
  await page.getByRole('dialog', { name: '交易费率的历史' }).getByRole('button', { name: '关闭' }).click();
  await expect(reason).toHaveValue('周年活动');
  await card.getByRole('button', { name: '取消' }).click();
  await question.getByRole('button', { name: '放弃并关闭' }).click();
  await expect(reason).toHaveCount(0);
  // Nothing was entered: nothing is asked.
  await card.getByRole('button', { name: '修改' }).click();
  await card.getByRole('button', { name: '取消' }).click();
  await expect(reason).toHaveCount(0);
  await expect(question).toHaveCount(0);
});

test('an act of an order names all that it lacks at once', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'kefu1');
  await page.goto('/backstage/orders?mine=1&status=1');
  const orders = await page.locator('a.list-sn').evaluateAll((links) => links.map((a) => a.getAttribute('href') ?? ''));
  const step = page.getByRole('button', { name: '代卖家完成' }).first();
  for (const order of orders) {
    await page.goto(order);
    if ((await step.count()) > 0) break;
  }
  await step.click();
  const dialog = page.getByRole('dialog', { name: /^代卖家完成/ });
  await dialog.getByRole('button', { name: '确认完成' }).click();
  await expect(dialog.getByText('请填写代为完成的原因')).toBeVisible();
  await expect(dialog.getByText('请先上传凭证截图')).toBeVisible();
  await expect(dialog.getByLabel('代为完成的原因')).toHaveAttribute('aria-invalid', 'true');
});

test('a message goes when its field is edited, and the next refusal shows it again', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'admin');
  await page.goto('/backstage/texts');
  await page.getByRole('region', { name: '通知' }).getByRole('link').first().click();
  const reason = page.getByRole('region', { name: '文案', exact: true }).getByLabel('修改原因');
  const save = page.getByRole('button', { name: '保存', exact: true });
  const message = page.getByText('请写明修改的原因');
  await save.click();
  await expect(message).toBeVisible();
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  // The first key is kept, although the message goes with it.
  await reason.press('x');
  await expect(message).toHaveCount(0);
  await expect(reason).toHaveValue('x');
  await expect(reason).not.toHaveAttribute('aria-invalid');
  await save.click();
  await expect(message).toBeVisible();
  await expect(reason).toHaveValue('x');
});

test('a panel of the first page that cannot be read says so, and is read again on its own', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page } = await staffAtWork(people, 'admin');
  await page.goto('/backstage');
  const refused = (route: Route) =>
    route.fulfill({ json: { code: 5000, msg: '系统开小差了，请稍后再试', data: null } });
  const restoreFunnel = await failing(page, '**/api/backstage/board/funnel*', refused);
  await page.getByLabel('时间').selectOption('30');
  const retry = page.getByRole('button', { name: '重试' });
  await expect(retry).toHaveCount(1);
  const funnel = page.getByRole('region').filter({ has: retry });
  await expect(funnel).toContainText('下面还是上一个筛选的数据：系统开小差了');
  await expect(page.getByRole('region', { name: '付款' })).toHaveAttribute('aria-busy', 'false');
  restoreFunnel();
  await retry.click();
  await expect(retry).toHaveCount(0);

  // The table below the days has the same filter and a separate call.
  const restoreParts = await failing(page, '**/api/backstage/board/parts*', refused);
  await page.getByRole('button', { name: '按类型' }).click();
  await expect(page.getByRole('region', { name: '付款' })).toContainText('下面还是上一个筛选的数据');
  await expect(page.getByRole('link', { name: '查看订单' })).toHaveCount(0);
  restoreParts();
  await retry.click();
  await expect(retry).toHaveCount(0);
});

test('no page breaks its own policy, and an address without a page keeps the frame of the back office', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'staff have the same window in both projects');
  const { page, context } = await staffAtWork(people, 'admin');
  await context.addInitScript(() => {
    const found: string[] = [];
    Object.assign(window, { violations: found });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
      found.push(`${violatedDirective} ${sourceFile}`),
    );
  });
  for (const path of ['/backstage', '/backstage/orders', '/backstage/games/1', '/backstage/chat']) {
    await page.goto(path);
    expect(await page.evaluate(() => Reflect.get(window, 'violations') as string[]), path).toEqual([]);
  }
  // By a separate call: the console of a page counts a 404 as a defect.
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const lost = await context.request.get(`${MARKET}/backstage/nowhere`, {
    headers: { cookie, host: new URL(BACK_OFFICE).host },
  });
  expect(lost.status()).toBe(404);
  expect(await lost.text()).toContain('后台导航');
});
