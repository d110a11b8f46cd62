/** Steps of staff for every page of the back office: enter, give the second factor again, wait for what comes of it. */
import { expect, type Locator } from '@playwright/test';
import { Authenticator, type Cast, type Colleague, STAFF_PASSWORD } from './cast.ts';
import { BACK_OFFICE } from './hosts.ts';
import { hasPasskey, registerPasskey } from './passkey.ts';

/** Comes in by a one-time address: sets the password and binds an authenticator. */
export async function joinBy(cast: Cast, address: string, { login, name }: { login: string; name: string }) {
  const person = await cast.enter(name, BACK_OFFICE);
  const { page } = person;
  await page.goto(address);
  await page.getByLabel('新密码', { exact: true }).fill(STAFF_PASSWORD);
  await page.getByLabel('再输一次新密码').fill(STAFF_PASSWORD);
  const secret = await page.getByRole('button', { name: /^复制密钥/ }).innerText();
  const factor = new Authenticator(secret.trim());
  await page.getByLabel('动态码').fill(await factor.code(page));
  await page.getByRole('button', { name: '保存并登录' }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');
  const colleague = cast.hire(login, person, factor);
  await registerPasskey(colleague);
  return colleague;
}

/** Leaves and comes back by passkey, or by account, password and a code of the authenticator. */
export async function comeBack(colleague: Colleague): Promise<void> {
  const { page, login, factor } = colleague;
  await page.getByRole('button', { name: '退出', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/backstage/login');
  if (hasPasskey(colleague)) {
    await page.getByRole('button', { name: '用通行密钥登录' }).click();
    await page.waitForURL((url) => url.pathname === '/backstage');
    return;
  }
  await page.getByLabel('账号').fill(login);
  await page.getByLabel('密码', { exact: true }).fill(STAFF_PASSWORD);
  await page.getByLabel('动态码').fill(await factor.code(page));
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');
}

/** Gives the second factor where an act asks for it again, and waits until what comes of the act is there. */
export async function decided(colleague: Colleague, done: Locator): Promise<void> {
  const { page, factor } = colleague;
  const dialog = page.getByRole('dialog', { name: '再次验证身份' });
  await expect(dialog.or(done).first()).toBeVisible();
  if ((await dialog.isVisible()) && hasPasskey(colleague)) {
    await dialog.getByRole('button', { name: '用通行密钥验证' }).click();
  } else if (await dialog.isVisible()) {
    await dialog.getByLabel('动态码').fill(await factor.code(page));
    await dialog.getByRole('button', { name: '验证并继续' }).click();
  }
  await expect(done.first()).toBeVisible();
}
