/** Where the rehearsal plays: a bare folder, a machine with a PostgreSQL, vendors on loopback, TLS before it all, and a browser. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { certificateFor } from './ground/certificate.ts';
import { Front } from './ground/front.ts';
import { type Ended, Node, runCommand, type Settings } from './ground/market.ts';
import { type Machine, startPostgres } from './ground/postgres.ts';
import { HOSTS, startVendors, type Vendors } from './ground/vendors.ts';
import { Cast } from './cast.ts';

import { BRAND, BACK_OFFICE, SITE } from './hosts.ts';

const env = (name: string): string => process.env[name] ?? '';

export class Stage {
  readonly room: string;
  readonly vendors: Vendors;
  /** The settings of /etc/youshi/env. */
  readonly settings: Settings;
  /** The log-in that migrates, which the server does not have. */
  readonly ownerUrl: string;
  /** Two processes on one database. */
  readonly nodes: readonly [Node, Node];

  constructor(room: string, vendors: Vendors, settings: Settings, ownerUrl: string, nodes: readonly [Node, Node]) {
    this.room = room;
    this.vendors = vendors;
    this.settings = settings;
    this.ownerUrl = ownerUrl;
    this.nodes = nodes;
  }

  /** Runs a command of package.json with the server's settings. */
  async npm(script: string, args: readonly string[] = [], more: Settings = {}): Promise<Ended> {
    return await runCommand(['npm', 'run', '--silent', script, '--', ...args], { ...this.settings, ...more });
  }

  /** Runs a command of `npm run admin`; fails unless it was done. Answers what it said. */
  async admin(...words: readonly string[]): Promise<string> {
    const { code, output } = await this.npm('admin', words);
    if (code !== 0) throw new Error(`npm run admin -- ${words.join(' ')}: ${output}`);
    return output;
  }

  /** A file of the operator's. */
  file(name: string, content?: string): string {
    const path = join(this.room, name);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.room, name), 'utf8');
  }
}

async function build(): Promise<{ stage: Stage; front: Front; machine: Machine }> {
  const room = env('E2E_DATA_DIR');
  const [first = 0, second = 0, front = 0, mailPort = 0, database = 0] = env('REHEARSE_PORTS').split(',').map(Number);
  const own = (host: string): string => host.replace(/^[^.]+/, '*');
  const tls = certificateFor([...new Set([SITE, BRAND, ...Object.values(HOSTS)].map(own)), 'wx.tenpay.com']);
  const trusted = join(room, 'machine.pem');
  writeFileSync(trusted, tls.cert);
  const machine = await startPostgres(room, database);
  const vendors = await startVendors({ room, tls, sites: [SITE, BRAND], mailPort });
  const settings: Settings = {
    DEMO: '0',
    DATA_DIR: join(room, 'data'),
    DATABASE_URL: machine.url,
    SECRET: 'the secret of a rehearsal, kept nowhere else',
    SITE_URL: `https://${SITE}`,
    BACKSTAGE_HOST: BACK_OFFICE,
    SECURE_COOKIES: '1',
    TRUST_PROXY: '1',
    METRICS_TOKEN: 'rehearsal-metrics',
    PAY_ORIGIN: `https://${SITE}`,
    LOG_LEVEL: 'warn',
    ...vendors.settings(front),
    // The machine's names and the authority that it trusts; the market itself knows nothing of a rehearsal.
    NODE_EXTRA_CA_CERTS: trusted,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'ground/names.mjs')}`,
  };
  const nodes = [
    new Node(first, join(room, 'node1.log'), settings),
    new Node(second, join(room, 'node2.log'), settings),
  ] as const;
  const stage = new Stage(room, vendors, settings, machine.ownerUrl, nodes);
  const proxy = new Front({ vendors, nodes: [first, second], tls, site: SITE });
  await proxy.listen(front);
  return { stage, front: proxy, machine };
}

/** Acts share the stage and its people; they run in their order, and the first that fails ends the rehearsal. */
export const test = base.extend<object, { stage: Stage; cast: Cast }>({
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, provide) => {
      const { stage, front, machine } = await build();
      await provide(stage);
      await Promise.all(stage.nodes.map((node) => node.stop()));
      await front.close();
      await stage.vendors.close();
      await machine.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  cast: [
    async ({ browser }, provide) => {
      const cast = new Cast(browser);
      await provide(cast);
      await cast.end();
    },
    { scope: 'worker' },
  ],
});
