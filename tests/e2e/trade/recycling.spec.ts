/** Accounts for recyclers: a lower reading that the seller agrees to; and a valuation that becomes a listing. */
import { expect } from '@playwright/test';
import { callAs } from '../support/calls.ts';
import { test } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const SHOP = '13800000006';

test('a seller agrees to a lower reading, and a valuation fills the publishing form', async ({ people }) => {
  const seller = await people.visitor('seller');
  await signIn(seller, SHOP);
  const { page } = seller;
  const { list } = await callAs<{ list: { requestSn: string; status: string }[] }>(
    seller,
    '/api/recycle/accountList?pageSize=50',
  );
  const lower = list.find(({ status }) => status === 'reconfirm');
  // Where both widths run against one market, the second one finds it paid.
  const paid = list.find(({ status }) => status === 'paid');
  await page.goto(`/recycle?sn=${lower?.requestSn ?? paid?.requestSn ?? ''}`);
  if (lower) {
    await page.getByRole('button', { name: /^接受减价，到手/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: '接受减价' }).click();
    await expect(page.getByRole('heading', { name: '已付款，等接管' })).toBeVisible();
  } else await expect(page.getByRole('heading', { name: /已付款|已到账/ })).toBeVisible();

  await page.goto('/recycle');
  await expect(page.getByRole('heading', { name: '最近回收' })).toBeVisible();

  await page.goto('/gj-wzry');
  const sell = page
    .getByRole('button', { name: /^按 ¥.* 卖/ })
    .filter({ visible: true })
    .first();
  await expect(sell).toBeVisible();
  await sell.click();
  await page.waitForURL((url) => url.pathname === '/center/sell' && url.searchParams.has('valuation'));
  const price = new URL(page.url()).searchParams.get('price') ?? '';
  await expect(page.getByLabel('标价（元）')).toHaveValue(String(Number(price)));
});
