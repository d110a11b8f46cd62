/**
 * `npm run import -- FILE --seller PHONE [--publish]`: imports a seller's stock list into this installation. Rejected rows are written
 * to FILE.refused.csv, to be fixed and imported again; corrections by row are in FILE.corrected.txt; running it twice imports
 * nothing twice.
 */
import { createReadStream, createWriteStream, readFileSync, statSync, type WriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { loadConfig } from '../server/config/config.ts';
import { openDatabase } from '../server/db/client.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { noteOf } from '../server/import/note.ts';
import { rejectedHeader, rejectedLine } from '#server/import/rejected-rows.ts';
import { runImport } from '../server/import/run.ts';
import { readStockList } from '../server/import/files/spreadsheet.ts';
import { STOCK_LIST_LIMITS } from '../server/import/files/table-limits.ts';
import { newSellerRule, sellerForImport } from '../server/import/seller.ts';
import { openKeys } from '../server/secrets/keyring.ts';
import { readCatalogue } from '#subjects/games/server/service.ts';
import { phoneIndex } from '#subjects/accounts/server/phone/phones.ts';
import { consoleLog } from './lib/console-log.ts';

const USAGE = '用法：npm run import -- 文件.xlsx|文件.csv --seller 手机号 [--publish]';
const BAR = 30;

const { values, positionals } = parseArgs({
  options: { seller: { type: 'string' }, publish: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined || values.seller === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const config = loadConfig(process.env);
const embedded =
  config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: consoleLog }) : undefined;
const url = config.databaseUrl ?? embedded?.url ?? '';
const { db } = openDatabase({ url, max: 4, log: pino({ level: 'warn' }), role: 'youshi_app' });
const secrets = { secret: config.secret, previous: config.previousSecrets };

function draw(bytes: number, total: number, rows: number, started: number): void {
  if (!process.stderr.isTTY) return;
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
  const speed = Math.round(rows / Math.max(0.001, (Date.now() - started) / 1000));
  process.stderr.write(`\r  ${bar} ${Math.floor(share * 100)}%  ${rows} 行  每秒 ${speed} 行 `);
}

/** The list as it is imported, with its size. A longer one is read as a stream: it must be CSV with its heading in the first line. */
async function open(path: string): Promise<{ source: AsyncIterable<Buffer>; bytes: number }> {
  const { size } = statSync(path);
  if (size > STOCK_LIST_LIMITS.bytes) return { source: createReadStream(path), bytes: size };
  const list = await readStockList(readFileSync(path), { name: path, owner: 'cli' });
  for (const note of list.notes) console.log(`  ${note}`);
  const body = Buffer.from(list.text);
  return { source: Readable.from([body]), bytes: body.length };
}

try {
  const { keys } = await openKeys(db, secrets, { derived: config.demo });
  const seller = await sellerForImport(db, phoneIndex(keys, values.seller), await newSellerRule(db));
  console.log(`  导入到卖家 ${seller.nickName}（${values.publish ? '直接上架' : '进入审核'}）`);
  const games = (await readCatalogue(db)).list();
  const { source, bytes: total } = await open(file);
  const started = Date.now();
  const rejectedFile = `${file}.refused.csv`;
  let rejected: WriteStream | undefined;
  const correctedFile = `${file}.corrected.txt`;
  let corrected: WriteStream | undefined;
  const { counts } = await runImport(source, {
    db,
    keys,
    games,
    seller,
    publish: values.publish,
    actor: 'system',
    onBatch(results, header, { rows, bytes }) {
      for (const result of results) {
        if (result.outcome === 'corrected') {
          corrected ??= createWriteStream(correctedFile);
          corrected.write(`第 ${result.line} 行${result.key === null ? '' : `（${result.key}）`}：${noteOf(result)}\n`);
        }
        if (result.outcome !== 'refused') continue;
        if (!rejected) {
          rejected = createWriteStream(rejectedFile);
          rejected.write(rejectedHeader(header));
        }
        rejected.write(rejectedLine(header, result.cells, result.reason));
      }
      draw(bytes, total, rows, started);
    },
  });
  for (const stream of [rejected, corrected])
    await new Promise<void>((resolve) => (stream ? stream.end(resolve) : resolve()));
  const seconds = (Date.now() - started) / 1000;
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(
    `  共 ${counts.rows} 行，用时 ${seconds.toFixed(1)} 秒（每秒 ${Math.round(counts.rows / Math.max(seconds, 0.001))} 行）`,
  );
  console.log(
    `  导入 ${counts.imported}，修正后导入 ${counts.corrected}，已存在 ${counts.existing}，拒绝 ${counts.refused}`,
  );
  if (counts.corrected > 0) console.log(`  修正了哪些行、改了什么：${correctedFile}`);
  if (counts.refused > 0) console.log(`  被拒绝的行和原因：${rejectedFile}（改好后可再次导入）`);
} catch (error) {
  const text = (error as { text?: unknown }).text;
  console.error(typeof text === 'string' ? text : error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await db.destroy();
  await embedded?.stop();
}
