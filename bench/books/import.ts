/**
 * Rows a second that a stock list is imported at, into a separate embedded database with a seller in it: the two lists of tests/data
 * as they are, repeated under other numbers and accounts until there are ROWS of them. Each run begins with an empty shop.
 *
 *     npm run bench -- import
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { sql } from 'kysely';
import pino from 'pino';
import { loadCatalogue } from '#db/catalogue/load.ts';
import { openDatabase } from '#server/db/client.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { runImport } from '#server/import/run.ts';
import { deriveKeys } from '#server/kernel/secrets/crypto.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { readCatalogue } from '#subjects/games/server/service.ts';
import { median } from '../lib/stats.ts';

const ROWS = Number(process.env.ROWS ?? 20_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const LIMIT = { secret: 'a secret of measurements, long enough to be taken', ms: 300_000 };

/** A list of at least `rows` rows in GBK: the real one again and again, each time with other numbers and account names. */
function longList(rows: number): Buffer {
  const text = iconv.decode(readFileSync(new URL('../../tests/data/stock-list-gbk.csv', import.meta.url)), 'gb18030');
  const cut = text.indexOf('\n') + 1;
  const [head, body] = [text.slice(0, cut), text.slice(cut)];
  const perCopy = (body.match(/^SJ/gm) ?? []).length;
  const copies = Array.from({ length: Math.ceil(rows / perCopy) }, (_, i) =>
    body.replace(/^SJ(\d+)/gm, `SJ${i}x$1`).replace(/(?<=,)[^,\n"]{0,2}\d{9}(?=,)/g, (account) => `${account}${i}`),
  );
  return iconv.encode(head + copies.join(''), 'gb18030');
}

const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const dataDir = mkdtempSync(join(tmpdir(), 'youshi-bench-import-'));
chmodSync(dataDir, 0o711);
const embedded = await startEmbedded({ dataDir, log: quiet });
setTimeout(() => process.exit(1), LIMIT.ms).unref();
try {
  await migrate({
    database: embedded.ownerUrl,
    dir: new URL('../../db/migrations', import.meta.url).pathname,
    log: quiet,
  });
  const { db } = openDatabase({ url: embedded.url, max: 4, log: pino({ level: 'silent' }), role: 'youshi_app' });
  const keys = deriveKeys(Buffer.from(LIMIT.secret));
  await loadCatalogue(db);
  const games = (await readCatalogue(db)).list();
  const list = longList(ROWS);
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const created = await createUser(db, keys, { phone: `1380000010${round}`, distId: 1, soldCount: 50 });
    if (!created) throw new Error('the seller exists already');
    // The accounts of the round before are free again: the same list is another seller's now.
    await sql`update goods set status = 8 where status <> 8`.execute(db);
    const began = performance.now();
    const busy = process.cpuUsage();
    const { counts } = await runImport(
      (async function* () {
        for (let at = 0; at < list.length; at += 65_536) yield list.subarray(at, at + 65_536);
      })(),
      { db, keys, games, seller: { id: created.id, distId: 1, limits: null }, publish: false, actor: 'bench' },
    );
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(busy);
    speeds.push(counts.rows / seconds);
    console.log(
      `${counts.rows} rows in ${seconds.toFixed(2)} s: ${Math.round(counts.rows / seconds)} a second; stored ${counts.imported + counts.corrected}, there already ${counts.existing}, refused ${counts.refused}; ${((user + system) / counts.rows).toFixed(0)} µs of this process by row`,
    );
  }
  console.log(`median of ${ROUNDS}: ${Math.round(median(speeds))} rows a second`);
  await db.destroy();
} finally {
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
