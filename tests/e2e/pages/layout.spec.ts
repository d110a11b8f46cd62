/** The layout around every page: log-in by a simulated phone, the verification dialog, the page for external links, the home page's variants. */
import { expect, type TestInfo } from '@playwright/test';
import { failing } from '../support/failing.ts';
import { PASSWORD, type Person, test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const BUYER = '13800000001';

/** Both projects share one market, so each has its own WeChat. */
const wechatOf = ({ project }: TestInfo): string => `旅程微信${project.name === 'phone' ? '二' : '一'}`;

/** Another phone opens the address in the code on the screen and answers. */
async function playPhone(person: Person, account: string, answer: '确认登录' | '确认绑定' | '取消'): Promise<void> {
  const href = await person.page.getByRole('link', { name: /打开演示手机/ }).getAttribute('href');
  const phone = await person.context.newPage();
  await phone.goto(href ?? '');
  await phone.getByLabel('用哪个微信').fill(account);
  await phone.getByRole('button', { name: '扫码' }).click();
  await phone.getByRole('button', { name: answer }).click();
  await expect(phone.getByText(answer === '取消' ? '已取消' : '已确认')).toBeVisible();
  await phone.close();
}

test('an unbound WeChat account is bound by the next log-in, and logs in directly afterwards', async ({
  people,
}, info) => {
  const first = await people.visitor('first');
  const account = wechatOf(info);
  await test.step('the log-in dialog opens, closes by a click outside, and opens again', async () => {
    await first.page.goto('/login?returnUrl=%2Fcenter');
    await first.page.getByRole('button', { name: '微信', exact: true }).click();
    const dialog = first.page.getByRole('dialog', { name: '微信扫码登录' });
    await expect(dialog.getByText('使用手机微信扫一扫')).toBeVisible();
    await first.page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
    await first.page.getByRole('button', { name: '微信', exact: true }).click();
    await expect(dialog.getByRole('img', { name: '登录二维码' })).toBeVisible();
  });
  await test.step('the phone confirms, and the WeChat account waits for a log-in', async () => {
    await playPhone(first, account, '确认登录');
    await expect(first.page.getByText('微信已确认，登录或注册后自动绑定')).toBeVisible();
    await first.page.getByRole('tab', { name: '密码登录' }).click();
    await first.page.getByLabel('手机号').fill(info.project.name === 'phone' ? '13800000004' : '13800000005');
    await first.page.getByLabel('密码', { exact: true }).fill('youshi2026');
    await first.page.getByRole('button', { name: '登录', exact: true }).click();
    await first.page.waitForURL((url) => url.pathname === '/center');
    await first.page.goto('/center/myself/thirdPartyBinding');
    await expect(first.page.getByRole('button', { name: '解除绑定' })).toBeVisible();
  });
  await test.step('another browser is logged in with only the phone', async () => {
    const second = await people.visitor('second');
    await second.page.goto('/login');
    await second.page.getByRole('button', { name: '微信', exact: true }).click();
    await expect(second.page.getByRole('img', { name: '登录二维码' })).toBeVisible();
    await playPhone(second, account, '确认登录');
    await second.page.waitForURL((url) => url.pathname === '/');
    const token = (await second.context.cookies()).find(({ name }) => name === 'token');
    expect(token?.value).toBeTruthy();
  });
});

test('the verification dialog distinguishes true from false contacts, and listed from clean accounts', async ({
  people,
}, info) => {
  const { page } = await people.visitor('visitor');
  const isPhone = info.project.name === 'phone';
  await test.step('an official number and another one', async () => {
    await page.goto(isPhone ? '/kfyz' : '/');
    if (!isPhone) await page.getByRole('button', { name: '客服验真' }).click();
    const field = page.getByLabel('对方给您的号码');
    await field.fill('012345');
    await page.getByRole('button', { name: '验证', exact: true }).click();
    await expect(page.getByText('请输入正确的客服QQ')).toBeVisible();
    await field.fill('10000001');
    await page.getByRole('button', { name: '验证', exact: true }).click();
    await expect(page.getByText('经验证：10000001为真客服！')).toBeVisible();
    await field.fill('88880000');
    await page.getByRole('button', { name: '验证', exact: true }).click();
    await expect(page.getByText('经验证：88880000为假客服！')).toBeVisible();
  });
  await test.step('the blacklist', async () => {
    if (isPhone) await page.goto('/black');
    else await page.getByRole('tab', { name: '黑号查询' }).click();
    const field = page.getByLabel('QQ、微信、手机号、支付宝或游戏账号');
    const queryButton = page.getByRole('button', { name: '查询', exact: true });
    await field.fill('800100001');
    await queryButton.click();
    await expect(page.getByText('该账号是黑号')).toBeVisible();
    await field.fill('800999999');
    await queryButton.click();
    await expect(page.getByText('该账号无不良记录')).toBeVisible();
    await field.fill('100000000');
    await queryButton.click();
    await expect(page.getByText('暂时无法查询，请稍后再试')).toBeVisible();
  });
});

test('the page for external links shows the target, and accepts web URLs only', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  await page.goto('/jump?url=https%3A%2F%2Fexample.com%2Fa');
  // Anyone can write such an address: only URLs in the site's own configuration become links.
  await expect(page.getByRole('link', { name: '继续前往' })).toHaveCount(0);
  await expect(page.getByText('https://example.com/a', { exact: true })).toBeVisible();
  await expect(page.getByText('example.com', { exact: true })).toBeVisible();
  for (const bad of ['javascript:alert(1)', '//example.com', 'https://a:b@example.com/']) {
    await page.goto(`/jump?url=${encodeURIComponent(bad)}`);
    await expect(page.getByRole('heading', { name: '链接异常' })).toBeVisible();
  }
  await page.goto(`/jump?url=${encodeURIComponent(`${new URL(page.url()).origin}/allgame`)}`);
  expect(new URL(page.url()).pathname).toBe('/allgame');
});

