/** Ways in: by the pages where a journey is about them, by the call where it is about something else. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type APIRequestContext, expect, type Locator } from '@playwright/test';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { isFirst } from './exclusive.ts';
import { requestCode, MARKET, PASSWORD, type People, type Person } from './people.ts';

/** Returns the data of a call; fails unless the code is 0. */
export async function data<T>(request: APIRequestContext, path: string): Promise<T> {
  const response = await request.get(`${MARKET}${path}`);
  const envelope = (await response.json()) as { code: number; data: T; msg: string };
  expect(envelope.code, `${path}: ${envelope.msg}`).toBe(0);
  return envelope.data;
}

/** Registers at the page with the code of the SMS, and ends up signed in. */
export async function register(person: Person, phone: string): Promise<void> {
  const { page } = person;
  await page.goto('/register');
  await page.getByLabel('手机号').fill(phone);
  await page.getByLabel('短信验证码').fill(await requestCode(page, phone));
  await page.getByLabel('设置密码').fill(PASSWORD);
  await page.getByRole('checkbox', { name: /我已阅读并同意/ }).check();
  await page.getByRole('button', { name: '注册并登录' }).click();
  await page.waitForURL((url) => url.pathname !== '/register');
}

/** Logs in at the page by the code of an SMS. */
export async function logInByCode(person: Person, phone: string): Promise<void> {
  const { page } = person;
  await page.goto('/login');
  await page.getByRole('tab', { name: '验证码登录' }).click();
  await page.getByLabel('手机号').fill(phone);
  await page.getByLabel('短信验证码').fill(await requestCode(page, phone));
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Logs out at the centre. */
export async function logOut({ page, context }: Person): Promise<void> {
  await page.goto('/center');
  await page
    .getByRole('button', { name: '退出', exact: true })
    .or(page.getByRole('button', { name: '退出登录' }))
    .first()
    .click();
  await page.waitForURL((url) => url.pathname === '/');
  expect((await context.cookies()).some(({ name }) => name === 'token')).toBe(false);
}

/** Logs in at the page by password. */
export async function logInByPassword(person: Person, phone: string): Promise<void> {
  const { page } = person;
  await page.goto('/login');
  await page.getByRole('tab', { name: '密码登录' }).click();
  await page.getByLabel('手机号').fill(phone);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Signs a demo login in by the call that the page makes, with the cookies that the page would set. */
export async function signIn(person: Person, phone: string): Promise<void> {
  const response = await person.context.request.post(`${MARKET}/api/user/login`, {
    form: { username: phone, password: PASSWORD },
    headers: { 'x-timestamp': String(Date.now()) },
  });
  const { code, data, msg } = (await response.json()) as { code: number; data: Record<string, string>; msg: string };
  expect(code, msg).toBe(0);
  const hints = ['token', 'userId', 'nickName', 'actor'] as const;
  await person.context.addCookies(
    hints.map((name) => ({ name, value: encodeURIComponent(data[name] ?? ''), url: MARKET })),
  );
}

interface SelfCheck {
  staff: { login: string; name: string; code: string; waitSeconds: number }[];
}

/** The log-in of the customer service agent assigned to the open order. */
export async function serviceOf({ page, context }: Person): Promise<string> {
  const { staff } = await data<SelfCheck>(context.request, '/api/test/selfCheck');
  const name = /客服\S+/.exec(
    await page
      .getByRole('region', { name: '订单', exact: true })
      .getByText(/^客服\S/)
      .innerText(),
  )?.[0];
  const found = staff.find((one) => staffLabel(one.name) === name);
  expect(found, `customer service ${name}`).toBeDefined();
  return found?.login ?? '';
}

/**
 * A member of staff at work. A code of the second factor is taken once, so the first worker signs in and the session is used by all tests of
 * the run.
 */
export async function staffAtWork(people: People, login: string): Promise<Person> {
  const stateFile = join(process.env.E2E_DATA_DIR ?? '', `staff-${login}.json`);
  if (existsSync(stateFile) || !isFirst(`${stateFile}.lock`)) {
    await expect.poll(() => existsSync(stateFile), { message: `the session of ${login}`, timeout: 180_000 }).toBe(true);
    const person = await people.staff(login, stateFile);
    await person.page.goto('/backstage');
    return person;
  }
  try {
    return await signInStaff(people, login, stateFile);
  } catch (error) {
    // Another test tries again.
    rmSync(`${stateFile}.lock`, { force: true });
    throw error;
  }
}

/** A code of the second factor that is valid now. It is taken once: after two within half a minute the next one is not valid yet. */
async function codeOf(request: APIRequestContext, login: string): Promise<string> {
  let code = '';
  const isReady = async (): Promise<boolean> => {
    const { staff } = await data<SelfCheck>(request, '/api/test/selfCheck');
    const mine = staff.find((one) => one.login === login);
    code = mine?.code ?? '';
    return mine?.waitSeconds === 0;
  };
  await expect.poll(isReady, { message: `a code of ${login}`, timeout: 120_000 }).toBe(true);
  return code;
}

/** Signs a member of staff in at the page and stores the session. */
async function signInStaff(people: People, login: string, stateFile: string): Promise<Person> {
  const person = await people.staff(login);
  const { page, context } = person;
  await page.goto('/backstage/login');
  await page.getByLabel('账号').fill(login);
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await page.getByLabel('动态码').fill(await codeOf(context.request, login));
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');
  await context.storageState({ path: `${stateFile}.new` });
  renameSync(`${stateFile}.new`, stateFile);
  return person;
}

/**
 * Gives the second factor again where a decision asks for it, which it does once in ten minutes, and waits until what comes of the decision
 * is there.
 */
export async function decided({ page, context }: Person, login: string, done: Locator): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '再次验证身份' });
  await expect(dialog.or(done).first()).toBeVisible();
  if (await dialog.isVisible()) {
    await dialog.getByLabel('动态码').fill(await codeOf(context.request, login));
    await dialog.getByRole('button', { name: '验证并继续' }).click();
  }
  await expect(done).toBeVisible();
}
