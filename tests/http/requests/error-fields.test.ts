/** The envelope of an error says which field of the input it is about, however deep that field lies. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { saveNoticeSettings } from '#subjects/notices/contract/inbox.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';
import { login, register } from '#subjects/accounts/contract/user.ts';
import { newPhone, type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let offers: OfferFixture;
let user: TestUser;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
  user = await offers.sellerWith(10);
});
afterAll(() => t.close());

const BAD_INPUT = codes.BAD_INPUT[0];

test('names a field of the input, with its message', async () => {
  const bad = accountOffer({ price: '12.345' });
  expect(await user.client.call(releaseGoods, bad)).toMatchObject({ code: BAD_INPUT, status: 422, field: 'price' });
  expect(await user.client.call(releaseGoods, bad, { json: true })).toMatchObject({ field: 'price' });
});

test('names a field inside a list by its whole path', async () => {
  const kinds = [
    { kind: 'order.paid', channels: [] },
    { kind: '1', channels: [] },
  ];
  const wrong = await user.client.call(saveNoticeSettings, { kinds });
  expect(wrong).toMatchObject({ code: BAD_INPUT, field: 'kinds.1.kind', msg: '消息类型不正确' });
});

test('names a field that a service rejects, also of the game’s form', async () => {
  const details = { rank: 'no such rank', noble: 8 };
  const wrong = await user.client.call(releaseGoods, accountOffer({ details }));
  expect(wrong).toMatchObject({ code: BAD_INPUT, field: 'details.rank' });
  expect(await user.client.call(releaseGoods, accountOffer({ serverId: 1 }))).toMatchObject({ field: 'serverId' });
});

test('names a field that a database constraint rejects', async () => {
  const offer = accountOffer();
  await user.client.ok(releaseGoods, offer);
  const again = await user.client.call(releaseGoods, offer);
  expect(again).toMatchObject({ code: codes.GOODS_DUPLICATE[0], field: 'accountNo' });
});

test('names the code and the password in the forms that log in and register', async () => {
  const visitor = t.client();
  await visitor.raw({ method: 'GET', url: '/' });
  const phone = newPhone();
  const input = { phone, smsCode: '000000', passWord: 'a-good-Pass1', agree: true };
  expect(await visitor.call(register, input)).toMatchObject({ code: codes.SMS_CODE_WRONG[0], field: 'smsCode' });
  expect(await visitor.call(register, { ...input, inviteCode: 'NOBODY' })).toMatchObject({ field: 'inviteCode' });
  expect(await visitor.call(login, { username: phone, password: 'wrong-Pass1' })).toMatchObject({ field: 'password' });
});

test('names no field where the error is about none or the caller chose its name', async () => {
  const gone = await user.client.call(releaseGoods, accountOffer({ gameId: 999_999 }));
  expect(gone.code).not.toBe(0);
  expect(gone.field).toBeUndefined();
  const key = `${'x'.repeat(41)}<b>`;
  const odd = await user.client.call(releaseGoods, accountOffer({ details: { [key]: 1 } }));
  expect(odd.code).toBe(BAD_INPUT);
  expect(odd.field).toBeUndefined();
});
