/** The clocks of inspections at their limits, with the clock stopped. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inspectionSeal, staffInspectionPick } from '#subjects/inspections/contract/inspection.ts';
import { wholeSecond } from '#tests/support/time/boundary.ts';
import { FIELDS, type Inspections, openInspections, type Shelf } from '#tests/support/services/inspections.ts';
import { seenAround, type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

let m: Inspections;
let clock: StoppedClock;
let from: number;
/** A listing that was read as stated. */
let inspected: Shelf;

beforeAll(async () => {
  m = await openInspections();
  inspected = await m.inspected();
  clock = await stoppedClock(m.t);
  from = wholeSecond();
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  await m.close();
});

const setting = () => m.t.ctx.dir.setting('inspection');
/** Staff choose a listing; the session of one who logged in before another test has ended with that test's time. */
const pick = async (goodsSn: string): Promise<number> => {
  const staff = await m.t.newStaff({ role: 'service' });
  return (await staff.client.ok(staffInspectionPick, { goodsSn })).taskId;
};
/** The state of a task and whether its credentials are stored, a second before a limit, at it and a second after it. */
const around = async (limitMs: number, taskId: number) =>
  await seenAround({ t: m.t, clock }, limitMs, async () => {
    const { status, sealed } = (await m.task(taskId)) ?? {};
    return [status, sealed];
  });

describe('an inspection', () => {
  test('ends at the deadline when the seller does not submit the account', async () => {
    const goods = await m.shelf();
    const taskId = await pick(goods.sn);
    expect(await around(from + setting().sealSeconds * 1000, taskId)).toEqual([
      ['waiting', false],
      ['closed', false],
      ['closed', false],
    ]);
  });

  test('ends at the staff deadline, counted from the submission', async () => {
    const goods = await m.shelf();
    const taskId = await pick(goods.sn);
    const submitted = from + (setting().sealSeconds - 1) * 1000;
    await clock.stopAt(submitted);
    await goods.seller.client.ok(inspectionSeal, { taskId, fields: FIELDS });
    expect(await around(submitted + setting().workSeconds * 1000, taskId)).toEqual([
      ['queued', true],
      ['closed', false],
      ['closed', false],
    ]);
  });
});

test('a re-inspection that is not done in time returns its fee at that second', async () => {
  const buyer = await m.t.newUser({ balanceFen: 10_000 });
  const taskId = await m.again(inspected, buyer);
  const paid = await m.available(buyer);
  expect(paid).toBeLessThan(10_000);
  const seen = await seenAround({ t: m.t, clock }, from + setting().workSeconds * 1000, () => m.available(buyer));
  expect(seen).toEqual([paid, 10_000, 10_000]);
  expect(await m.task(taskId)).toMatchObject({ status: 'closed', sealed: false });
});
