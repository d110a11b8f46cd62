/** Brands in the back office: permissions, invalid input, versions, hosts, terms, previews, adverts with pictures. */
import { staffContentUpload } from '#subjects/media/contract/staff-uploads.ts';
import { chinaClock } from '#contract/rules/time/china-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/distributors/contract/staff-brands.ts';
import { addAdvert, decideAdvert } from '#subjects/content/contract/staff-content.ts';
import { codes } from '#contract/codes.ts';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { emptyContent } from '#subjects/distributors/contract/brand-content.ts';
import { createApp, pageCall } from '#server/app.ts';
import { type Context, createContext } from '#server/context.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { TestClient } from '#tests/support/servers/client.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

/** Until a message of the bus has arrived: sooner than a cached response ends by itself. */
const ANNOUNCED = { timeout: 20_000, interval: 20 };

let t: TestApp;
let admin: TestStaff;
let finance: TestStaff;
/** Operators of the two brands. */
let own: TestStaff;
let foreign: TestStaff;
let distId: number;
let otherId: number;

beforeAll(async () => {
  t = await testApp();
  const nobody = { id: null };
  const brand = (code: string, name: string) =>
    createBrand(t.ctx, nobody, { code, name, host: `${code}.localhost`, reason: '新开品牌' });
  ({ distId } = await brand('moon', '月光游戏'));
  ({ distId: otherId } = await brand('star', '星河网游'));
  admin = await t.newStaff();
  finance = await t.newStaff({ role: 'finance' });
  own = await t.newStaff({ role: 'operator', distId });
  foreign = await t.newStaff({ role: 'operator', distId: otherId });
});
afterAll(async () => await t.close());

const infoOf = (staff: TestStaff, id = distId) => staff.client.ok(c.staffBrandInfo, { distId: id });
const confAt = (host = 'moon.localhost') => t.client({ host }).ok(homeConf, {});

/** Saves a change based on the newest version. */
async function saveAs(staff: TestStaff, change: object, publish = true) {
  const { newest, newestContent } = await infoOf(staff);
  return await staff.client.call(c.saveBrand, {
    distId,
    base: newest,
    content: { ...newestContent, ...change },
    reason: '测试修改',
    publish,
  });
}

describe('permissions', () => {
  test('an operator sees and edits their own brand, but not its rates', async () => {
    const { list, mayCreate } = await own.client.ok(c.staffBrandList, {});
    expect(list.map((b) => b.distId)).toEqual([distId]);
    expect(mayCreate).toBe(false);
    expect(await infoOf(own)).toMatchObject({ terms: null, may: { edit: true, manage: false, terms: false } });
    expect(await infoOf(admin)).toMatchObject({ terms: { commissionBp: 2000 }, may: { manage: true, terms: true } });
  });

  test('another brand counts as missing for an operator, and nothing of it changes', async () => {
    const before = await infoOf(admin);
    const content = { ...before.newestContent, name: '被改的品牌' };
    const at = { distId, base: before.newest, reason: '不是我的' };
    const results = await Promise.all([
      foreign.client.call(c.staffBrandInfo, { distId }),
      foreign.client.call(c.staffBrandVersion, { distId, version: 1 }),
      foreign.client.call(c.saveBrand, { ...at, content, publish: true }),
      foreign.client.call(c.publishBrand, { ...at, version: 1, live: 1 }),
      foreign.client.call(c.previewBrand, { ...at, content }),
      foreign.client.call(c.dropBrandDraft, { distId }),
    ]);
    expect(results.map((r) => r.code)).toEqual(results.map(() => codes.NOT_FOUND[0]));
    expect(await infoOf(admin)).toEqual(before);
  });

  test('only the platform manages hosts, rates and new brands', async () => {
    const results = await Promise.all([
      own.client.call(c.addBrandHost, { distId, host: 'a.example.com' }),
      own.client.call(c.changeBrandHost, { distId, host: 'moon.localhost', act: 'remove' }),
      own.client.call(c.setBrandTerms, { distId, base: 0, markUpBp: 0, commissionBp: 9000, reason: '多分一点' }),
      own.client.call(c.staffCreateBrand, { code: 'mine', name: '我的品牌', reason: '自己开' }),
    ]);
    expect(results.map((r) => r.code)).toEqual(results.map(() => codes.FORBIDDEN[0]));
  });
});

