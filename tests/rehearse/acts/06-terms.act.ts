/** Fees, the protection period and a guarantee tier are changed by their pages before anybody trades. */
import { expect, type Page } from '@playwright/test';
import { decided } from '../back-office.ts';
import { test } from '../stage.ts';

/** Opens the form of a setting. */
async function change(page: Page, group: string, name: string) {
  await page.goto(`/backstage/settings?group=${group}`);
  const card = page.getByRole('region', { name, exact: true });
  await card.getByRole('button', { name: '修改', exact: true }).click();
  return card;
}

test('fees are previewed and changed; an invalid rate gets a field error', async ({ cast }) => {
  const owner = cast.colleague('zhangsan');
  const { page } = owner;
  cast.expects(/status of 422.*\/api\/backstage\/setting\/change/);
  const card = await change(page, 'fees', '交易费率');
  await card.getByLabel('卖家佣金').fill('101');
  await card.getByLabel('原因').fill('开业优惠');
  await card.getByRole('button', { name: '保存' }).click();
  await expect(card.getByRole('alert').first()).toBeVisible();
  await card.getByLabel('卖家佣金').fill('4');
  await card.getByLabel('买家服务费').fill('2');
  await card.getByRole('button', { name: '预览影响' }).click();
  await expect(card.getByRole('status')).toContainText('三笔示例订单中有');
  await card.getByRole('button', { name: '保存' }).click();
  await decided(owner, card.getByText('开业优惠'));
  await expect(card).toContainText('4%');
});

test('a new seller is paid immediately, and the recovery tier has another rate', async ({ cast }) => {
  const owner = cast.colleague('zhangsan');
  const { page } = owner;
  cast.expects(/status of 422.*\/api\/backstage\/setting/);
  const stages = await change(page, 'holds', '分段提前放款');
  await stages.getByLabel('原因').fill('没有保护期就没有分段');
  for (const field of await stages.getByLabel(/段：满|^放出/).all()) await field.fill('');
  await stages.getByRole('button', { name: '保存' }).click();
  await decided(owner, stages.getByText('没有保护期就没有分段'));

  const holds = await change(page, 'holds', '成交后的保护期');
  await holds.getByLabel('新卖家').fill('0');
  await holds.getByLabel('原因').fill('开业首日当天结算');
  await holds.getByRole('button', { name: '保存' }).click();
  await expect(holds.getByRole('alert').first()).toContainText('不能长于新卖家的 0 小时');
  for (const level of [1, 2, 3, 4, 5]) await holds.getByLabel(`${level} 级卖家`).fill('0');
  await holds.getByRole('button', { name: '保存' }).click();
  await decided(owner, holds.getByText('开业首日当天结算'));

  const tier = await change(page, 'tiers', '找回包赔');
  await tier.getByLabel('费率').fill('6');
  await tier.getByLabel('原因').fill('新市场先收高一点');
  await tier.getByRole('button', { name: '保存' }).click();
  await decided(owner, tier.getByText('新市场先收高一点'));
});
