/** Rights of the server's own database log-in, tried with its own credentials and without the role that the pool narrows itself to. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { excessPrivileges } from '#server/db/privileges.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

/** Rows that may be removed: what is passing by nature, and nothing that money, a dispute or a record rests on. */
const REMOVABLE = [
  'alert',
  'api_call',
  'api_nonce',
  'black_external',
  'brand_draft',
  'brand_plan',
  'channel_statement_line',
  'chat_gateway',
  'chat_presence',
  'chat_ticket',
  'companion_slot',
  'dist_host',
  'game_draft',
  'goods_draft',
  'goods_finding',
  'goods_follow',
  'goods_reference',
  'goods_search',
  'goods_view',
  'goods_week',
  'idempotency',
  'import_row',
  'listing_import',
  'listing_import_picture',
  'listing_import_row',
  'inspection',
  'league_match',
  'league_team',
  'limit_counter',
  'link_mark',
  'link_push',
  'link_push_site',
  'notice',
  'notice_delivery',
  'notice_quiet',
  'on_sale_delta',
  'order_delta',
  'outbox',
  'price_stat',
  'push_subscription',
  'reconcile_difference',
  'role_card',
  'rule_draft',
  'search_change',
  'search_miss',
  'search_miss_visitor',
  'sell_time_stat',
  'service_block',
  'service_queue',
  'session',
  'setup_token',
  'sms_code',
  'staff_browser',
  'staff_invite',
  'staff_passkey',
  'staff_passkey_challenge',
  'staff_role',
  'staff_shift',
  'staff_view',
  'step_up',
  'third_party_binding',
  'third_party_ticket',
  'timer',
  'top_seller',
  'trade_day',
  'trade_stat',
  'valuation',
  'valuation_model',
  'verify_query',
  'want_match',
  'webhook_attempt',
  'webhook_delivery',
  'wechat_login',
  'wechat_push_ticket',
];

/** Rows that are only ever added: records, and what was once agreed, ruled or reported. */
const ADDED_ONLY = [
  'audit_log',
  'black_event',
  'brand_publication',
  'brand_terms',
  'brand_version',
  'consent',
  'deposit_entry',
  'deposit_penalty',
  'dispute_appeal',
  'dispute_event',
  'dispute_ruling',
  'dispute_ruling_rule',
  'dispute_statement',
  'goods_event',
  'guarantee_claim_step',
  'news_version',
  'order_process',
  'provider_event',
  'seller_level_change',
  'service_progress',
];

/** Tables and views that are only read; functions of the owner write them. */
const READ_ONLY = [
  'audit_head',
  'audit_seal',
  'channel_movement',
  'ledger_account',
  'ledger_entry',
  'ledger_transfer',
  'order_transition',
  'schema_migrations',
];

interface Rights {
  name: string;
  add: boolean;
  change: boolean;
  remove: boolean;
  more: boolean;
}

const rights = async (): Promise<Rights[]> =>
  (
    await sql<Rights>`select c.relname as name, has_table_privilege(session_user, c.oid, 'insert') as add,
        has_any_column_privilege(session_user, c.oid, 'update') as change, has_table_privilege(session_user, c.oid, 'delete') as remove,
        has_table_privilege(session_user, c.oid, 'truncate, trigger, references') as more
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') order by 1`.execute(
      t.ctx.db,
    )
  ).rows;

