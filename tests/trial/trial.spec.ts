/** The steps of "A trial" in docs/OPERATIONS.md, in their order. */
import { expect } from '@playwright/test';
import { bindPayout, staffOpens, staffStep, withdraw } from '#tests/e2e/support/money-steps.ts';
import {
  bindPhone,
  doStep,
  openCredential,
  openOrder,
  picture,
  placeOrder,
  seesDue,
  takeAction,
} from '#tests/e2e/support/order-steps.ts';
import { BACK_OFFICE, MARKET, type Person } from '#tests/e2e/support/people.ts';
import { approve, publish, verifyRealName } from '#tests/e2e/support/sell-steps.ts';
import { register } from '#tests/e2e/support/sign-in.ts';
import { decided } from '#tests/rehearse/back-office.ts';
import { decide, test, type Trial } from './market.ts';

const NAME = '市集游戏';
const SELLER = { phone: '13951112001', name: '周云海', idCard: '110101199001010138' };
const BUYER = { phone: '13951112002', name: '林夜鹤', idCard: '110101199202020252' };
const LOG_IN = { account: 'yunhai-1001', password: 'jiaojie-2026' };
const TITLE = '满级号 全套外观 试运行';

let seller: Person;
let buyer: Person;
let goodsSn = '';
let orderSn = '';

/** The one-time address that a start without an administrator prints. */
const setupAddress = (said: string): string => /http:\S+\/backstage\/setup#\S+/.exec(said)?.[0] ?? '';

test('a start prints the address of the set-up, and its steps open the market', async ({ trial }) => {
  await trial.node.start();
  await expect.poll(() => setupAddress(trial.node.said)).not.toBe('');
  const owner = await trial.enter('the owner', BACK_OFFICE);
  const { page } = owner;
  await page.goto(setupAddress(trial.node.said));
  await page.getByLabel('登录名').fill('zhangsan');
  await page.getByLabel('姓名').fill('张三');
  await trial.join('zhangsan', owner, '设置管理员并继续');
  await page.getByLabel('网站名称').fill(NAME);
  await page.getByLabel('网站简介').fill('账号、金币与道具的放心交易');
  await page.getByRole('button', { name: '保存并继续' }).click();
  // A market on this machine has no host to add.
  await expect(page.getByRole('textbox', { name: '域名' })).toHaveValue('');
  await page.getByRole('button', { name: '以后再说' }).click();
  await page.getByRole('checkbox', { name: /王者荣耀/ }).check();
  await page.getByRole('button', { name: '导入所选游戏' }).click();
  await expect(page.getByRole('list', { name: '服务商' })).toContainText('替身');
  await page.getByRole('button', { name: '继续', exact: true }).click();
  await page.getByRole('button', { name: '完成设置，进入工作台' }).click();
  await page.waitForURL((url) => url.pathname === '/backstage');
});

async function hire(trial: Trial, login: string, name: string, role: string): Promise<void> {
  const owner = trial.colleague('zhangsan');
  const { page } = owner;
  await page.goto('/backstage/staff');
  await page.getByRole('button', { name: '新建员工' }).click();
  const dialog = page.getByRole('dialog', { name: '新建员工' });
  await dialog.getByLabel('登录名').fill(login);
  await dialog.getByLabel('姓名').fill(name);
  await dialog.getByLabel('角色', { exact: true }).selectOption({ label: role });
  await dialog.getByRole('button', { name: '新建', exact: true }).click();
  const link = page.getByRole('dialog', { name: '一次性地址' });
  await decided(owner, link);
  const address = (await link.getByLabel('一次性地址').innerText()).trim();
  await link.getByRole('button', { name: '我已保存' }).click();
  const person = await trial.enter(name, BACK_OFFICE);
  await person.page.goto(address);
  await trial.join(login, person, '保存并登录');
  await person.page.waitForURL((url) => url.pathname === '/backstage');
}

test('colleagues join by their addresses, and customer service is on duty', async ({ trial }) => {
  await hire(trial, 'lisi', '李四', '财务');
  await hire(trial, 'zhaoliu', '赵六', '审核');
  await hire(trial, 'wangwu', '王五', '客服');
  const { page } = trial.colleague('wangwu');
  await page.goto('/backstage/chat');
  const duty = page.getByRole('switch', { name: /当班|已下班/ });
  if ((await duty.getAttribute('aria-checked')) === 'false') await duty.click();
  await expect(duty).toHaveAttribute('aria-checked', 'true');
});

