/**
 * List, search, goods call and order beside Vendure and Medusa, which run already (their kit starts them and fills them with as many
 * products), in turn in one run with the same client. `PEER_TARGETS` is the folder of the kit's targets, `PEERS` names those that run:
 *
 *     DATA_DIR=/tmp/hundred npm run seed -- --goods 100000
 *     DATA_DIR=/tmp/hundred PEER_TARGETS=…/targets npm run bench -- peers
 */
import http from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { catalogue } from '#subjects/games/server/service.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { filledMarket } from '../lib/filled.ts';
import { benchMarket } from '../lib/market.ts';
import { questions } from '../lib/questions.ts';
import { pickGoods } from '../lib/samples.ts';
import { median, quantile } from '../lib/stats.ts';
import { traders } from '../lib/traders.ts';

const PORTS = { reads: 31_953, orders: 31_954 };
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 8);
const CONNECTIONS = 32;
const SHOPPERS = 16;
const WARM_SECONDS = 4;
const SAMPLES = 20_000;
const TIMEOUT_MS = 120_000;

interface Request {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}
interface Response {
  status: number;
  body: string;
  headers: http.IncomingHttpHeaders;
}
/** A target of the kit: its read calls by kind, how many connections slow ones bear, and a shopper's whole order. */
interface Target {
  base: string;
  reads: Record<string, () => Request[]>;
  tune?: Record<string, { c?: number; s?: number }>;
  order(shopper: {
    call(request: Request): Promise<Response>;
    i: number;
    products: number;
    flow: string;
  }): Promise<void>;
}
/** Something that is done again and again by a number of clients for some seconds. */
interface Work {
  what: string;
  who: string;
  clients: number;
  seconds: number;
  /** Whether it was served: who is overloaded may refuse, and that does not count. */
  readonly once: () => Promise<boolean>;
}

function caller(base: string): (request: Request) => Promise<Response> {
  const { hostname, port } = new URL(base);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  return ({ method = 'GET', path, headers, body }) =>
    new Promise((done, fail) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { hostname, port, method, path, agent, headers: { ...headers, ...length }, timeout: TIMEOUT_MS };
      const request = http.request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => done({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      });
      request.on('error', fail).on('timeout', () => request.destroy(new Error(`${path}: no response`)));
      request.end(body);
    });
}

/** One read after the other of a list of requests, in turn. */
function reader(base: string, requests: readonly Request[]): () => Promise<boolean> {
  const call = caller(base);
  let next = 0;
  return async () => {
    const request = requests[next++ % requests.length] as Request;
    const { status, body } = await call(request);
    if (status !== 200 && status !== 503) throw new Error(`${base}${request.path}: ${status} ${body.slice(0, 200)}`);
    return status === 200;
  };
}

/** Calls of a peer: its own calls for each kind of work. */
async function peerWork(name: string, folder: string): Promise<Work[]> {
  const target = (await import(pathToFileURL(join(resolve(folder), `${name}.mjs`)).href)) as Target;
  const kinds: Record<string, string> = {
    list: 'list',
    listSearchModule: 'list',
    search: 'search',
    searchModule: 'search',
    detail: 'goods',
  };
  const reads = Object.entries(kinds).flatMap(([read, what]) => {
    const make = target.reads[read];
    const { c = CONNECTIONS, s = SECONDS } = target.tune?.[read] ?? {};
    const who = read.endsWith('Module') ? `${name}, search module` : name;
    // A search of theirs takes seconds; two of our spans have to do.
    return make
      ? [{ what, who, clients: c, seconds: Math.min(s, 2 * SECONDS), once: reader(target.base, make()) }]
      : [];
  });
  const call = caller(target.base);
  let shopper = 0;
  const once = async () => {
    await target.order({ call, i: ++shopper, products: 100_000, flow: 'real' });
    return true;
  };
  return [...reads, { what: 'order', who: name, clients: SHOPPERS, seconds: 2 * SECONDS, once }];
}

