/** Games that were published with a code in the seller's form get the step that passes number and codes, by a new version. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGame } from '#tests/support/goods/goods.ts';

const MIGRATION = readFileSync(
  new URL('../../../db/migrations/0221_published_exchange_steps.sql', import.meta.url),
  'utf8',
);

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => await t.close());

const code = [{ key: 'code', label: '原手机收到的验证码', required: false }];
const phone = { key: 'phone', title: '换绑手机', actor: 'seller', minutes: 10, evidence: true, required: true };
const own = { ...phone, secret: true, fields: [...code, { key: 'pin', required: true }], explain: '按本站的说明' };

interface Row {
  gameId: number;
  version: number;
  accounts: (typeof phone & { exchange?: string; secret?: boolean; explain: string })[];
}

async function latest(gameId: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select game_id as "gameId", version, body->'accounts' as accounts from catalogue_version
    where game_id = ${gameId} and kind = 'handover' order by version desc limit 1`.execute(t.ctx.db);
  return rows[0];
}

async function publish(accounts: readonly object[]): Promise<{ gameId: number; version: number }> {
  const { rows } = await sql<{ gameId: number; version: number }>`
    insert into catalogue_version (game_id, kind, version, body)
    select g.id, 'handover', coalesce((select max(v.version) from catalogue_version v where v.game_id = g.id and v.kind = 'handover'), 0) + 1,
      jsonb_build_object('accounts', ${JSON.stringify(accounts)}::jsonb, 'deliveries', '[]'::jsonb)
    from game g order by g.id limit 1 returning game_id as "gameId", version`.execute(t.ctx.db);
  if (!rows[0]) throw new Error('no game');
  return rows[0];
}

const migrate = async () => await sql.raw(MIGRATION).execute(t.ctx.db);

test('the old step becomes the exchange of the shipped catalogue, once; what staff wrote stays', async () => {
  const before = await publish([
    { ...phone, secret: true, fields: code, explain: '密保手机改为买家号码，验证码由卖家填入密封表单，十分钟内有效' },
    own,
    { ...phone, secret: true, fields: code, explain: '短信保护改为买家号码，验证码由卖家填入密封表单' },
    { ...phone, key: 'mail', actor: 'buyer', secret: true, fields: code, explain: '渠道服没有邮箱可跳过' },
  ]);
  await migrate();
  const after = await latest(before.gameId);
  expect(after?.version).toBe(before.version + 1);
  const [step, kept, buyers, mail] = after?.accounts ?? [];
  expect(step).toMatchObject({ key: 'phone', actor: 'seller', minutes: 30, exchange: 'phone' });
  expect(step).not.toHaveProperty('secret');
  expect(step?.explain).not.toContain('密封表单');
  expect(kept).toEqual(own);
  expect(buyers).toMatchObject({ actor: 'buyer', exchange: 'phone' });
  expect(mail).toMatchObject({ actor: 'buyer', exchange: 'mail', explain: '渠道服没有邮箱可跳过' });

  await migrate();
  expect((await latest(before.gameId))?.version).toBe(before.version + 1);
});
