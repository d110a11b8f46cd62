/** When a trade fails: a complaint decided in part, and a paid claim, through the interface only. */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoOverflow } from '../support/overflow.ts';
import { openOrder } from '../support/order-steps.ts';
import { actionButton, type Person, test } from '../support/people.ts';
import { decided, signIn, staffAtWork } from '../support/sign-in.ts';

const BUYER = '13800000001';
const SELLER = '13800000002';
const COMPLAINT = '进货后发现与约定不一致，希望退一部分';

/** The shipped orders that a list page of the centre names. */
async function shippedOn({ page }: Person, list: string): Promise<Set<string>> {
  await page.goto(`${list}?status=2`);
  const links = await page
    .locator('a[href*="buyOrderDetail?orderSn="]')
    .evaluateAll((found) => found.map((a) => (a as HTMLAnchorElement).href));
  return new Set(links.map((href) => new URL(href).searchParams.get('orderSn') ?? ''));
}

/** A shipped order between the two without a complaint so far. */
async function openShipped(buyer: Person, seller: Person): Promise<string> {
  const { page } = buyer;
  const sold = await shippedOn(seller, '/center/sellOrder');
  for (const orderSn of await shippedOn(buyer, '/center/buyGoodsOrder')) {
    if (!sold.has(orderSn)) continue;
    await openOrder(buyer, orderSn);
    if ((await page.getByRole('link', { name: '申诉', exact: true }).count()) > 0) return orderSn;
  }
  throw new Error('every shipped order is in dispute');
}

/** Clicks a button and the button with the same text in the confirmation dialog. */
async function clickTwice(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function complain(buyer: Person, seller: Person): Promise<string> {
  const { page } = buyer;
  await openShipped(buyer, seller);
  await actionButton(page, '申诉').click();
  await page.getByRole('radio', { name: '其他问题' }).check();
  await page.getByRole('radio', { name: /^部分退款/ }).check();
  await expectNoOverflow(buyer, 'complaint form');
  await page.getByRole('button', { name: '提交申诉' }).click();
  await expect(page.getByText('请填写「发生了什么」')).toBeVisible();
  await page.getByLabel('发生了什么').fill('数量与约定不一致');
  await page.getByLabel('希望退回的金额（元）').fill('3');
  await page.getByLabel('经过说明').fill(COMPLAINT);
  await page.getByRole('button', { name: '提交申诉' }).click();
  await page.waitForURL(/disputeSn=/);
  await expect(page.getByRole('heading', { level: 1, name: '待受理' })).toBeVisible();
  return new URL(page.url()).searchParams.get('disputeSn') ?? '';
}

test('a dispute gets a response and a partial ruling, both accept it, and both see the money', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const seller = await people.visitor('seller');
  await signIn(seller, SELLER);
  const disputeSn = await complain(buyer, seller);
  const address = `/center/buyComplaint?disputeSn=${disputeSn}`;

  await test.step('the seller responds', async () => {
    const { page } = seller;
    await page.goto(address);
    await expect(page.getByText(COMPLAINT)).toBeVisible();
    await expectNoOverflow(seller, 'complaint to be answered');
    await page.getByLabel('发生了什么').fill('按约定发出');
    await page.getByLabel('我的说明').fill('可能漏了一部分，愿意核对');
    await page.getByRole('button', { name: '提交答复' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '待裁决' })).toBeVisible();
  });

  await test.step('customer service rules after a preview of the amounts', async () => {
    const service = await staffAtWork(people, 'kefu1');
    const { page } = service;
    await page.goto(`/backstage/disputes/${disputeSn}`);
    await page.getByLabel('退回的商品价（元）').fill('3');
    await expect(page.getByRole('region', { name: '作出裁决' }).getByText('买家退回')).toBeVisible();
    await page.getByRole('checkbox', { name: /^4.1/ }).check();
    await page.getByLabel('裁决理由').fill('双方陈述与记录一致，少交付的部分按价格退回');
    await expectNoOverflow(service, 'complaint before its ruling');
    await page.getByRole('button', { name: '作出裁决' }).click();
    await decided(service, 'kefu1', page.getByRole('heading', { level: 1, name: '已裁决' }));
    await service.context.close();
  });

  await test.step('both accept, and the money is moved', async () => {
    for (const { page } of [buyer, seller]) {
      await page.goto(address);
      await expect(page.getByText('规则 4.1 谁主张谁举证')).toBeVisible();
      await expectNoOverflow({ ...buyer, page }, 'complaint ruled');
      await clickTwice(page, '接受裁决');
    }
    for (const { page } of [buyer, seller]) {
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1, name: '已结案' })).toBeVisible();
      await expect(
        page
          .getByRole('region', { name: '申诉状态' })
          .getByText(/¥3\.0\d/)
          .first(),
      ).toBeVisible();
    }
    await expectNoOverflow(buyer, 'complaint closed');
    await buyer.page.goto('/center/mywallets/list');
    await expect(buyer.page.getByText('订单退款').first()).toBeVisible();
  });
});

test('a claim with evidence is paid out of the fund', async ({ people }, info) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, BUYER);
  const { page } = buyer;
  await page.goto('/center/buyGuarantee');
  await page.getByRole('link', { name: '理赔', exact: true }).first().click();
  await expect(page.getByLabel('出险原因')).toBeVisible();
  await expectNoOverflow(buyer, 'claim form');
  const proof = join(process.env.E2E_DATA_DIR ?? '', `claim-${info.project.name}.png`);
  await page.screenshot({ path: proof });
  await page.getByLabel('出险原因').selectOption({ label: '账号被找回' });
  await page.getByLabel('经过说明').fill('今天登录提示密码错误，手机也被换绑');
  await page.getByLabel(/上传截图/).setInputFiles(proof);
  await expect(page.getByAltText('凭证 1')).toBeVisible();
  await page.getByRole('button', { name: '提交理赔' }).click();
  await page.waitForURL(/claimSn=/);
  const claimSn = new URL(page.url()).searchParams.get('claimSn') ?? '';

  const service = await staffAtWork(people, 'kefu1');
  await service.page.goto(`/backstage/claims/${claimSn}`);
  await service.page.getByRole('button', { name: '通过并赔付' }).click();
  const dialog = service.page.getByRole('dialog', { name: '通过并赔付' });
  await dialog.getByRole('button', { name: '证据充分，卖家失联' }).click();
  await expectNoOverflow(service, 'claim dialog');
  await dialog.getByRole('button', { name: '通过并赔付' }).click();
  await decided(service, 'kefu1', service.page.getByText('等待另一位同事复核').first());
  await service.context.close();

  const colleague = await staffAtWork(people, 'kefu2');
  await colleague.page.goto(`/backstage/claims/${claimSn}`);
  await expectNoOverflow(colleague, 'claim with a proposal');
  await colleague.page.getByRole('button', { name: '复核通过' }).click();
  await colleague.page.getByRole('dialog', { name: '复核通过' }).getByRole('button', { name: '通过' }).click();
  await decided(colleague, 'kefu2', colleague.page.getByRole('heading', { level: 1, name: '已赔付' }));

  await page.goto(`/center/buyGuarantee?claimSn=${claimSn}`);
  await expect(page.getByText(/已到您的可用余额/)).toBeVisible();
  await expectNoOverflow(buyer, 'claim');
});
