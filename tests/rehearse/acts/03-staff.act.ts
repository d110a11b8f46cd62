/** Two colleagues come in: one by an address that was mailed, one by an address that is shown once; each binds an own authenticator. */
import { expect, type Page } from '@playwright/test';
import { comeBack, decided, joinBy } from '../back-office.ts';
import { registerPasskey } from '../passkey.ts';
import { test } from '../stage.ts';

async function fillPerson(page: Page, person: { login: string; name: string; role: string; email?: string }) {
  await page.goto('/backstage/staff');
  await page.getByRole('button', { name: '新建员工' }).click();
  const dialog = page.getByRole('dialog', { name: '新建员工' });
  await dialog.getByLabel('登录名').fill(person.login);
  await dialog.getByLabel('姓名').fill(person.name);
  await dialog.getByLabel('角色', { exact: true }).selectOption({ label: person.role });
  if (person.email !== undefined) await dialog.getByLabel('工作邮箱').fill(person.email);
  return dialog;
}

test('finance logs in by a mailed link', async ({ stage, cast }) => {
  const owner = cast.colleague('zhangsan');
  await registerPasskey(owner);
  const dialog = await fillPerson(owner.page, {
    login: 'lisi',
    name: '李四',
    role: '财务',
    email: 'lisi@shiji.rehearsal',
  });
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  const linkDialog = owner.page.getByRole('dialog', { name: '一次性地址' });
  await decided(owner, linkDialog);
  await expect(linkDialog).toContainText('lisi@shiji.rehearsal');
  await expect(linkDialog).not.toContainText('/backstage/join#');
  await linkDialog.getByRole('button', { name: '好', exact: true }).click();

  const mail = stage.vendors.mails.findLast(({ to }) => to === 'lisi@shiji.rehearsal');
  const address = /https:\/\/\S+\/backstage\/join#\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const finance = await joinBy(cast, address, { login: 'lisi', name: '李四' });
  await comeBack(finance);
});

test('customer service logs in by a link that is shown once, and may also review listings', async ({ cast }) => {
  const owner = cast.colleague('zhangsan');
  const dialog = await fillPerson(owner.page, { login: 'wangwu', name: '王五', role: '客服' });
  await dialog.getByText('角色以外的单项权限').click();
  for (const permission of ['查看商品审核', '审核商品']) await dialog.getByLabel(permission, { exact: true }).check();
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  const linkDialog = owner.page.getByRole('dialog', { name: '一次性地址' });
  await decided(owner, linkDialog);
  const address = await linkDialog.getByLabel('一次性地址').innerText();
  await linkDialog.getByRole('button', { name: '我已保存' }).click();
  const service = await joinBy(cast, address.trim(), { login: 'wangwu', name: '王五' });
  await comeBack(service);

  // The address is used up; what a role does not have is not shown.
  cast.expects(/status of 410.*\/api\/backstage\/join\/info/);
  const late = await cast.enter('somebody with the address', new URL(address).host);
  await late.page.goto(address.trim());
  await expect(late.page.getByText('地址不能使用')).toBeVisible();
  await expect(service.page.getByRole('navigation', { name: '后台导航' })).not.toContainText('交易设置');
  await owner.page.reload();
  await expect(owner.page.getByRole('row', { name: /王五/ })).toContainText('在用');
});