test('a mandatory advert cannot be closed for five seconds', async ({ people }, info) => {
  test.skip(info.project.name === 'phone', 'the notices of the home page stand on wide screens');
  const { page } = await people.visitor('visitor');
  const dialog = page.getByRole('dialog', { name: '温馨提示' });
  // A busy machine may need the five seconds for the click that is too soon: then it begins again.
  await expect(async () => {
    await page.goto('/');
    await page.getByRole('link', { name: '交易前请先读：三条防骗规则' }).click();
    await dialog.getByRole('button', { name: /我已阅读（/ }).click({ timeout: 5_000 });
    // Chromium 109 shows a copy of the toast inside the dialog (docs/BROWSERS.md).
    await expect(page.getByText('请仔细阅读弹窗内容').first()).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: '我已阅读', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/kfyz');
});

test('an action after the session ended is carried out once the user has logged in on the page', async ({
  people,
}, info) => {
  test.skip(info.project.name === 'phone', 'the rows of a phone’s list have no heart');
  const person = await people.visitor('buyer');
  await signIn(person, BUYER);
  const { page } = person;
  await page.goto('/wares?gt=1&gid=2', { waitUntil: 'networkidle' });
  const heart = page.getByRole('button', { name: '收藏', exact: true }).first();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  const name = await heart.evaluate((element) => element.closest('li')?.querySelector('a')?.getAttribute('href') ?? '');
  // Status 200, so that the browser does not report a failed request itself.
  await page.route(
    '**/api/user/goodsUserFollow',
    (route) => route.fulfill({ json: { code: 1, data: null, msg: '登录已过期' }, status: 200 }),
    { times: 1 },
  );
  await heart.click();
  const dialog = page.getByRole('dialog', { name: '重新登录' });
  await dialog.getByRole('tab', { name: '密码登录' }).click();
  await dialog.getByLabel('手机号').fill(BUYER);
  await dialog.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('已收藏，降价会提醒您')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/wares');
  expect(name).not.toBe('');
  const kept = page.locator('li', { has: page.locator(`a[href="${name}"]`) }).getByRole('button', { name: '取消收藏' });
  await kept.first().click();
});

test('a half-filled form survives a reload, and not its sending', async ({ people }) => {
  const { page } = await people.visitor('visitor');
  await page.goto('/kfyz', { waitUntil: 'networkidle' });
  const form = page.getByRole('region', { name: '举报假客服' });
  const account = form.getByLabel('对方的账号');
  const story = form.getByLabel('经过');
  await form.getByLabel('账号类型').selectOption('wechat');
  await account.fill('fake-service-77');
  await story.fill('对方自称平台客服，要我先转账解冻');
  await page.reload({ waitUntil: 'networkidle' });
  await expect(account).toHaveValue('fake-service-77');
  await expect(story).toHaveValue('对方自称平台客服，要我先转账解冻');
  await expect(form.getByLabel('账号类型')).toHaveValue('wechat');
  await form.getByRole('button', { name: '提交举报' }).click();
  await expect(form.getByText('已收到，谢谢您的提醒')).toBeVisible();
  await page.reload({ waitUntil: 'networkidle' });
  await expect(account).toHaveValue('');
});

test('errors of proxies are shown with the messages of the catalogue', async ({ people }) => {
  const person = await people.visitor('buyer');
  await signIn(person, BUYER);
  const { page, context } = person;
  const saying = async (msg: string) =>
    // Status 200, so that the browser does not report a failed request itself.
    await failing(page, '**/api/**', (route) => route.fulfill({ json: { code: 9, data: null, msg }, status: 200 }));
  await page.goto('/kfyz', { waitUntil: 'networkidle' });
  const restore = await saying('tcp connect refused');
  await page.getByLabel('对方给您的号码').fill('10000001');
  await page.getByRole('button', { name: '验证', exact: true }).click();
  await expect(page.getByText('网站正在更新，请稍候...')).toBeVisible();
  await expect(page.getByLabel('对方给您的号码')).toHaveValue('10000001');
  restore();
  await page.goto('/center/myself/myselfInfo', { waitUntil: 'networkidle' });
  await saying('登录已过期');
  // The session is over indeed: for one that is not the server would set the readable cookie again.
  await context.clearCookies({ name: /^(__Host-)?sid$/ });
  await page.getByLabel('昵称').fill('新的昵称');
  await page.getByRole('button', { name: /保存/ }).first().click();
  await page.waitForURL((url) => url.pathname === '/login');
  expect((await context.cookies()).filter(({ name, value }) => name === 'token' && value !== '')).toEqual([]);
});
