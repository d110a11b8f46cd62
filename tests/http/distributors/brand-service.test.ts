/** Brands by the service that the command line and the first start use: what it makes is served immediately. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addHost, createBrand, updateBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

const nobody = { id: null };
let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

/** The error of a promise that must fail: name, field, text. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? `${error.error} ${error.field ?? ''}: ${error.text}` : String(error);
}

async function counts(): Promise<unknown> {
  const { rows } =
    await sql`select (select count(*)::int from distributor) as brands, (select count(*)::int from dist_host) as hosts,
    (select count(*)::int from brand_version) as versions, (select count(*)::int from audit_log where act like 'brand.%') as audits`.execute(
      t.ctx.db,
    );
  return rows[0];
}

test('a brand is served at its host, and its history begins', async () => {
  const input = { code: 'xinghe', name: '星河网游', host: 'WWW.Xinghe.localhost', reason: '新开品牌' };
  const { distId } = await createBrand(t.ctx, nobody, { ...input, content: { hue: 268, layout: 3 } });
  const conf = await t.client({ host: 'www.xinghe.localhost' }).ok(homeConf, {});
  expect(conf).toMatchObject({
    distId,
    distCode: 'xinghe',
    distBaseConf: { websiteName: '星河网游' },
    theme: { hue: 268, layout: 3 },
  });
  expect(t.ctx.dir.byId(distId)).toMatchObject({ commissionBp: 2000, markUpBp: 0, games: null });
  expect(await counts()).toEqual({ brands: 2, hosts: 2, versions: 1, audits: 2 });
});

test.each([
  [{ code: 'xinghe' }, 'BAD_INPUT code: 这个代码已被另一个品牌使用'],
  [{ code: '星河' }, 'BAD_INPUT code: 代码用 2 到 30 个小写字母、数字和短横线，以字母开头，例如 xinghe'],
  [{ name: '一' }, 'BAD_INPUT content.name: 网站名称至少 2 个字'],
  [{ host: 'www.xinghe.localhost' }, 'BAD_INPUT host: 品牌「星河网游」已在用这个域名'],
  [{ host: 'backstage.localhost' }, 'BAD_INPUT host: 这是后台自己的域名，品牌请用另一个'],
  [{ commissionBp: 9600 }, 'BAD_INPUT commissionBp: 佣金应在 0 到 95% 之间：邀请奖励另占手续费的 5%'],
  [{ markUpBp: 3001 }, 'BAD_INPUT markUpBp: 加价应在 0 到 30% 之间'],
  [{ content: { hotGames: [999_999] } }, 'BAD_INPUT content.hotGames: 有一个游戏已不存在，请重新选择'],
  [{ content: { logo: `/img/${'a'.repeat(26)}-100x100` } }, 'BAD_INPUT content.logo: 图片不存在，请重新上传'],
])('rejects %j and changes nothing', async (change, message) => {
  const before = await counts();
  const input = { code: 'other', name: '另一家', host: 'other.localhost', reason: '试' };
  expect(await failure(createBrand(t.ctx, nobody, { ...input, ...change }))).toBe(message);
  expect(await counts()).toEqual(before);
});

describe('changing an existing brand', () => {
  test('changes some fields in a new version, and keeps the installed version as the first', async () => {
    expect(
      await updateBrand(t.ctx, nobody, { distId: 1, content: { serviceNum: '400-8' }, reason: '客服换号' }),
    ).toEqual({
      version: 1,
      live: 1,
    });
    const conf = await t.client().ok(homeConf, {});
    expect(conf).toMatchObject({ customerBlock: { serviceNum: '400-8' }, distBaseConf: { websiteName: '游市' } });
    const { rows } = await sql`select version, reason from brand_version where dist_id = 1 order by version`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([
      { version: 0, reason: '安装时的设置' },
      { version: 1, reason: '客服换号' },
    ]);
  });

  test('a draft changes nothing on the site', async () => {
    const draft = { distId: 1, content: { serviceNum: '400-9' }, reason: '先看看', publish: false };
    expect(await updateBrand(t.ctx, nobody, draft)).toEqual({ version: 2, live: 1 });
    expect((await t.client().ok(homeConf, {})).customerBlock.serviceNum).toBe('400-8');
  });

  test('another host is served immediately; of two concurrent uses of one name one succeeds', async () => {
    await addHost(t.ctx, nobody, { distId: 1, host: 'm.localhost' });
    expect(t.ctx.dir.byHost('m.localhost')?.id).toBe(1);
    const race = await Promise.all(
      [1, 2].map((distId) => failure(addHost(t.ctx, nobody, { distId, host: 'race.localhost' }))),
    );
    expect(race.filter((text) => text === 'undefined')).toHaveLength(1);
    expect(race.filter((text) => /^BAD_INPUT host: 品牌「.+」已在用这个域名$/.test(text))).toHaveLength(1);
  });
});
