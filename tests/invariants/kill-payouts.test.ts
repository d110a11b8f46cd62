/**
 * Kill -9 of the server and of PostgreSQL while withdrawals are paid out by a channel and by lists. Afterwards each payee was paid once, each
 * withdrawal is in one list, and the books are whole.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStaff } from '#subjects/back-office/server/staff/create.ts';
import { account, brokenInvariants, openHold, post } from '#subjects/ledger/server/service.ts';
import { bookLine, enterResults, exportPayouts } from '#subjects/payments/server/service.ts';
import { approveWithdrawal } from '#subjects/payments/server/payouts/withdraw.ts';
import { seededChance } from '#tests/support/time/chance.ts';
import { FakeAlipay } from '#tests/support/fakes/alipay.ts';
import { sizeOf } from '#tests/sizes.ts';
import { killable, type KillableMarket, type Walker } from '#tests/support/servers/killable.ts';

const chance = seededChance('kill-payouts');

const ROUNDS = sizeOf('killPayoutRounds');
/** One round kills the server, the next PostgreSQL. The seed decides which comes first, so that a run of one round tries both in time. */
const SERVER_FIRST = chance.next() < 0.5;
const PAYOUTS = 120;
/** Small enough that no withdrawal of the day needs a second person. */
const FEN = 100;

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const fake = new FakeAlipay(ours.publicKey);
let market: KillableMarket;
let payee: Walker;
let card = 0;
const staff: { id: number; distId: null }[] = [];

const pem = (key: KeyObject, type: 'pkcs8' | 'spki'): string => key.export({ type, format: 'pem' }) as string;

beforeAll(async () => {
  const gateway = await fake.listen();
  market = await killable('kill-payouts', {
    PAY_PROVIDERS: 'alipay',
    PAYOUT_WAYS: 'alipay,bank',
    PAY_ORIGIN: 'https://market.example',
    ALIPAY_GATEWAY: `${gateway}/gateway.do`,
    ALIPAY_APP_ID: fake.appId,
    ALIPAY_SELLER_ID: fake.sellerId,
    ALIPAY_PRIVATE_KEY: pem(ours.privateKey, 'pkcs8'),
    ALIPAY_PUBLIC_KEY: pem(fake.own.publicKey, 'spki'),
  });
  payee = await market.person(900_000_000);
  for (const login of ['maker', 'checker']) {
    const made = await createStaff(market.ctx.db, market.ctx.keys, {
      login,
      name: login,
      role: 'finance',
      password: 'Correct-horse-battery-9',
      totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      distId: undefined,
    });
    staff.push({ id: made?.id ?? 0, distId: null });
  }
  const { rows } = await sql<{ id: number }>`
    insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      select user_id, 'bank', account_enc, 'card', '6222****', name_enc from payout_account where user_id = ${payee.id} returning id`.execute(
    market.ctx.db,
  );
  card = rows[0]?.id ?? 0;
}, 300_000);
afterAll(async () => {
  await market.close();
  await fake.close();
});