describe('invalid input', () => {
  test.each([
    [{ name: '' }, 'content.name'],
    [{ hue: 40 }, 'content.hue'],
    [{ chroma: 9 }, 'content.chroma'],
    [{ layout: 0 }, 'content.layout'],
    [{ logo: '/img/x' }, 'content.logo'],
    [{ icon: `/img/${'b'.repeat(26)}-64x64` }, 'content.icon'],
    [{ hotGames: [424_242] }, 'content.hotGames'],
    [
      {
        menus: [
          { title: '好', url: '/a' },
          { title: '坏', url: 'x' },
        ],
      },
      'content.menus.1.url',
    ],
    [{ certificates: [{ url: '', htUrl: '/', tarAtt: '_self' }] }, 'content.certificates.0.url'],
    [{ baiduTj: '<script src=x>' }, 'content.baiduTj'],
  ])('%j is rejected with the name of the field, and nothing is stored', async (change, field) => {
    const before = await infoOf(own);
    const result = await saveAs(own, change);
    expect([result.status, result.field]).toEqual([422, field]);
    expect(result.msg).not.toContain('script');
    expect(await infoOf(own)).toEqual(before);
  });

  test('a host that is malformed, in use, or the back office’s own is rejected', async () => {
    const add = async (host: string) => {
      const { msg, field } = await admin.client.call(c.addBrandHost, { distId, host });
      return `${field}: ${msg}`;
    };
    expect(await add('https://a.example.com')).toBe('host: 只填域名本身，不带 https:// 和路径，例如 www.example.com');
    expect(await add('star.localhost')).toBe('host: 品牌「星河网游」已在用这个域名');
    expect(await add('moon.localhost')).toBe('host: 本品牌已在用这个域名');
    expect(await add('backstage.localhost')).toBe('host: 这是后台自己的域名，品牌请用另一个');
  });

  test('logo and icon must be pictures that staff uploaded, and an icon must be square', async () => {
    const picture = await sendPicture(own.client, await pictureFile('png'), { path: staffContentUpload.path });
    const { imageUri } = picture.data;
    const wrong = await saveAs(own, { icon: imageUri });
    expect([wrong.status, wrong.field]).toEqual([422, 'content.icon']);
    expect(wrong.msg).toMatch(/^图标应为正方形/);
    const user = await t.newUser();
    const users = await sendPicture(user.client, await pictureFile('png'));
    expect((await saveAs(own, { logo: users.data.imageUri })).field).toBe('content.logo');
  });
});