test('two people register by the codes of the trial page, and one publishes an account', async ({ trial }) => {
  seller = await trial.enter('the seller', MARKET);
  buyer = await trial.enter('the buyer', MARKET, 390);
  await trial.withCodes(async () => {
    await register(seller, SELLER.phone);
    await register(buyer, BUYER.phone);
  });
  await verifyRealName(seller, SELLER.name, SELLER.idCard);
  await verifyRealName(buyer, BUYER.name, BUYER.idCard);
  goodsSn = await publish(seller, {
    game: '王者荣耀',
    type: '账号',
    account: LOG_IN.account,
    title: TITLE,
    price: '280.00',
    picture: await picture(seller, 'proof.png'),
  });
  await approve(trial.colleague('zhaoliu'), goodsSn, TITLE);
});

test('the buyer pays in the sandbox, which says so', async () => {
  const { page } = buyer;
  ({ orderSn } = await placeOrder(buyer, `/detail/${goodsSn}`));
  await page.getByRole('radio', { name: /支付宝/ }).check();
  await expect(page.getByText('沙箱支付，不产生真实扣款').first()).toBeVisible();
  await page.getByRole('button', { name: /^去支付/ }).click();
  await page
    .getByRole('link', { name: '在本机支付' })
    .or(page.getByRole('button', { name: '在本机支付' }))
    .click();
  await page.getByRole('button', { name: '付款成功' }).click();
  await expect(page.getByText('付款成功').first()).toBeVisible();
});

test('seller, customer service and buyer hand the account over', async ({ trial }) => {
  const service = trial.colleague('wangwu');
  const proof = await picture(seller, 'proof.png');
  await openOrder(seller, orderSn);
  await doStep(seller, '提交账号资料', { logIn: LOG_IN });
  await openOrder(buyer, orderSn);
  await seesDue(buyer, '等待客服验号');
  await staffOpens(service, orderSn, LOG_IN);
  await staffStep(service, orderSn, '核对登录', proof);
  await openOrder(seller, orderSn);
  await doStep(seller, '卖家解除旧设备', { proof });
  await openOrder(buyer, orderSn);
  await bindPhone(buyer, seller, { number: BUYER.phone, code: '417093', proof });
  await openCredential(buyer, LOG_IN);
  await doStep(buyer, '修改密码');
  await openOrder(seller, orderSn);
  await doStep(seller, '清理好友与亲密关系');
  await openOrder(buyer, orderSn);
  await doStep(buyer, '二次实名', { proof });
  await takeAction(buyer, '确认收货', '交易成功');
});

test('finance releases the money early, and the seller is paid out by the sandbox', async ({ trial }) => {
  const finance = trial.colleague('lisi');
  await finance.page.goto(`/backstage/holds?keyWord=${orderSn}`);
  await decide(finance.page, new RegExp(orderSn), '提前解冻', '试运行，双方同意提前放款');
  await decided(finance, finance.page.getByText('没有找到这笔冻结款，可能已解冻'));
  let withdrawSn = '';
  await trial.withCodes(async () => {
    await bindPayout(seller, SELLER.phone, SELLER.name);
    withdrawSn = await withdraw(seller, SELLER.phone, '100');
  });
  await finance.page.goto(`/backstage/withdrawals?keyWord=${withdrawSn}`);
  const row = finance.page.getByRole('row', { name: new RegExp(withdrawSn) });
  await decide(finance.page, new RegExp(withdrawSn), '通过');
  await decided(finance, row.filter({ hasText: /打款中|已到账/ }));
  await expect(async () => {
    await seller.page.goto('/center/mywallets/withdrawal');
    await expect(seller.page.getByRole('list', { name: '提现记录' })).toContainText('已到账', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
});

test('going live clears the trial, and the next start begins with a new address', async ({ trial }) => {
  const former = setupAddress(trial.node.said);
  await trial.leave();
  await trial.node.stop();
  expect(await trial.goLive('别的市场')).toMatchObject({ code: 1 });
  const { code, output } = await trial.goLive(NAME);
  expect(code, output).toBe(0);
  await trial.node.start();
  await expect.poll(() => setupAddress(trial.node.said)).not.toBe('');
  expect(setupAddress(trial.node.said)).not.toBe(former);
});
