/** Boosting: an open order is paid ahead and claimed, a stage is confirmed, and the rest is cancelled by agreement. */
import { expect } from '@playwright/test';
import { failing } from '../support/failing.ts';
import { openOrder, picture } from '../support/order-steps.ts';
import { hydrated, PAY_PASSWORD, type Person, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';
const BOOSTER = '13800000006';

/** Fills the form of an open order in two stages, and pays it into escrow. */
async function post({ page }: Person, stars: string, goal: string): Promise<void> {
  await page.goto('/center/boosting/requests');
  await page.getByRole('button', { name: '发单', exact: true }).click();
  await page.getByRole('button', { name: '托管并发单' }).click();
  await expect(page.getByText('请选择目标段位')).toBeVisible();
  await page.getByLabel('游戏', { exact: true }).selectOption('王者荣耀');
  await page.getByLabel('现在的段位').selectOption('永恒钻石');
  await page.getByLabel('目标段位').selectOption('最强王者');
  await page.getByLabel('目标几星').fill(stars);
  await page.getByLabel('区服', { exact: true }).selectOption('安卓微信');
  await page.getByLabel('方式', { exact: true }).selectOption('together');
  await page.getByLabel('出价（元）').fill('80');
  await page.getByLabel('效率保证金（元）').fill('10');
  await expect(page.getByText(/^应付/)).toContainText('80.80');
  await page.getByRole('button', { name: '托管并发单' }).click();
  const dialog = page.getByRole('dialog', { name: '输入支付密码' });
  const field = dialog.getByLabel('支付密码', { exact: true });
  const row = page.getByRole('list', { name: '代练发单' }).getByRole('listitem').filter({ hasText: goal });
  await expect(field.or(row)).toBeVisible();
  if (await field.isVisible()) {
    await field.fill(PAY_PASSWORD);
    await dialog.getByRole('button', { name: '确认' }).click();
  }
  await expect(row).toContainText('已托管');
}

test('a stage is paid, and the rest is cancelled by agreement', async ({ people }, info) => {
  const buyer = await people.visitor('buyer');
  const booster = await people.visitor('booster');
  await signIn(buyer, BUYER);
  await signIn(booster, BOOSTER);
  const stars = `${info.project.name === 'desktop' ? 5 : 6}星`;
  const goal = `最强王者 ${stars}`;
  await post(buyer, stars, goal);

  await booster.page.goto('/center/boosting/board');
  const open = booster.page.getByRole('list', { name: '可接的单' }).getByRole('listitem').filter({ hasText: goal });
  await open.getByRole('button', { name: '接单' }).click();
  const take = booster.page.getByRole('dialog', { name: '接单' });
  await expect(take).toContainText('王者荣耀');
  await expect(take).toContainText('效率保证金 10.00 元');
  await expect(take).toContainText('到手');
  await take.getByRole('button', { name: '确认接单' }).click();
  await booster.page.waitForURL(/\/center\/buyOrderDetail\?orderSn=/);
  const orderSn = new URL(booster.page.url()).searchParams.get('orderSn') ?? '';

  // Both play, so the promised time runs from the moment at which both have arrived.
  const work = booster.page.getByRole('region', { name: '服务进度' });
  await work.getByRole('button', { name: '我到了' }).click();
  await expect(work.getByRole('button', { name: '我到了' })).toBeHidden();
  await openOrder(buyer, orderSn);
  const mine = buyer.page.getByRole('region', { name: '服务进度' });
  await mine.getByRole('button', { name: '我到了' }).click();
  await expect(mine.getByRole('button', { name: '我到了' })).toBeHidden();

  await openOrder(booster, orderSn);
  await work.getByRole('button', { name: '提交进度' }).click();
  const proof = booster.page.getByRole('dialog', { name: /^第 1 段/ });
  await proof.getByRole('button', { name: '提交', exact: true }).click();
  await expect(proof.getByText('请上传进度截图')).toBeVisible();
  await proof.getByLabel(/上传截图/).setInputFiles(await picture(booster, 'stage.png'));
  await expect(proof.getByAltText('凭证 1')).toBeVisible();
  await expect(proof.getByText('请上传进度截图')).toBeHidden();
  await proof.getByRole('button', { name: '提交', exact: true }).click();
  await expect(work.getByText('等待买家确认第 1 段')).toBeVisible();
  await expect(work.getByRole('img', { name: /^进度：现在 50%/ })).toBeVisible();

  await openOrder(buyer, orderSn);
  await mine.getByRole('button', { name: /^确认第 1 段，付 40\.00 元/ }).click();
  const stage = buyer.page.getByRole('dialog', { name: '确认第 1 段' });
  await expect(stage).toContainText('付后不可追回');
  await stage.getByRole('button', { name: '确认并付 40.00 元' }).click();
  await expect(mine.getByText('已确认', { exact: true })).toBeVisible();

  // Half of the work is done: both see the same split before anybody agrees.
  await mine.getByRole('button', { name: '协商取消' }).click();
  const cancel = buyer.page.getByRole('dialog', { name: '协商取消' });
  await expect(cancel).toContainText(/退回您\s*¥\s*40/);
  await expect(cancel).toContainText('10.00 元退回打手');
  // The buyer reads what he pays for the finished half, not what the commission leaves of it; a kept fen is not a separate line.
  await expect(cancel).toContainText(/付给打手\s*¥\s*40/);
  await expect(cancel).toContainText('其中已付 40.00 元');
  await expect(cancel).not.toContainText('0.01');
  await cancel.getByRole('button', { name: '按此方案申请' }).click();
  await expect(cancel).toBeHidden();
  await expect(mine.getByText('等待打手答复取消申请')).toBeVisible();
  await expect(mine.getByRole('button', { name: '查看取消申请' })).toBeVisible();

  await openOrder(booster, orderSn);
  await expect(work.getByText('请答复取消申请')).toBeVisible();
  await work.getByRole('button', { name: '处理取消申请' }).click();
  const answer = booster.page.getByRole('dialog', { name: '取消申请' });
  await expect(answer).toContainText(/退回买家\s*¥\s*40/);
  await answer.getByRole('button', { name: '同意取消' }).click();
  await expect(answer).toBeHidden();
  await expect(work.getByRole('button', { name: '提交进度' })).toBeHidden();
  await expect(work.getByRole('img', { name: '进度：结束时完成 50%' })).toBeVisible();

  await openOrder(buyer, orderSn);
  // The stage of 40 yuan less the commission on it.
  await expect(mine).toContainText(/打手已到手（扣佣金后）\s*¥\s*37/);
  await expect(mine).toContainText(/托管中\s*¥\s*0/);
});

test('packages are compared from rank to rank, and a route without any leads to an open order', async ({ page }) => {
  await page.goto('/wares?gt=60&gid=2');
  await hydrated(page);
  const ladder = page.getByRole('region', { name: '按段位比套餐' });
  await expect(ladder.getByText('先点现在的段位')).toBeVisible();
  // The most common route is shown as an example; the first click begins a route of one's own.
  await expect(ladder.getByRole('table', { name: '套餐对比' })).toBeVisible();
  await ladder.getByRole('link', { name: /^(现在\s*)?至尊星耀$/ }).click();
  await expect(ladder.getByText('再点要打到的段位')).toBeVisible();
  await ladder.getByRole('link', { name: '最强王者', exact: true }).click();
  await expect(page).toHaveURL(/rankFrom=6&rankTo=7/);
  const columns = ladder.getByRole('table', { name: '套餐对比' }).getByRole('radio');
  await expect(columns.first()).toBeChecked();
  await expect(ladder.getByRole('columnheader').nth(1)).toContainText('正好这一段');
  await expect(ladder.getByRole('columnheader').last()).toContainText('比您要的长');
  await columns.last().check();
  const name = (await ladder.getByRole('columnheader').last().locator('b').textContent()) ?? '';
  await expect(ladder.getByRole('complementary', { name: '所选套餐' })).toContainText(name);
  await ladder.getByRole('link', { name: '重选' }).click();
  // Until the list of the first rank is there, a second click chooses the first rank again.
  await expect(ladder.getByText('先点现在的段位')).toBeVisible();
  await ladder.getByRole('link', { name: '倔强青铜', exact: true }).click();
  await expect(ladder.getByText('再点要打到的段位')).toBeVisible();
  await ladder.getByRole('link', { name: '秩序白银', exact: true }).click();
  await expect(ladder.getByRole('link', { name: '发单，等打手来接' })).toBeVisible();
});

test('a failed package action shows its error at the package, and deleting asks first', async ({ page, context }) => {
  await signIn({ name: 'booster', page, context }, BOOSTER);
  await page.goto('/center/boosting/setMeal');
  const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: '删除' }) });
  await expect(row.last()).toBeVisible();
  const count = await row.count();
  const restore = await failing(page, '**/api/booster/updateBooster');
  await page.getByRole('button', { name: '修改', exact: true }).last().click();
  const editor = page.getByRole('dialog', { name: '修改套餐' });
  await expect(editor.getByLabel('游戏')).toBeDisabled();
  await editor.getByRole('button', { name: '保存' }).click();
  await expect(editor.getByRole('alert')).toBeInViewport();
  await editor.getByRole('button', { name: '取消' }).click();
  await row.last().getByRole('button', { name: '删除' }).click();
  const dialog = page.getByRole('dialog', { name: '删除套餐' });
  await dialog.getByRole('button', { name: '删除', exact: true }).click();
  await expect(dialog.getByText('网络超时，结果还不确定；请重试，不会重复提交')).toBeVisible();
  restore();
  await dialog.getByRole('button', { name: '删除', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(count - 1);
});
