/** A first start prints one address; behind it are the first administrator, the name, the hosts, the games and the vendors. */
import { expect, type Page } from '@playwright/test';
import { idCardFrom17 } from '#tests/support/market/id-card.ts';
import { Authenticator, newStaffBrowser, STAFF_PASSWORD } from '../cast.ts';
import { BACK_OFFICE, SITE } from '../hosts.ts';
import { test } from '../stage.ts';

const CITIZEN = { name: '陈试验', idCard: idCardFrom17('11010119900307451') };

/** Fills in a trial and returns its result. */
async function tried(page: Page, title: string, fields: Record<string, string>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole('button', { name: title }).click();
  await expect(dialog.getByRole('status')).toHaveClass(/text-safe/);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('the first start prints the address of the first administrator', async ({ stage, cast }) => {
  const [node] = stage.nodes;
  await node.start();
  const printed = (): string => /https:\/\/\S+\/backstage\/setup#\S+/.exec(node.said)?.[0] ?? '';
  await expect.poll(printed).toContain(`https://${BACK_OFFICE}/`);
  const address = printed();

  const person = await newStaffBrowser(cast, 'the owner');
  const { page } = person;
  await page.goto(address);
  await page.getByLabel('登录名').fill('zhangsan');
  await page.getByLabel('姓名').fill('张三');
  await page.getByLabel('新密码', { exact: true }).fill(STAFF_PASSWORD);
  await page.getByLabel('再输一次新密码').fill(STAFF_PASSWORD);
  const secret = await page.getByRole('button', { name: /^复制密钥/ }).innerText();
  const factor = new Authenticator(secret.trim());
  await page.getByLabel('动态码').fill(await factor.code(page));
  await page.getByRole('button', { name: '设置管理员并继续' }).click();
  await expect(page.getByRole('heading', { name: '平台名称' })).toBeVisible();
  cast.hire('zhangsan', person, factor);
});

test('the steps name the platform, set its host, choose games and test each vendor', async ({ stage, cast }) => {
  const { page } = cast.colleague('zhangsan');
  const { aliyun, mails } = stage.vendors;

  await page.getByLabel('网站名称').fill('市集游戏');
  await page.getByLabel('网站简介').fill('账号、金币与道具的放心交易');
  await page.getByLabel('客服号码').fill('400-800-2026');
  await page.getByLabel('ICP 备案号').fill('京ICP备2026000001号');
  await page.getByRole('button', { name: '保存并继续' }).click();

  await expect(page.getByRole('heading', { name: '域名' })).toBeVisible();
  await page.getByRole('textbox', { name: '域名' }).fill(SITE);
  await page.getByRole('button', { name: '添加域名' }).click();
  await expect(page.getByRole('list', { name: '平台的域名' })).toContainText(SITE);
  await page.getByRole('button', { name: '继续', exact: true }).click();

  await expect(page.getByRole('heading', { name: '游戏', exact: true })).toBeVisible();
  await page.getByRole('button', { name: '全不选' }).click();
  for (const game of ['王者荣耀', '英雄联盟', '原神'])
    await page.getByRole('checkbox', { name: new RegExp(game) }).check();
  await page.getByRole('button', { name: '导入所选游戏' }).click();

  await expect(page.getByRole('heading', { name: '服务商' })).toBeVisible();
  aliyun.people.set(CITIZEN.idCard, { name: CITIZEN.name, phone: '13900001111' });
  const vendors = page.getByRole('list', { name: '服务商' });
  const tryIt = async (subject: RegExp) =>
    await vendors.getByRole('listitem').filter({ hasText: subject }).getByRole('button', { name: '试一下' }).click();
  await tryIt(/短信/);
  await tried(page, '试发短信', { 手机号: '13900001111' });
  expect(aliyun.sent.at(-1)?.phone).toBe('13900001111');
  await tryIt(/邮件/);
  await tried(page, '试发邮件', { 邮箱: 'zhangsan@shiji.rehearsal' });
  expect(mails.at(-1)?.to).toBe('zhangsan@shiji.rehearsal');
  await tryIt(/实名/);
  await tried(page, '试验实名', { 姓名: CITIZEN.name, 身份证号: CITIZEN.idCard });
  for (const [subject, title] of [
    [/支付宝/, '试查支付渠道'],
    [/微信支付/, '试查支付渠道'],
    [/微信登录/, '试查微信登录'],
  ] as const) {
    await tryIt(subject);
    await tried(page, title, {});
  }
  await expect(vendors).not.toContainText('替身');
  await page.getByRole('button', { name: '继续', exact: true }).click();

  const checks = page.getByRole('list', { name: '检查清单' });
  await expect(checks.getByRole('listitem').filter({ hasText: '平台有公网域名' })).toContainText('已完成');
  await expect(checks).toContainText('已有 3 个游戏');
  await expect(checks.getByRole('listitem').filter({ hasText: '待完成' }).first()).toBeVisible();
  await page.getByRole('button', { name: '完成设置，进入工作台' }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');

  // The printed address is used up, and the site answers to its name.
  const visitor = await cast.enter('a visitor', SITE);
  await visitor.page.goto('/');
  await expect(visitor.page).toHaveTitle(/市集游戏/);
});