/** Our calls, none asked twice. */
async function ownReads(): Promise<{ work: Work[]; close(): Promise<void> }> {
  const market = await filledMarket();
  const ask = questions(await catalogue(market.ctx), await pickGoods(market.client, SAMPLES));
  const server = serverProcess(PORTS.reads, market.env);
  await server.start();
  const numbers = Array.from({ length: SAMPLES }, (_, i) => i);
  const work = (['list', 'search', 'goods'] as const).map((what) => {
    const requests = numbers.map((i) => ({ path: ask[what](i), headers: { host: 'localhost' } }));
    const once = reader(`http://127.0.0.1:${PORTS.reads}`, requests);
    return { what, who: 'youshi', clients: CONNECTIONS, seconds: SECONDS, once };
  });
  const close = async (): Promise<void> => {
    await server.stop();
    await market.close();
  };
  return { work, close };
}

/** Our orders with their payment, by people who have money. */
async function ownOrders(): Promise<{ work: Work[]; close(): Promise<void> }> {
  const market = await benchMarket({ buyers: 400 });
  const goods = await market.addGoods(1000 * SECONDS * ROUNDS);
  const server = serverProcess(PORTS.orders, market.env);
  await server.start();
  const clients = traders(PORTS.orders, SHOPPERS);
  let next = 0;
  const once = async (): Promise<boolean> => {
    const [one, buyer] = [goods[next], market.buyers[next % market.buyers.length]];
    next += 1;
    if (!one || !buyer) throw new Error('all goods are sold');
    await clients.trade(buyer, one);
    return true;
  };
  const close = async (): Promise<void> => {
    clients.close();
    await server.stop();
    await market.close();
  };
  return { work: [{ what: 'order', who: 'youshi', clients: SHOPPERS, seconds: 2 * SECONDS, once }], close };
}

/** Does the work for its seconds; resolves to how often a second it was served, the times in ms, and how often it was refused. */
async function run({ clients, seconds, once }: Work) {
  const times: number[] = [];
  let refused = 0;
  const begun = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1000) {
      const start = performance.now();
      if (await once()) times.push(performance.now() - start);
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { perSecond: times.length / ((performance.now() - begun) / 1000), times, refused };
}

/** Does one kind of work in turn for everybody, some rounds after a first one that warms up, and tells each one's medians. */
async function compare(what: string, all: readonly Work[]): Promise<void> {
  const rounds = new Map<string, Awaited<ReturnType<typeof run>>[]>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const work of all) {
      const done = await run(round === 0 ? { ...work, seconds: Math.min(WARM_SECONDS, work.seconds) } : work);
      if (round > 0) rounds.set(work.who, [...(rounds.get(work.who) ?? []), done]);
    }
  const own = rounds.get('youshi') ?? [];
  const figure = (n: number): number => Number(n.toPrecision(3));
  for (const [who, done] of rounds)
    console.log(
      JSON.stringify({
        what,
        who,
        perSecond: figure(median(done.map(({ perSecond }) => perSecond))),
        p50: figure(median(done.map(({ times }) => quantile(times, 0.5)))),
        refused: done.reduce((sum, { refused }) => sum + refused, 0),
        ratio: figure(median(done.map(({ perSecond }, i) => (own[i]?.perSecond ?? Number.NaN) / perSecond))),
      }),
    );
}

async function main(): Promise<void> {
  const folder = process.env.PEER_TARGETS;
  if (folder === undefined) throw new Error('PEER_TARGETS names the folder with the targets of the peers');
  const names = (process.env.PEERS ?? 'vendure,medusa').split(',');
  const peers = (await Promise.all(names.map(async (name) => await peerWork(name, folder)))).flat();
  for (const open of [ownReads, ownOrders]) {
    const own = await open();
    const all = [...own.work, ...peers];
    try {
      for (const what of new Set(own.work.map((one) => one.what)))
        await compare(
          what,
          all.filter((one) => one.what === what),
        );
    } finally {
      await own.close();
    }
  }
}

await main();
process.exit(0);