/** A connection with the server's credentials and nothing of its settings, as a thief would open it. */
async function stolen<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: t.ctx.config.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("P11: the server's own database log-in", () => {
  test('can assume no other role and own nothing', async () => {
    expect(await excessPrivileges(t.ctx.config.databaseUrl ?? '')).toEqual([]);
    await stolen(async (client) => {
      await client.query('set role none');
      expect((await client.query('select current_user as name')).rows).toEqual([{ name: 'youshi_app' }]);
      for (const statement of [
        'set role youshi',
        'set role postgres',
        'set session authorization youshi',
        'alter table ledger_account disable trigger all',
        'alter table audit_log disable trigger all',
        'set session_replication_role = replica',
        'update ledger_account set balance = balance + 100000000',
        'insert into ledger_entry default values',
        'delete from audit_log',
        "update audit_log set act = 'nothing'",
        'truncate audit_log',
        'drop table audit_log',
        'grant youshi to youshi_app',
        'create role thief superuser',
        'alter role youshi_app superuser',
        'create table public.thief (id int)',
        'create or replace function ledger_post(p_transfers jsonb) returns boolean language sql as $$ select true $$',
        'delete from orders',
        'delete from payment',
        'delete from withdrawal',
        'delete from refund',
        'delete from hold',
        'delete from sealed_credential',
        'delete from guarantee_claim',
        'delete from dispute',
        'delete from schema_migrations',
      ]) {
        const outcome = await client.query(statement).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        expect([statement, outcome]).toEqual([statement, expect.stringMatching(/^42501$/)]);
      }
    });
  });

  test('cannot hide the ledger from the owner’s functions by a temporary table', async () => {
    const { rows } = await sql<{ name: string; path: string | null }>`
      select p.oid::regprocedure::text as name, array_to_string(p.proconfig, ' ') as path from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef`.execute(t.ctx.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, path } of rows)
      expect([name, path]).toEqual([name, expect.stringMatching(/search_path=public, pg_temp$/)]);
  });

  test('may delete temporary data only', async () => {
    const removable = (await rights()).filter(({ remove }) => remove).map(({ name }) => name);
    expect(removable.filter((name) => !REMOVABLE.includes(name))).toEqual([]);
  });

  test('only inserts into records, and only reads what functions of the owner write', async () => {
    const all = await rights();
    expect(all.filter(({ more }) => more)).toEqual([]);
    const changed = all.filter(({ change }) => change).map(({ name }) => name);
    expect(changed.filter((name) => ADDED_ONLY.includes(name) || READ_ONLY.includes(name))).toEqual([]);
    const frozen = all.filter(({ change, remove }) => !change && !remove).map(({ name }) => name);
    expect(frozen).toEqual(expect.arrayContaining([...ADDED_ONLY, ...READ_ONLY].toSorted()));
    const read = all.filter(({ add, change, remove }) => !add && !change && !remove).map(({ name }) => name);
    expect(read).toEqual(expect.arrayContaining(READ_ONLY));
  });
});

describe('P11: a start', () => {
  const say = (): void => undefined;
  const log = { info: say, warn: say };
  const prepare = async (overrides: {
    databaseUrl: string;
    migrateUrl?: string;
    production?: boolean;
    demo?: boolean;
  }) =>
    await prepareDatabase({
      config: { production: true, demo: false, migrateUrl: undefined, ...overrides },
      embedded: undefined,
      log,
      print: say,
    });

  test('is rejected with a run-time role that could become the owner, except in a demo and in development', async () => {
    const database = await createTestDatabase();
    try {
      const { url, ownerUrl } = database;
      await expect(prepare({ databaseUrl: ownerUrl })).rejects.toThrow(/MIGRATE_DATABASE_URL/);
      await expect(prepare({ databaseUrl: ownerUrl, migrateUrl: ownerUrl })).rejects.toThrow(/所有者/);
      expect(await prepare({ databaseUrl: ownerUrl, demo: true })).toEqual({ url: ownerUrl, ownerUrl });
      expect(await prepare({ databaseUrl: ownerUrl, production: false })).toEqual({ url: ownerUrl, ownerUrl });
      expect(await prepare({ databaseUrl: url, migrateUrl: ownerUrl })).toEqual({ url, ownerUrl });
      expect(await prepare({ databaseUrl: url })).toEqual({ url, ownerUrl: undefined });
    } finally {
      await database.drop();
    }
  });

  test('reports an outdated schema when no owner connection is set', async () => {
    const database = await createTestDatabase({ empty: true });
    try {
      await expect(prepare({ databaseUrl: database.url })).rejects.toThrow(/npm run migrate/);
    } finally {
      await database.drop();
    }
  });
});
