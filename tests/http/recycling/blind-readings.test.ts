/** Whoever reads an account in the game does not see what its seller stated until the reading is stored (decision 747). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { staffPicture } from '#tests/support/orders/orders.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { openRecycling, type Recycling } from '#tests/support/services/recycling.ts';

/** Values that appear nowhere else. */
const STATED = { skins: 217, clean: true };
const READ = { skins: 143, clean: true };
let m: Recycling;
beforeAll(async () => {
  m = await openRecycling();
});
afterAll(() => m.close());

/** Everything that the calls of staff return about a request and its order. */
async function seenBy(staff: TestStaff, sn: string, orderSn: string): Promise<string> {
  const { list } = await staff.client.ok(c.staffRecycleList, { pageSize: 50 });
  const answers = [
    list.find(({ requestSn }) => requestSn === sn),
    await staff.client.ok(c.staffRecycleInfo, { requestSn: sn }),
    orderSn === '' ? null : await staff.client.ok(staffOrderDetail, { orderSn }),
  ];
  return JSON.stringify(answers.map((answer) => answer && { ...answer, fields: [] }));
}

test('a recycled account: the values are hidden from the bids to the reading, then shown with the difference', async () => {
  const asked = await m.ask(undefined, STATED);
  expect(await seenBy(m.kefu, asked.sn, '')).not.toContain('217');
  const request = await m.soldToPlatform(STATED);
  const { orderSn } = await m.info(request);
  expect(await seenBy(m.kefu, request.sn, orderSn ?? '')).not.toContain('217');
  // The cover is drawn from the stated values.
  const thumbnail = async () => (await m.kefu.client.ok(staffOrderDetail, { orderSn: orderSn ?? '' })).thumbnail;
  expect(await thumbnail()).not.toContain(request.sn);
  // Its seller still reads them.
  expect((await m.info(request)).title).toContain('217');
  expect((await m.inspect(request.sn, READ)).code).toBe(0);
  const { readings, title } = await m.kefu.client.ok(c.staffRecycleInfo, { requestSn: request.sn });
  expect(readings.find(({ key }) => key === 'skins')).toMatchObject({ said: '217款', found: '143款' });
  expect(title).toContain('217');
  const { attrs } = await m.kefu.client.ok(staffOrderDetail, { orderSn: orderSn ?? '' });
  expect(JSON.stringify(attrs)).toContain('217');
  expect(await thumbnail()).toContain(request.sn);
});

test('the second reader sees neither the values nor the first reading, the first reader sees both', async () => {
  await putSetting(m.t, 'withdraw', { secondPersonFen: 100 });
  const request = await m.soldToPlatform(STATED);
  const { orderSn } = await m.info(request);
  expect((await m.inspect(request.sn, READ)).data).toMatchObject({ status: 'accepted', waits: true });
  const chief = await m.t.newStaff({ role: 'admin' });
  const seen = await seenBy(chief, request.sn, orderSn ?? '');
  expect(seen).not.toContain('217');
  expect(seen).not.toContain('143');
  expect(await seenBy(m.kefu, request.sn, '')).toContain('143');
  const read = await m.inspect(request.sn, READ, chief, [await staffPicture(chief)]);
  expect(read.data).toMatchObject({ status: 'reconfirm', waits: false });
  expect(await seenBy(chief, request.sn, orderSn ?? '')).toContain('217');
});
