/**
 * Every column that holds an amount, a rate or a balance, with the decision on who may change it once it is written (decision 201). A
 * new one without a decision fails here.
 */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';

let t: TestApp;
let client: pg.Client;

beforeAll(async () => {
  t = await testApp();
  client = new pg.Client({ connectionString: t.ctx.config.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await t.close();
});

/** Written once: the server's log-in has no right to update them. */
const FROZEN: Readonly<Record<string, string>> = {
  approval: 'amount_fen',
  bargain: 'offer_fen price_fen',
  boost_request: 'efficiency_fen goods_fen price safety_fen total_fen',
  brand_terms: 'commission_bp mark_up_bp',
  coupon_campaign: 'amount_fen minimum_fen odds_bp',
  debt: 'amount_fen paid_fen',
  deposit_entry: 'amount_fen',
  deposit_penalty: 'amount_fen',
  deposit_release: 'amount_fen',
  dispute: 'want_fen',
  dispute_ruling: 'back_fen penalty_fen refund_fen release_fen',
  dist_settlement: 'amount_fen',
  distributor: 'commission_bp mark_up_bp',
  fund_release: 'amount_fen',
  goods_price_day: 'price_fen',
  guarantee_claim: 'asked_fen',
  guarantee_cover: 'payout_max_fen premium_fen price_fen',
  guarantee_receipt: 'amount_fen',
  hold_stage: 'amount_fen',
  inspection_claim: 'amount_fen',
  inspection_task: 'fee_fen',
  ledger_account: 'balance',
  ledger_entry: 'balance_after delta',
  ledger_transfer: 'amount_fen',
  middleman_deal: 'fee_fen price_fen',
  orders:
    'advance_fen advance_goods_fen commission_fen discount_fen dist_share_fen ensure_fen fix_ensure_fen goods_fen invite_reward_fen service_fee_fen total_fen unit_price_fen',
  payment: 'amount_fen balance_part_fen',
  payout_list: 'total_fen',
  recycle_request: 'floor_fen',
  refund: 'amount_fen',
  service_addition: 'add_fen',
  service_cancel: 'cost_efficiency_fen cost_safety_fen pay_fen',
  service_milestone: 'share_fen',
  service_order: 'efficiency_fen safety_fen',
  service_tip: 'amount_fen',
  time_sale: 'price_fen was_fen',
  withdrawal: 'amount_fen fee_fen',
};

/** Changed by one step each, which a trigger of the table knows. */
const GUARDED: Readonly<Record<string, readonly [columns: string, trigger: string]>> = {
  bargain: ['counter_fen', 'bargain_price_guard'],
  dispute: ['back_fen owed_fen refunded_fen to_seller_fen', 'dispute_money_guard'],
  guarantee_claim: ['debt_fen paid_fen penalty_fen recourse_fen', 'claim_money_guard'],
  guarantee_tier: ['min_fen payout_bp rate_bp', 'guarantee_tier_kept'],
  hold: ['amount_fen short_fen', 'hold_money_guard'],
  orders: ['cut_fen', 'order_cut_once'],
  recycle_quote: ['amount_fen fee_fen', 'recycle_quote_rises'],
  recycle_request: ['cut_fen', 'recycle_cut_guard'],
  want: ['deposit_fen', 'want_deposit_guard'],
};

/** Asked, wished, reported or counted: they pay no one. What is agreed on is copied from them and checked at that moment. */
const FREE: Readonly<Record<string, readonly [columns: string, why: string]>> = {
  alert: ['max_fen min_fen', 'a wish'],
  alert_match: ['price_fen', 'what an alert told'],
  app_user: ['paid_total_fen', 'a count of what was bought'],
  assignment_rule: ['max_fen min_fen', 'which orders go to whom'],
  black_entry: ['amount_fen', 'what somebody reported'],
  channel_statement: [
    'fee_fen pay_fen refund_fen transfer_fen',
    'read anew from the file of the channel, whose hash is kept',
  ],
  channel_statement_line: ['amount_fen', 'read anew from the file of the channel'],
  event_case: ['amount_fen', 'a text'],
  goods: ['price_fen', 'asked; an order keeps its own'],
  goods_follow: ['price_fen told_fen', 'what a follower was told'],
  goods_reference: ['high_fen low_fen typical_fen', 'a statistic; no price to pay'],
  goods_search: ['price_fen', 'the index of goods'],
  guarantee_month: ['paid_fen premium_fen', 'a statistic, made anew from covers and claims'],
  order_delta: ['amount', 'a statistic that is folded into order_day and then deleted'],
  order_day: ['amount', 'a statistic, counted again from the orders'],
  payout_line: ['amount_fen', 'what a list says; booked is the withdrawal’s own amount'],
  price_stat: ['high_fen low_fen typical_fen', 'a statistic'],
  quick_coin_offer: ['lot_price_fen unit_price_micro', 'asked; an order keeps its own'],
  reconcile_difference: ['ours_fen theirs_fen', 'found anew'],
  recycle_coin_offer: ['lot_price_fen', 'offered; an order keeps its own'],
  recycle_reading: ['cut_fen', 'read anew until it counts; the request has what it took off'],
  recycler: ['day_limit_fen', 'a limit that staff set, on record'],
  sell_time_stat: ['day1_bp day7_bp', 'a statistic'],
  service_milestone: ['paid_fen', 'shown beside the ledger, which holds what was paid'],
  service_package: ['efficiency_fen price_fen safety_fen', 'asked; an order keeps its own'],
  trade_day: ['income_fen paid_fen', 'a statistic, counted again from the orders'],
  trade_stat: ['before_fen week_fen', 'a statistic'],
  valuation: ['high_fen low_fen typical_fen', 'an estimate'],
  valuation_model: ['error_bp', 'how an estimate is made'],
  valuation_month: ['loss_fen plain_loss_fen', 'a statistic'],
  want: ['budget_fen', 'a wish'],
  want_match: ['price_fen', 'what a wanted post was told'],
};

const columnsOf = (table: string, message: string): string[] =>
  message.split(' ').map((column) => `${table}.${column}`);
const frozen = Object.entries(FROZEN).flatMap(([table, message]) => columnsOf(table, message));
const guarded = Object.entries(GUARDED).flatMap(([table, [message]]) => columnsOf(table, message));
const free = Object.entries(FREE).flatMap(([table, [message]]) => columnsOf(table, message));

interface Column {
  name: string;
  mayUpdate: boolean;
}

const money = async (): Promise<Column[]> =>
  (
    await sql<Column>`
      select c.table_name || '.' || c.column_name as name,
        has_column_privilege(session_user, format('public.%I', c.table_name), c.column_name, 'update') as "mayUpdate"
      from information_schema.columns c join information_schema.tables b using (table_schema, table_name)
      where c.table_schema = 'public' and b.table_type = 'BASE TABLE'
        and c.column_name ~ '(_fen|_bp|_micro|_yuan)$|^(balance|balance_after|delta|amount|price|fee)$' order by 1`.execute(
      t.ctx.db,
    )
  ).rows;

const outcome = async (statement: string, values: unknown[] = []): Promise<string> =>
  await client.query(statement, values).then(
    ({ rowCount }) => `done ${rowCount ?? 0}`,
    (error: { code?: string }) => error.code ?? '',
  );

describe('P11: columns of money', () => {
  test('each column has its decision', async () => {
    const there = (await money()).map(({ name }) => name);
    expect(there.toSorted()).toEqual([...frozen, ...guarded, ...free].toSorted());
  });

  test('columns written once cannot be changed by the server’s role', async () => {
    const columns = new Map((await money()).map(({ name, mayUpdate }) => [name, mayUpdate]));
    for (const name of frozen) {
      const [table, column] = name.split('.');
      expect([name, columns.get(name)]).toEqual([name, false]);
      expect([name, await outcome(`update ${table} set ${column} = ${column}`)]).toEqual([name, '42501']);
    }
    // So are the parties and references by which an amount finds its owner.
    for (const [table, column] of [
      ['orders', 'seller_id'],
      ['orders', 'fees'],
      ['payment', 'user_id'],
      ['payment', 'order_id'],
      ['refund', 'payment_id'],
      ['withdrawal', 'payout_account_id'],
      ['withdrawal', 'user_id'],
      ['payout_account', 'account_enc'],
      ['payout_account', 'name_enc'],
      ['hold', 'user_id'],
      ['hold', 'ref'],
      ['guarantee_cover', 'terms'],
      ['approval', 'payload'],
      ['approval', 'asked_by'],
      ['coupon', 'campaign_id'],
    ])
      expect([table, column, await outcome(`update ${table} set ${column} = ${column}`)]).toEqual([
        table,
        column,
        '42501',
      ]);
  });

  test('columns that change by one step have a trigger, which the role cannot disable', async () => {
    for (const [table, [, trigger]] of Object.entries(GUARDED)) {
      const { rows } = await client.query(
        `select 1 from pg_trigger where tgrelid = $1::regclass and tgname = $2 and tgenabled = 'O' and tgtype & 16 > 0`,
        [table, trigger],
      );
      expect([trigger, rows.length]).toEqual([trigger, 1]);
      expect([table, await outcome(`alter table ${table} disable trigger ${trigger}`)]).toEqual([table, '42501']);
    }
  });

  test('rows that money depends on cannot be deleted or truncated', async () => {
    for (const table of new Set([...Object.keys(FROZEN), ...Object.keys(GUARDED), 'payout_account', 'coupon'])) {
      expect([table, await outcome(`delete from ${table}`)]).toEqual([table, '42501']);
      expect([table, await outcome(`truncate ${table}`)]).toEqual([table, '42501']);
    }
  });
});

describe('P11: amounts that change by one step', () => {
  const plant = async (statement: string, values: unknown[] = []): Promise<void> =>
    await asSuperuser(databaseOf(t.ctx), statement, values);

  test('a hold is reduced by its released stages, once, and ends once', async () => {
    await plant(`insert into hold (id, user_id, amount_fen, code, reason, ref) overriding system value
      values (901, 1, 1000, 'sale_protection', '保护期', '901'), (902, 1, 1000, 'freeze', '冻结', '902')`);
    await plant(
      `insert into hold_stage (hold_id, seq, amount_fen, before_end) values (901, 1, 300, 100), (901, 2, 200, 50)`,
    );
    expect(await outcome('update hold set amount_fen = 1 where id = 901')).toBe('YS900');
    expect(await outcome('update hold set amount_fen = 2000 where id = 901')).toBe('YS900');
    expect(await outcome('update hold set amount_fen = 999 where id = 902')).toBe('YS900');
    const stage = async (fen: number): Promise<string> =>
      await outcome(`begin; update hold_stage set released_at = now() where hold_id = 901 and seq = 1;
        update hold set amount_fen = amount_fen - ${fen} where id = 901; commit`).finally(
        async () => await client.query('rollback'),
      );
    expect(await stage(301)).toBe('YS900');
    expect(await stage(300)).toBe('done 0');
    expect(await outcome('update hold_stage set released_at = null where hold_id = 901 and seq = 1')).toBe('YS900');
    expect(await stage(300)).toBe('YS900');
    expect(await outcome('update hold set released_at = now() where id = 901')).toBe('done 1');
    expect(await outcome('update hold set released_at = null where id = 901')).toBe('YS900');
    expect(await outcome('update hold set short_fen = 100 where id = 901')).toBe('done 1');
    expect(await outcome('update hold set short_fen = 0 where id = 901')).toBe('YS900');
    const { rows } = await client.query('select amount_fen, short_fen from hold where id = 901');
    expect(rows).toEqual([{ amount_fen: 700, short_fen: 100 }]);
  });

  test('figures of a case and a claim are written with their end', async () => {
    await plant(`insert into dispute (id, sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, first_look_by)
      overriding system value values (901, 'D901', 1, 1, 1, 0, 'other', 'refund', now())`);
    expect(await outcome('update dispute set refunded_fen = 500 where id = 901')).toBe('YS900');
    const end = `update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now(), refunded_fen = 500, back_fen = 0, to_seller_fen = 0 where id = 901`;
    await plant(`update dispute set status = 'evidence' where id = 901`);
    expect(await outcome(end)).toBe('done 1');
    expect(await outcome('update dispute set owed_fen = 700 where id = 901')).toBe('YS900');

    await plant(`insert into guarantee_claim (id, sn, dist_id, cover_id, user_id, order_id, reason, explain, asked_fen, chase_days, first_look_by)
      overriding system value values (901, 'C901', 1, 1, 1, 1, 'recovered', '找回', 1000, 7, now())`);
    expect(await outcome('update guarantee_claim set paid_fen = 900 where id = 901')).toBe('YS900');
    expect(
      await outcome(
        `update guarantee_claim set status = 'paid', paid_fen = 900, debt_fen = 900, decided_at = now() where id = 901`,
      ),
    ).toBe('done 1');
    expect(await outcome('update guarantee_claim set debt_fen = 0 where id = 901')).toBe('YS900');
  });

  test('the deposit of a wanted post is returned in full, and an agreed price is unchanged', async () => {
    await plant(`insert into want (id, sn, user_id, dist_id, game_id, type_id, title, budget_fen, deposit_fen) overriding system value
      values (901, 'W901', 1, 1, 1, 1, '求购', 1000, 100)`);
    expect(await outcome('update want set deposit_fen = 900 where id = 901')).toBe('YS900');
    expect(await outcome('update want set deposit_fen = 0 where id = 901')).toBe('done 1');
    expect(await outcome('update want set deposit_fen = 100 where id = 901')).toBe('YS900');

    await plant(`insert into bargain (id, goods_id, buyer_id, seller_id, dist_id, offer_fen, price_fen, goods_version, status, expires_at)
      overriding system value values (901, 901, 1, 2, 1, 800, 1000, 1, 0, now() + interval '1 day')`);
    expect(await outcome('update bargain set counter_fen = 1 where id = 901')).toBe('YS900');
    expect(await outcome('update bargain set counter_fen = 900, status = 2 where id = 901')).toBe('done 1');
    expect(await outcome('update bargain set counter_fen = 1, status = 3 where id = 901')).toBe('YS900');
    expect(await outcome('update bargain set status = 3 where id = 901')).toBe('done 1');
    expect(await outcome('update bargain set counter_fen = 1, status = 2 where id = 901')).toBe('YS900');
  });
});
