/** Tables as programs write them, uploaded by a seller: what was read is stated, and what a program changed is refused by cell. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as lists from '#subjects/back-office/contract/lists.ts';
import type { Data, Envelope } from '#contract/endpoint.ts';
import * as c from '#subjects/listing-import/contract/listing-import.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { type Cell, sheetXml, workbookOf } from '#tests/support/tools/workbook.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
  seller = await offers.sellerWith(5);
});
afterAll(async () => await t.close());

async function upload(body: Uint8Array, query: Record<string, string> = { kind: 'stock' }, name = '商品.xlsx') {
  const line = '----fileboundary';
  const response = await seller.client.raw({
    method: 'POST',
    url: `${c.listingImportUpload.path}?${new URLSearchParams(query)}`,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([
      Buffer.from(
        `--${line}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`,
      ),
      body,
      Buffer.from(`\r\n--${line}--\r\n`),
    ]),
  });
  return response.json<Envelope<Data<typeof c.listingImportUpload>>>();
}

/** Uploads a file and checks its rows by the guessed columns. */
async function checked(body: Uint8Array, name?: string) {
  const { data, msg } = await upload(body, { kind: 'stock' }, name);
  if (!data) throw new Error(msg);
  const file = await seller.client.ok(c.listingImportMap, { importId: data.importId, mapping: data.mapping });
  const rows = (await seller.client.ok(c.listingImportRows, { importId: file.importId, pageSize: 50 })).list;
  return { file, rows };
}

const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="000000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="14"/></cellXfs></styleSheet>';

/** A sheet whose cells of the first column have these styles, row by row. */
function styled(rows: readonly (readonly Cell[])[], styles: Readonly<Record<number, number>>): Buffer {
  const xml = sheetXml(rows).replace(/<c r="A(\d+)"/g, (tag, row: string) =>
    styles[Number(row)] === undefined ? tag : `${tag} s="${styles[Number(row)]}"`,
  );
  return workbookOf(xml, { 'xl/styles.xml': Buffer.from(STYLES) });
}

test('reads past a title row, and restores padded codes and codes that became dates or exponents', async () => {
  const sn = await offers.published(seller);
  const body = styled(
    [
      ['2026年11月商品清单'],
      ['编号', '价格（元）', '库存'],
      [123, 88, 1],
      [46_086, 88, 1],
      ['1.23E+10', 88, 1],
      [sn, '1.13万', 1],
      [sn, '#N/A', ''],
    ],
    { 3: 1, 4: 2 },
  );
  const { file, rows } = await checked(body);
  expect(file.readingNotes).toEqual(['表头是第 2 行；上面的“2026年11月商品清单”没有读取']);
  expect(rows.map(({ values }) => values.code)).toEqual(['000123', '2026-03-05', '1.23E+10', sn, sn]);
  expect(rows.map(({ problems }) => problems.map(({ field, text }) => `${field} ${text.slice(0, 16)}`))).toEqual([
    ['code 您没有这个编号的商品'],
    ['code 表格软件把它改成了日期 2026'],
    ['code 表格软件把它改成了科学计数 1.'],
    [],
    ['code 与第 4 行是同一件商品'],
  ]);
  expect(rows[3]?.notes[0]).toBe('价格读作 11,300.00 元');
  // A value edited in place is no longer marked.
  const mended = await seller.client.ok(c.listingImportMend, {
    importId: file.importId,
    line: 2,
    values: { code: '3-5' },
  });
  expect(mended.problems).toEqual([{ field: 'code', text: '您没有这个编号的商品' }]);
});

test('a formula’s error is refused at its field, in a price that would else be called no number', async () => {
  const sn = await offers.published(seller);
  const { rows } = await checked(Buffer.from(`编号;价格;库存\n${sn};#REF!;1`), '商品.csv');
  expect(rows[0]?.problems).toEqual([
    { field: 'price', text: '单元格是公式错误 #REF!，请在这里填写，或在表格里改好后重新上传' },
  ]);
});

test('the new price is used when a table has two', async () => {
  const { data } = await upload(Buffer.from('商品编号,价格,新价格（元）,新库存\nX-9,1,2,3'), undefined, '改价.csv');
  expect(data?.mapping).toEqual({ code: 0, price: 2, stock: 3 });
});

test('a file that is no table is named by what it is', async () => {
  const answer = await upload(Buffer.from('<html><body><table><tr><td>编号</td></tr></table>'), undefined, '商品.xls');
  expect(answer).toMatchObject({ field: 'file', data: null });
  expect(answer.msg).toContain('网页格式的 xls');
});

test('the market’s own list of goods is read as it was exported, and changes nothing', async () => {
  const staff = await t.newStaff({ role: 'admin' });
  const sn = await offers.published(seller);
  for (const format of ['xlsx', 'csv'] as const) {
    const columns = JSON.stringify(['goodsSn', 'bigTitle', 'price', 'stock', 'statusName', 'sellerName', 'createTime']);
    const query = JSON.stringify({ keyWord: sn });
    const { exportId } = await staff.client.ok(lists.startListExport, { list: 'goods', format, columns, query });
    const { rawPayload } = await staff.client.raw({
      method: 'GET',
      url: `${lists.LIST_EXPORT_PATH}?exportId=${exportId}`,
    });
    const { file, rows } = await checked(rawPayload, `商品.${format}`);
    expect([file.readingNotes, rows.map(({ state, problems }) => [state, problems])]).toEqual([[], [['existing', []]]]);
    expect(rows[0]?.values).toMatchObject({ code: sn, price: format === 'xlsx' ? '1288' : '1288.00', stock: '1' });
  }
});

test('several files of one seller at once are all read', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => await upload(Buffer.from(`编号,价格\nX-${i},1`), undefined, `${i}.csv`)),
  );
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
});