describe('versions', () => {
  test('a draft changes nothing, a published version is on the site, and restoring an older one creates a new version', async () => {
    const { live: first } = await infoOf(own);
    const hueBefore = (await confAt()).theme.hue;
    expect((await saveAs(own, { hue: 300, serviceNum: '400-300' }, false)).data.live).toBe(first);
    expect((await confAt()).theme.hue).toBe(hueBefore);
    const draft = (await infoOf(own)).newest;
    await own.client.ok(c.publishBrand, { distId, version: draft, live: first, reason: '看过了，可以' });
    expect(await confAt()).toMatchObject({ theme: { hue: 300 }, customerBlock: { serviceNum: '400-300' } });
    const back = await own.client.ok(c.publishBrand, { distId, version: first, live: draft, reason: '还是原来的好' });
    expect(back.version).toBe(draft + 1);
    expect((await confAt()).theme.hue).toBe(hueBefore);
    const { versions } = await infoOf(own);
    expect(versions[0]).toMatchObject({ version: draft + 1, restoredFrom: first, reason: '还是原来的好' });
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`brand:${distId}`} and staff_id = ${own.id} order by id desc limit 3`.execute(
      t.ctx.db,
    );
    expect(rows.map((r) => r.act)).toEqual(['brand.restore', 'brand.publish', 'brand.save']);
  });

  test('when two editors save at the same time, the second gets an error that names the first, whose change is kept', async () => {
    const { newest, newestContent } = await infoOf(own);
    const save = (staff: TestStaff, change: object) =>
      staff.client.call(c.saveBrand, {
        distId,
        base: newest,
        content: { ...newestContent, ...change },
        reason: '同时修改',
        publish: true,
      });
    const results = await Promise.all([save(own, { welcome: '甲的欢迎词' }), save(admin, { serviceNum: '乙的号码' })]);
    const lost = results.filter((r) => r.code !== 0);
    expect(lost.map((r) => [r.status, r.field])).toEqual([[409, 'base']]);
    expect(lost[0]?.msg).toMatch(/^员工\d+ \d\d:\d\d 已保存第 \d+ 版；您的改动都还在，合并后再保存$/);
    expect((await infoOf(own)).newest).toBe(newest + 1);
    const won = results.findIndex((r) => r.code === 0);
    const conf = await confAt();
    expect([conf.distBaseConf.hdrBarWelceWord, conf.customerBlock.serviceNum]).toEqual(
      won === 0 ? ['甲的欢迎词', newestContent.serviceNum] : [newestContent.welcome, '乙的号码'],
    );
  });

  test('a roll-back is rejected if another version was published after it began', async () => {
    const { live } = await infoOf(own);
    await saveAs(admin, { welcome: '刚刚发布' });
    const late = await own.client.call(c.publishBrand, { distId, version: 1, live, reason: '不知道已经变了' });
    expect(late.code).toBe(codes.CONTENT_CHANGED[0]);
    expect((await confAt()).distBaseConf.hdrBarWelceWord).toBe('刚刚发布');
  });

  test('the server’s database log-in cannot change or delete versions', async () => {
    await expect(sql`update brand_version set reason = 'x'`.execute(t.ctx.db)).rejects.toThrow('permission denied');
    await expect(sql`delete from brand_version`.execute(t.ctx.db)).rejects.toThrow('permission denied');
  });
});

describe('hosts', () => {
  test('a host is served as soon as it is added and until it is removed; the primary host cannot be removed', async () => {
    await admin.client.ok(c.addBrandHost, { distId, host: 'm.moon.localhost' });
    expect((await confAt('m.moon.localhost')).distId).toBe(distId);
    const change = (host: string, act: 'primary' | 'redirect' | 'remove') =>
      admin.client.call(c.changeBrandHost, { distId, host, act });
    expect((await change('moon.localhost', 'remove')).msg).toBe('请先把另一个域名设为主域名，再移除它');
    expect((await change('m.moon.localhost', 'primary')).code).toBe(0);
    expect(t.ctx.dir.originOf(distId)).toContain('//m.moon.localhost');
    expect((await change('m.moon.localhost', 'redirect')).field).toBe('host');
    expect((await change('moon.localhost', 'primary')).code).toBe(0);
    expect((await change('m.moon.localhost', 'remove')).code).toBe(0);
    expect(t.ctx.dir.byHost('m.moon.localhost')).toBeUndefined();
  });

  test('a host can redirect its pages to the primary host, and still serves API calls', async () => {
    await admin.client.ok(c.addBrandHost, { distId, host: 'old.moon.localhost', redirects: true });
    const old = t.client({ host: 'old.moon.localhost:3000' });
    const page = await old.raw({ method: 'GET', url: '/wares?gt=1' });
    expect([page.statusCode, page.headers.location]).toEqual([302, 'http://moon.localhost:3000/wares?gt=1']);
    expect((await old.ok(homeConf, {})).distId).toBe(distId);
    await admin.client.ok(c.changeBrandHost, { distId, host: 'old.moon.localhost', act: 'serve' });
    expect((await old.raw({ method: 'GET', url: '/wares?gt=1' })).headers.location).toBeUndefined();
  });

  test('the platform’s last host cannot be removed', async () => {
    const remove = { distId: 1, host: 'localhost', act: 'remove' } as const;
    expect((await admin.client.call(c.changeBrandHost, remove)).msg).toBe('平台至少保留一个域名');
  });
});

describe('rates', () => {
  const terms = (commissionBp: number, base: number, startTime = '') =>
    finance.client.call(c.setBrandTerms, { distId, base, markUpBp: 0, commissionBp, startTime, reason: '新合同' });
  const china = (ms: number) => chinaClock(new Date(ms)).slice(0, 16);

  test('apply from their start time', async () => {
    expect((await terms(3000, 0)).code).toBe(0);
    expect(t.ctx.dir.byId(distId)?.commissionBp).toBe(3000);
    expect((await terms(4000, 1, china(Date.now() + 86_400_000))).code).toBe(0);
    const dist = t.ctx.dir.byId(distId);
    expect(dist?.commissionBp).toBe(3000);
    const info = await infoOf(finance);
    expect(info.terms?.list.map((x) => [x.commissionBp, x.isAhead])).toEqual([
      [4000, true],
      [3000, false],
    ]);
  });

  test('are rejected with a start in the past, above the maximum, or when another change was saved first', async () => {
    expect(await terms(3000, 2, china(Date.now() - 3_600_000))).toMatchObject({ status: 422, field: 'startTime' });
    expect(await terms(9600, 2)).toMatchObject({ status: 422, field: 'commissionBp' });
    const race = await Promise.all([terms(3100, 2), terms(3200, 2)]);
    expect(race.map((r) => r.code).toSorted((a, b) => a - b)).toEqual([0, codes.CONTENT_CHANGED[0]]);
  });
});

describe('preview', () => {
  /** The brand that a page request to a host shows. */
  async function shownAt(host: string, url: string) {
    const call = await new Promise<Awaited<ReturnType<typeof pageCall>>>((resolve, reject) => {
      const request = {
        headers: { host },
        url,
        query: Object.fromEntries(new URL(url, 'http://x').searchParams),
        cookies: {},
        protocol: 'http',
        ip: '127.0.0.1',
        raw: { headers: {}, socket: {} },
      };
      pageCall(t.ctx, request as unknown as Parameters<typeof pageCall>[1]).then(resolve, reject);
    });
    return { id: call.dist.id, hue: call.dist.conf.theme.hue, isPreview: call.isPreview };
  }

  test('only the signed URL shows the working copy, and only while its editor is logged in', async () => {
    const editor = await t.newStaff({ role: 'operator', distId });
    const { newest, newestContent } = await infoOf(editor);
    const content = { ...newestContent, hue: 345 === newestContent.hue ? 340 : 200 };
    const { url } = await editor.client.ok(c.previewBrand, { distId, base: newest, content });
    const { search, hostname } = new URL(url);
    expect(hostname).toBe('moon.localhost');
    expect(await shownAt('moon.localhost', `/${search}`)).toEqual({ id: distId, hue: 200, isPreview: true });
    expect((await confAt()).theme.hue).not.toBe(200);
    expect((await infoOf(editor)).draft?.content.hue).toBe(200);
    const plain = { id: distId, hue: newestContent.hue, isPreview: false };
    expect(await shownAt('moon.localhost', '/')).toEqual(plain);
    expect(await shownAt('moon.localhost', `/${search.replace(/.$/, (x) => (x === 'A' ? 'B' : 'A'))}`)).toEqual(plain);
    expect((await shownAt('star.localhost', `/${search}`)).isPreview).toBe(false);
    // A frame that still loads while the working copy is published or dropped shows what is live.
    await editor.client.ok(c.dropBrandDraft, { distId });
    expect(await shownAt('moon.localhost', `/${search}`)).toEqual({ ...plain, isPreview: true });
    await sql`delete from session where staff_id = ${editor.id}`.execute(t.ctx.db);
    expect(await shownAt('moon.localhost', `/${search}`)).toEqual(plain);
  });

  test('dropping the working copy removes it', async () => {
    const { newest, newestContent } = await infoOf(own);
    await own.client.ok(c.previewBrand, { distId, base: newest, content: { ...newestContent, welcome: '草稿' } });
    expect((await infoOf(own)).draft).not.toBeNull();
    await own.client.ok(c.dropBrandDraft, { distId });
    expect((await infoOf(own)).draft).toBeNull();
  });
});

test('a banner needs a picture, and is shown only on its sites and devices', async () => {
  const advert = { position: 'home_banner', title: '周末冲段', htUrl: '/wares', device: 1, distId } as const;
  const bare = await own.client.call(addAdvert, advert);
  expect([bare.status, bare.field]).toEqual([422, 'pictureKey']);
  const { data } = await sendPicture(own.client, await pictureFile('png'), { path: staffContentUpload.path });
  const { id } = await own.client.ok(addAdvert, { ...advert, pictureKey: data.key });
  await admin.client.ok(decideAdvert, { id, act: 'approve' });
  const list = async (host: string, device: number) =>
    (await t.client({ host }).ok(getDistGamedsAdverList, { gameId: 0, device, position: 'home_banner' })).list;
  expect((await list('moon.localhost', 1)).map((a) => a.picture)).toEqual([data.imageUri]);
  expect(await list('moon.localhost', 0)).toEqual([]);
  expect(await list('star.localhost', 1)).toEqual([]);
  await t.ctx.dir.reload();
  expect((await confAt()).adverPosMap.home_banner).toMatchObject([{ title: '周末冲段', picture: data.imageUri }]);
});

test('adverts are shown from their start time, in their sort order', async () => {
  const advert = { position: 'game_top', title: '先看这个', htUrl: '/wares', distId } as const;
  const china = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16);
  const displayed = async () =>
    (
      await t.client({ host: 'moon.localhost' }).ok(getDistGamedsAdverList, { gameId: 0, position: 'game_top' })
    ).list.map((a) => a.title);
  for (const [title, change] of [
    ['后', { sort: 2 }],
    ['先', { sort: 1 }],
    ['还没到', { startTime: china }],
  ] as const) {
    const { id } = await own.client.ok(addAdvert, { ...advert, title: `${title}的广告`, ...change });
    await admin.client.ok(decideAdvert, { id, act: 'approve' });
  }
  expect(await displayed()).toEqual(['先的广告', '后的广告']);
  const bad = await own.client.call(addAdvert, { ...advert, startTime: '2026-02-30T10:00' });
  expect([bad.status, bad.field]).toEqual([422, 'startTime']);
});

describe('two nodes on one database', () => {
  const nodes: { ctx: Context; client: (host: string) => TestClient; close: () => Promise<void> }[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 2; n++) {
      const ctx = await createContext(t.ctx.config, t.ctx.config.databaseUrl ?? '', { log: t.ctx.log });
      const { http } = await createApp(ctx);
      await http.ready();
      const client = (host: string) => new TestClient(http, { host });
      nodes.push({
        ctx,
        client,
        close: async () => {
          await http.close();
          await ctx.close();
        },
      });
    }
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  test('a change on one node is announced to the other', async () => {
    const [one, two] = nodes;
    if (!one || !two) throw new Error('two nodes');
    const editor = one.client('backstage.localhost');
    for (const [name, value] of own.client.jar) editor.jar.set(name, value);
    editor.token = own.client.token;
    const seen = async () => {
      const { theme, distBaseConf } = await two.client('moon.localhost').ok(homeConf, {});
      return { hue: theme.hue, games: distBaseConf.recGameStr };
    };
    await seen();
    const { rows } = await sql<{ id: number }>`
      insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
      values (901, 'gx', '新游', 1, 'X', 'xinyou', 'xy', '[]') returning id`.execute(t.ctx.db);
    const game = rows[0]?.id ?? 0;
    const { newest, newestContent } = await editor.ok(c.staffBrandInfo, { distId });
    const hue = newestContent.hue === 268 ? 292 : 268;
    const content = { ...newestContent, hue, hotGames: [game] };
    await editor.ok(c.saveBrand, { distId, base: newest, content, reason: '换色', publish: true });
    await expect.poll(seen, ANNOUNCED).toEqual({ hue, games: String(game) });
  });
});

test('a brand that was created with only a name can be edited', async () => {
  await sql`insert into distributor (code, name, conf, theme) select 'bare', '白板', conf, '{"hue":221,"chroma":1,"layout":1,"topBar":1}' from distributor where id = 1`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  const bare = (await admin.client.ok(c.staffBrandList, {})).list.find((b) => b.code === 'bare');
  expect(bare).toBeDefined();
  const info = await admin.client.ok(c.staffBrandInfo, { distId: bare?.distId ?? 0 });
  expect(Object.keys(info.liveContent).toSorted()).toEqual(Object.keys(emptyContent('x')).toSorted());
});
