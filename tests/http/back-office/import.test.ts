import { GoodsStatus } from '#contract/rules/statuses.ts';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/back-office/contract/import.ts';
import { codes } from '#contract/codes.ts';
import type { Data, Envelope } from '#contract/endpoint.ts';
import { loadCatalogue } from '#db/catalogue/load.ts';
import { type Counts, runImport } from '#server/import/run.ts';
import { newSellerRule, sellerForImport } from '#server/import/seller.ts';
import { phoneIndex } from '#subjects/accounts/server/phone/phones.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { type Cell, workbook } from '#tests/support/tools/workbook.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';

const GBK = readFileSync('tests/data/stock-list-gbk.csv');
const UTF8 = readFileSync('tests/data/stock-list-utf8.csv');
/**
 * Counts of the two lists, which are sellers' own files with all their faults. An account that a list names on two servers of a game is one
 * account: the second row is refused.
 */
const GBK_COUNTS: Counts = { rows: 802, imported: 173, corrected: 480, existing: 1, refused: 148 };
const UTF8_COUNTS: Counts = { rows: 302, imported: 66, corrected: 172, existing: 1, refused: 63 };

type Job = Data<typeof c.importJob>;

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await loadCatalogue(t.ctx.db);
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  staff = await t.newStaff({ role: 'reviewer' });
});
afterAll(async () => await t.close());

