/**
 * Lets a few people of a load test hold many unpaid orders, as many people would: a setting of the market, changed in its database.
 * Needs Node 24; run it before the market is loaded, a running one must be started again.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';

const { port, superPassword } = JSON.parse(readFileSync(`${process.env.DATA_DIR}/postgres.json`, 'utf8'));
const client = new pg.Client(`postgres://postgres:${superPassword}@127.0.0.1:${port}/youshi`);
await client.connect();
await client.query(
  `insert into setting (key, version, value)
   select key, version + 1, value || '{"maxUnpaid": 1000000, "unpaidPauseSeconds": [0]}' from setting where key = 'order' order by version desc limit 1`,
);
// As the bus writes it: a process that listens reads its settings again.
await client.query(`select pg_notify('youshi_bus', '{"from":"ease","list":[{"c":"conf","m":{}}]}')`);
await client.end();
