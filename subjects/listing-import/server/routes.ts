import { sql } from 'kysely';
import * as c from '#subjects/listing-import/contract/listing-import.ts';
import type { Binding } from '#server/binding.ts';
import type { RetentionRule } from '#server/jobs/retention.ts';
import {
  dropFiles,
  fileDetail,
  listFiles,
  listRows,
  mapColumns,
  mendRow,
  removeFile,
  runFile,
  template,
  uploadFile,
} from './files.ts';
import { FETCH, fetchPictures, RUN } from './fetch.ts';
import { takePicture } from './pictures.ts';
import { continueRun, endFailedRun } from './run.ts';

const DAYS = 30;

const rowsRetention: RetentionRule = {
  table: 'listing_import_row',
  days: DAYS,
  rule: '卖家导入的表格，30 天后删除；由它发布的商品不受影响',
  async sweep(db, limit) {
    const { rows } = await sql<{ n: number }>`
      with oldest as (select r.import_id, r.line from listing_import i join listing_import_row r on r.import_id = i.id
          where i.created_at < now() - make_interval(days => ${DAYS}::int) order by i.created_at limit ${limit}),
        gone as (delete from listing_import_row where (import_id, line) in (select import_id, line from oldest) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

const filesRetention: RetentionRule = {
  table: 'listing_import',
  days: DAYS,
  rule: '卖家导入的记录，30 天后与表格一起删除',
  async sweep(db, limit) {
    const { rows } = await sql<{ n: number }>`
      with gone as (delete from listing_import where id in (select i.id from listing_import i
          where i.created_at < now() - make_interval(days => ${DAYS}::int) and not exists (select from listing_import_row r where r.import_id = i.id)
          order by i.created_at limit ${limit}) returning 1)
      select count(*)::int as n from gone`.execute(db);
    return rows[0]?.n ?? 0;
  },
};

/** Files by which sellers publish listings, or change price and stock, themselves. */
export function bindListingImport({ server, effects }: Binding): void {
  server.serve(c.listingImportUpload, uploadFile);
  server.serve(c.listingImportList, listFiles);
  server.serve(c.listingImportDetail, async (call, { importId }) => await fileDetail(call, importId));
  server.serve(c.listingImportMap, mapColumns);
  server.serve(c.listingImportRows, listRows);
  server.serve(c.listingImportMend, mendRow);
  server.serve(c.listingImportPicture, takePicture);
  server.serve(c.listingImportRun, async (call, { importId }) => await runFile(call, importId));
  server.serve(c.listingImportRemove, async (call, { importId }) => {
    await removeFile(call, importId);
    return {};
  });
  server.serve(c.listingImportTemplate, template);
  effects.timer(RUN, async (ctx, importId) => await continueRun(ctx, importId), endFailedRun);
  effects.timer(FETCH, fetchPictures, endFailedRun);
  effects.on('account.closed', async (ctx, { userId }) => await dropFiles(ctx, userId));
  effects.retain(rowsRetention);
  effects.retain(filesRetention);
}
