/** Buyer actions in Firefox and WebKit: filter, log in, buy, write, send a picture. */
import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { PAY_PASSWORD } from '#tests/e2e/support/people.ts';
import { data } from '#tests/e2e/support/sign-in.ts';
import { logIn, test } from './browser.ts';

test('a filter narrows the list', async ({ visitor }) => {
  await visitor.open('/wares?gt=1&gid=1');
  await visitor.click('a[role=checkbox]', '可二次实名');
  await visitor.arrives(/f\.second_realname=1/);
  expect(await visitor.defects()).toEqual([]);
});

test('a script that is lost while the page is left does not undo the navigation', async ({ visitor }) => {
  await visitor.open('/');
  // Firefox ends the loads of a page as soon as another is asked for.
  await visitor.engine.ask(() => {
    window.location.assign('/wares?gt=1&gid=1');
    window.dispatchEvent(new Event('vite:preloadError'));
  });
  await visitor.arrives(/\/wares/);
});

test('a buyer places an order and pays for it from the balance', async ({ visitor, request }) => {
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    request,
    '/api/goods/getGoodsList?goodsTypeId=1&sort=priceAsc&minPrice=50&pageSize=12',
  );
  await logIn(visitor);
  await visitor.open(list.at(-1)?.pageUrl ?? '');
  await visitor.click('a, button', '立即购买');
  await visitor.sees('确认订单', 'h1, h2');
  await visitor.click('button', '提交订单');
  await visitor.arrives(/\/pay\?orderSn=/);
  await visitor.click('label', '余额支付');
  await visitor.click('button', '确认支付');
  await visitor.sees('输入支付密码', 'dialog');
  await visitor.type('dialog input[type=password]', PAY_PASSWORD);
  await visitor.shoot('pay password');
  await visitor.click('dialog button', '确认', { isExact: true });
  await visitor.arrives(/\/success\?orderSn=/);
  await visitor.sees('付款成功');
  expect(await visitor.defects()).toEqual([]);
});

test('a message and a picture are sent in the chat of an order', async ({ visitor }, info) => {
  await logIn(visitor);
  await visitor.open('/chatSystem?status=2&returnType=0');
  await visitor.click('[aria-label="订单"] a');
  await visitor.arrives(/orderSn=/);
  const text = `另一种浏览器里的一句话 ${visitor.name} ${Date.now()}`;
  await visitor.type('textarea[aria-label="消息"]', text);
  await visitor.click('button', '发送', { isExact: true });
  await visitor.sees(text, '[role=log]');
  const pictures = async () =>
    await visitor.engine.ask(() => document.querySelectorAll('[role=log] img[alt="聊天图片"]').length);
  const before = await pictures();
  const file = info.outputPath('screen.png');
  writeFileSync(file, Buffer.from(await visitor.engine.picture(), 'base64'));
  await visitor.engine.attach('.chat-field input[type="file"]', file);
  await expect.poll(pictures, { timeout: 60_000 }).toBe(before + 1);
  await visitor.shoot('chat');
  expect(await visitor.defects()).toEqual([]);
});