/** Withdrawals that were asked for, by their numbers. */
async function requestWithdrawals(kind: 'alipay' | 'bank', round: number): Promise<string[]> {
  const { db } = market.ctx;
  const payout =
    kind === 'bank'
      ? sql`${card}::bigint`
      : sql`(select id from payout_account where user_id = ${payee.id} and kind = 'alipay')`;
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen)
      select 'W' || ${kind === 'bank' ? 'B' : 'A'}::text || ${round}::int || 'N' || i, 1, ${payee.id}, ${payout}, ${FEN} from generate_series(1, ${PAYOUTS}) i
      returning id, sn`.execute(db);
  for (const { id, sn } of rows) {
    const [debit, credit] = [account.available(payee.id), account.frozen(payee.id)];
    await post(db, [{ code: 'withdraw_ask', ref: `withdrawal:${id}`, debit, credit, fen: FEN, dist: 1 }]);
    await openHold(db, { userId: payee.id, amountFen: FEN, code: 'withdrawal', reason: '提现', ref: sn });
  }
  return rows.map(({ sn }) => sn);
}

/** Repeats what a dead database answered with a lost connection, as staff would click again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      const { error: name = '', message } = error as { error?: string; message: string };
      // Done by the try whose answer was lost.
      if (name === 'WITHDRAW_STATE' || name === 'NOT_FOUND') return undefined as T;
      if (tries > 100) throw new Error(`no definitive answer: ${message}`, { cause: error });
      await sleep(50 + chance.next() * 150);
    }
}

async function strike(round: number): Promise<void> {
  await sleep(200 + chance.next() * 600);
  if ((round % 2 === 0) === SERVER_FIRST) {
    await market.server.kill();
    await market.server.start();
  } else if (market.database.pid !== undefined) process.kill(market.database.pid, 'SIGKILL');
}

/** Waits until every withdrawal of a round is paid; a timer that is far off is made due. */
async function allPaid(prefix: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const open = await again(async () => {
      await sql`update timer set due_at = now() where kind = 'withdraw.pay' and due_at > now() + interval '2 seconds'`.execute(
        market.ctx.db,
      );
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from withdrawal where sn like ${`${prefix}%`} and status <> 2`.execute(market.ctx.db);
      return rows[0]?.n ?? 0;
    });
    if (open === 0) return;
    await sleep(200);
  }
  throw new Error('not all were paid');
}

const [maker, checker] = [() => staff[0] ?? { id: 0, distId: null }, () => staff[1] ?? { id: 0, distId: null }];

test.each(Array.from({ length: ROUNDS }, (_, i) => i))('round %i', { timeout: 240_000 }, async (round) => {
  const { ctx } = market;
  const [byChannel, byList] = [await requestWithdrawals('alipay', round), await requestWithdrawals('bank', round)];
  const before = fake.balanceFen;
  const work = async (): Promise<void> => {
    for (const sn of [...byChannel, ...byList]) await again(() => approveWithdrawal(ctx, maker(), sn));
    // Two exports run concurrently, again and again, until nothing is left.
    for (let i = 0; i < 3; i++)
      await Promise.all(
        [maker(), checker()].map(({ id: staffId }) =>
          again(() => exportPayouts(ctx, { staffId, idem: undefined }, () => Promise.resolve())),
        ),
      );
    const { rows } = await again(() =>
      sql<{ id: number; sn: string }>`
        select l.id, t.sn from payout_line l join payout_list t on t.id = l.list_id join withdrawal w on w.id = l.withdrawal_id
        where w.sn like ${`WB${round}N%`} order by l.id`.execute(ctx.db),
    );
    expect(rows).toHaveLength(PAYOUTS);
    for (const { id: lineId, sn: listSn } of rows) {
      const entry = [{ lineId, result: 'paid' as const, detail: `B${lineId}` }];
      await again(() => enterResults(ctx, { listSn, staffId: maker().id }, entry, () => Promise.resolve()));
      // The entry is the first, unless its answer was lost and it was entered once more.
      await again(async () => {
        const line = await sql<{ no: number }>`select draft_no as no from payout_line where id = ${lineId}`.execute(
          ctx.db,
        );
        const at = { lineId, draftNo: line.rows[0]?.no ?? 0 };
        await bookLine(ctx, { listSn, staffId: checker().id }, at, () => Promise.resolve());
      });
    }
  };
  await Promise.all([work(), strike(round)]);
  await market.reachable();
  await allPaid(`WA${round}N`);
  await allPaid(`WB${round}N`);
  const transfers = await sql<{ no: string }>`
    select channel_no as no from withdrawal where sn like ${`WA${round}N%`} and channel_no is not null`.execute(ctx.db);
  for (const { no } of transfers.rows) expect(fake.transfers.get(no)?.status).toBe('SUCCESS');
  expect(before - fake.balanceFen).toBe(PAYOUTS * FEN);
  expect(await brokenInvariants(ctx.db)).toEqual([]);
});