async function* once(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

const oldSeller = (): Promise<TestUser> => t.newUser({ soldCount: 50, nickName: '号铺' });

async function optionsFor(seller: TestUser) {
  const { db, keys } = t.ctx;
  return {
    db,
    keys,
    games: (await catalogue(t.ctx)).list(),
    seller: await sellerForImport(db, phoneIndex(keys, seller.phone), await newSellerRule(db)),
    publish: false,
    actor: 'system',
  };
}

async function goodsOf(sellerId: number) {
  const { rows } = await sql<{ title: string; description: string; status: number; price_fen: number }>`
    select title, description, status, price_fen from goods where seller_id = ${sellerId}`.execute(t.ctx.db);
  return rows;
}

async function send(who: TestStaff, body: Buffer, filename = '库存 11月.csv') {
  const line = '----listboundary';
  const response = await who.client.raw({
    method: 'POST',
    url: c.uploadStockList.path,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([
      Buffer.from(
        `--${line}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: text/csv\r\n\r\n`,
      ),
      body,
      Buffer.from(`\r\n--${line}--\r\n`),
    ]),
  });
  return response.json<Envelope<Job>>();
}

/** Uploads, starts and runs a list to its end. */
async function imported(body: Buffer, seller: TestUser, publish = false): Promise<Job> {
  const { importId } = (await send(staff, body)).data as Job;
  await staff.client.ok(c.startImport, { importId, seller: seller.phone, publish: publish ? '1' : '0' });
  for (let turn = 0; turn < 20; turn++) {
    await t.timers();
    const job = await staff.client.ok(c.importJob, { importId });
    if (job.status !== 'running') return job;
  }
  throw new Error('the import did not end');
}

/** Takes what was imported off sale, so that the accounts of the lists are free for the next test. */
async function freeAccounts(): Promise<void> {
  await sql`update goods set status = 8 where import_key is not null`.execute(t.ctx.db);
}

/** Runs a statement as the database's owner: the application itself may not change the schema. */
const asOwner = (statement: string): Promise<void> => asSuperuser(databaseOf(t.ctx), statement);

const countsOf = ({ doneRows, imported: newcomer, corrected, existing, refused }: Job): Counts => ({
  rows: doneRows,
  imported: newcomer,
  corrected,
  existing,
  refused,
});

describe('lists in the sellers’ formats', () => {
  test.each([
    ['GBK', GBK, GBK_COUNTS],
    ['UTF-8', UTF8, UTF8_COUNTS],
  ] as const)(
    '%s: every row is imported, corrected or refused with a reason; twice imports nothing twice',
    async (_, body, counts) => {
      const seller = await oldSeller();
      const first = await runImport(once(body), await optionsFor(seller));
      expect(first).toEqual({ finished: true, counts });
      const stored = await goodsOf(seller.id);
      expect(stored).toHaveLength(counts.imported + counts.corrected);
      expect(stored.every((g) => g.status === GoodsStatus.Reviewing && g.price_fen >= 100)).toBe(true);
      const again = await runImport(once(body), await optionsFor(seller));
      expect([again.counts.imported, again.counts.corrected]).toEqual([0, 0]);
      expect(await goodsOf(seller.id)).toHaveLength(stored.length);
      await freeAccounts();
    },
  );

  test('no HTML, no contact data and no impossible price is imported', async () => {
    const seller = await oldSeller();
    await runImport(once(GBK), await optionsFor(seller));
    const texts = (await goodsOf(seller.id)).flatMap((g) => [g.title, g.description]);
    expect(texts.filter((text) => /<\/?(script|b|a|img|br|p|div|span)\b/i.test(text))).toEqual([]);
    expect(texts.filter((text) => /(?<!\d)1[3-9]\d{9}(?!\d)/.test(text))).toEqual([]);
    expect((await goodsOf(seller.id)).filter((g) => g.price_fen >= 99_999_900)).toEqual([]);
    await freeAccounts();
  });

  test('killed during a batch: whole batches remain, the next run imports the rest and nothing twice', async () => {
    const seller = await oldSeller();
    let batches = 0;
    const killed = runImport(once(GBK), {
      ...(await optionsFor(seller)),
      inBatch: () => (++batches === 2 ? Promise.reject(new Error('killed')) : Promise.resolve()),
    });
    await expect(killed).rejects.toThrow('killed');
    const half = (await goodsOf(seller.id)).length;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(GBK_COUNTS.imported + GBK_COUNTS.corrected);
    const { counts } = await runImport(once(GBK), await optionsFor(seller));
    expect(counts.imported + counts.corrected).toBe(GBK_COUNTS.imported + GBK_COUNTS.corrected - half);
    expect(await goodsOf(seller.id)).toHaveLength(GBK_COUNTS.imported + GBK_COUNTS.corrected);
    await freeAccounts();
  });

  test('paused after a batch: what was read ahead is not stored, and the next run begins with it', async () => {
    const seller = await oldSeller();
    const first = await runImport(once(GBK), { ...(await optionsFor(seller)), pause: () => true });
    const { rows, imported, corrected } = first.counts;
    expect([first.finished, rows]).toEqual([false, 500]);
    expect(await goodsOf(seller.id)).toHaveLength(imported + corrected);
    const next = await runImport(once(GBK), { ...(await optionsFor(seller)), skip: rows });
    expect([next.finished, next.counts.rows]).toEqual([true, GBK_COUNTS.rows - rows]);
    expect(await goodsOf(seller.id)).toHaveLength(GBK_COUNTS.imported + GBK_COUNTS.corrected);
    await freeAccounts();
  });

  test('a seller without sales is limited to ten listings, as any new seller', async () => {
    const seller = await t.newUser();
    await runImport(once(UTF8), await optionsFor(seller));
    const stored = await goodsOf(seller.id);
    expect(stored).toHaveLength(10);
    expect(Math.max(...stored.map((g) => g.price_fen))).toBeLessThanOrEqual(300_000);
    await freeAccounts();
  });
});

describe('in the back office', () => {
  test('a file is uploaded, run and reported row by row; the rejected rows are returned as a file that can be sent again', async () => {
    const seller = await oldSeller();
    const job = await imported(GBK, seller);
    expect(job).toMatchObject({ status: 'done', fileName: '库存 11月.csv', totalRows: 802, sellerName: '号铺' });
    expect(countsOf(job)).toEqual(GBK_COUNTS);
    const { client } = staff;
    const { importId } = job;
    const first = await client.ok(c.importRows, { importId, pageSize: 50 });
    expect(first.list.map((r) => r.line)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    const rejected = await client.ok(c.importRows, { importId, verdict: 'refused', pageSize: 50 });
    expect(rejected.list.every((r) => r.note !== '' && r.goodsSn === null)).toBe(true);
    const corrected = await client.ok(c.importRows, { importId, verdict: 'corrected', pageSize: 50 });
    expect(corrected.list.every((r) => /[一-龥]/.test(r.note) && r.goodsSn !== null)).toBe(true);
    const file = await client.ok(c.rejectedRows, { importId });
    expect(file.fileName).toBe('库存 11月-被拒绝.csv');
    const again = await imported(Buffer.from(file.text), seller);
    expect(countsOf(again)).toMatchObject({ rows: GBK_COUNTS.refused, imported: 0, corrected: 0 });
    const { rows } = await sql<{ act: string; staff_id: number; kept: boolean }>`
      select act, a.staff_id, j.body is not null as kept from audit_log a join import_job j on a.target = 'import:' || j.id
      where j.id = ${importId} order by a.id`.execute(t.ctx.db);
    expect(rows).toEqual([
      { act: 'import.start', staff_id: staff.id, kept: false },
      { act: 'import.done', staff_id: staff.id, kept: false },
    ]);
    await freeAccounts();
  });

  test('published directly by staff with the permission, the listings are found', async () => {
    const seller = await oldSeller();
    const job = await imported(UTF8, seller, true);
    await t.relay();
    const { rows } = await sql<{ status: number; n: number; found: number }>`
      select g.status, count(*)::int as n, count(s.goods_id)::int as found from goods g left join goods_search s on s.goods_id = g.id
      where g.seller_id = ${seller.id} group by g.status`.execute(t.ctx.db);
    const stored = job.imported + job.corrected;
    expect(rows).toEqual([{ status: 2, n: stored, found: stored }]);
    await freeAccounts();
  });

  test('an interrupted run continues where it stopped, and one started twice runs once', async () => {
    const seller = await oldSeller();
    const { importId } = (await send(staff, GBK)).data as Job;
    const input = { importId, seller: seller.phone };
    await Promise.all([staff.client.ok(c.startImport, input), staff.client.ok(c.startImport, input)]);
    // The second batch fails as if the process had been killed: the trigger replaces the kill.
    await asOwner(`create function import_killed() returns trigger language plpgsql as $$ begin
      if new.line > 500 then raise exception 'killed'; end if; return new; end $$;
      create trigger import_killed before insert on import_row for each row execute function import_killed()`);
    await t.timers();
    const half = await staff.client.ok(c.importJob, { importId });
    expect([half.status, half.doneRows]).toEqual(['running', 500]);
    expect(await goodsOf(seller.id)).toHaveLength(half.imported + half.corrected);
    await asOwner('drop function import_killed() cascade');
    await makeDue(t.ctx.db, 'import.run');
    await t.timers();
    const done = await staff.client.ok(c.importJob, { importId });
    expect([done.status, countsOf(done)]).toEqual(['done', GBK_COUNTS]);
    expect(await goodsOf(seller.id)).toHaveLength(GBK_COUNTS.imported + GBK_COUNTS.corrected);
    await freeAccounts();
  });

  test('a file that is no stock list is rejected with a message', async () => {
    for (const [body, message] of [
      ['', '文件是空的'],
      ['hello\nworld\n', '没有找到完整的表头，缺少：游戏、价格、标题'],
      ['游戏,标题,价格\n', '文件里只有表头，没有内容'],
      ['游戏,标题,价格\n王者荣耀,"没有结束的引号,100\n王者荣耀,第二行,100,多一格\n', '引号没有配对'],
      ['%PDF-1.7', '这是 PDF 文件'],
    ] as const) {
      const { code, msg } = await send(staff, Buffer.from(body));
      expect([code, msg]).toEqual([codes.BAD_INPUT[0], expect.stringContaining(message)]);
    }
    const large = await send(staff, Buffer.alloc(10 * 1024 * 1024 + 10, 'a'));
    expect(large.code).toBe(codes.BODY_TOO_LARGE[0]);
  });

  const LIST: string[][] = parse(UTF8, { relax_column_count: true, relax_quotes: true, to: 31, bom: true });
  const [HEADING = [], ...ROWS] = LIST.filter(({ length }, _, [first]) => length === first?.length);
  const at = (name: string): number => HEADING.indexOf(name);
  const lines = (rows: readonly (readonly string[])[], separator: string, end: string): string =>
    rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator) + end).join('');

  test('a workbook, Unicode text and other separators are read as the list in CSV', async () => {
    const counts: Counts[] = [];
    for (const body of [
      Buffer.from(lines([HEADING, ...ROWS], ',', '\n')),
      workbook([['2026年11月库存'], [], HEADING.map((name) => (name === '价格' ? '价格（元）' : name)), ...ROWS]),
      iconv.encode(`\ufeff${lines([HEADING, ...ROWS], '\t', '\r\n')}`, 'utf-16le'),
      Buffer.from(`sep=;\r\n${lines([HEADING, ...ROWS], ';', '\r\n')}`),
    ]) {
      const seller = await oldSeller();
      counts.push(countsOf(await imported(body, seller)));
      await freeAccounts();
    }
    expect(counts[0]?.corrected).toBeGreaterThan(5);
    expect(counts).toEqual(counts.map(() => counts[0]));
  });

  test('values damaged by a spreadsheet are rejected with the reason, and the reading notes are stated', async () => {
    const { importId } = await imported(Buffer.from(lines([HEADING, ...ROWS], ',', '\n')), await oldSeller());
    await freeAccounts();
    const first = await staff.client.ok(c.importRows, { importId, pageSize: 50 });
    const sound = ROWS[(first.list.find(({ goodsSn }) => goodsSn !== null)?.line ?? 1) - 1] ?? [];
    const changed = (name: string, value: Cell): Cell[] => sound.map((cell, i) => (i === at(name) ? value : cell));
    const job = await imported(
      workbook([
        ['库存表'],
        HEADING,
        changed('商家编号', '00012345678901234567'),
        changed('价格', '#DIV/0!'),
        changed('账号标识', 1.234e15),
        ['合计', ...HEADING.slice(1).map(() => '')],
      ]),
      await oldSeller(),
    );
    expect(job.notes).toEqual(['表头是第 2 行；上面的“库存表”没有读取', '合计的行没有读取：第 6 行']);
    const { list } = await staff.client.ok(c.importRows, { importId: job.importId });
    expect(list.map(({ goodsSn }) => goodsSn !== null)).toEqual([true, false, false]);
    expect(list[0]?.key).toBe('00012345678901234567');
    expect(list.slice(1).map(({ note }) => note)).toEqual([
      '价格是公式错误 #DIV/0!',
      expect.stringMatching(/^账号标识1234000000000000 超过 15 位/),
    ]);
    const { text, fileName } = await staff.client.ok(c.rejectedRows, { importId: job.importId });
    expect([fileName, text.split('\r\n')[0]]).toEqual(['库存 11月-被拒绝.csv', `\ufeff${HEADING.join(',')},拒绝原因`]);
    // As text, so that a spreadsheet in which the rows are corrected does not round it.
    expect(text).toContain(',1234000000000000\t,');
    await freeAccounts();
  });

  test('a seller who may not sell and an unknown phone are rejected', async () => {
    const { importId } = (await send(staff, UTF8)).data as Job;
    const minor = await t.newUser({ birthDate: `${new Date().getFullYear() - 10}0101` });
    const responses = await Promise.all(
      ['13912345678', minor.phone].map((seller) => staff.client.call(c.startImport, { importId, seller })),
    );
    expect(responses.map((a) => a.code)).toEqual([codes.BAD_INPUT[0], codes.REAL_NAME_REQUIRED[0]]);
    expect((await staff.client.ok(c.importJob, { importId })).status).toBe('ready');
  });

  test('is open to reviewers and administrators only, each for their distributor', async () => {
    const { importId } = (await send(staff, UTF8)).data as Job;
    for (const role of ['service', 'finance', 'content', 'operator'] as const) {
      const other = await t.newStaff(role === 'operator' ? { role, distId: 2 } : { role });
      expect((await send(other, UTF8)).code).toBe(codes.FORBIDDEN[0]);
      expect((await other.client.call(c.importJobs, {})).code).toBe(codes.FORBIDDEN[0]);
      expect((await other.client.call(c.rejectedRows, { importId })).code).toBe(codes.FORBIDDEN[0]);
    }
    const distStaff = await t.newStaff({ role: 'reviewer', distId: 2 });
    expect((await distStaff.client.ok(c.importJobs, {})).total).toBe(0);
    expect((await distStaff.client.call(c.importRows, { importId })).code).toBe(codes.NOT_FOUND[0]);
    const own = (await send(distStaff, UTF8)).data as Job;
    const seller = await oldSeller();
    const response = await distStaff.client.call(c.startImport, { importId: own.importId, seller: seller.phone });
    expect([response.code, response.msg]).toEqual([codes.BAD_INPUT[0], '没有使用这个手机号的卖家']);
  });
});
