/** Follows PostgreSQL's WAL and archives it: whole files, and the growing one every few seconds. */
import type { BaseLogger } from 'pino';
import { claimPlace } from './base.ts';
import type { Archive } from './destination.ts';
import { lsnText, Replication, type System, type Wire } from './replication.ts';
import { sumOf } from './object-format.ts';
import { objectOf, segmentName, segmentStart } from './segments.ts';

const DATA = 'w'.charCodeAt(0);
const ALIVE = 'k'.charCodeAt(0);
/** Parts of a WAL message: letter, its position, the server's end, its clock. */
const DATA_HEAD = 25;
const REPLY_AT = 17;
const QUEUE = 3;
const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

export const SLOT = 'youshi_backup';

interface Options {
  archive: Archive;
  sourceUrl: string;
  /** The growing file is archived this often, in ms. */
  lagMs: number;
  slot?: string;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
}

/** One WAL stream, from the slot's position until the connection ends. */
class Segments {
  readonly #archive: Archive;
  readonly #system: System;
  readonly #confirm: (safe: bigint) => void;
  #buffer: Buffer;
  #start: bigint;
  #used = 0;
  #archived = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;
  safe: bigint;

  constructor(archive: Archive, system: System, start: bigint, confirm: (safe: bigint) => void) {
    this.#archive = archive;
    this.#system = system;
    this.#start = start;
    this.safe = start;
    this.#confirm = confirm;
    this.#buffer = Buffer.alloc(system.segmentBytes);
  }

  get failure(): unknown {
    return this.#failure;
  }

  get #name(): string {
    return segmentName(this.#system.timeline, this.#start, this.#system.segmentBytes);
  }

  add(at: bigint, data: Buffer, wire: Wire): void {
    if (at !== this.#start + BigInt(this.#used))
      throw new Error(`日志在 ${lsnText(at)} 不连续，应为 ${lsnText(this.#start + BigInt(this.#used))}`);
    let rest = data;
    while (rest.length > 0) {
      const copied = rest.copy(this.#buffer, this.#used);
      this.#used += copied;
      rest = rest.subarray(copied);
      if (this.#used === this.#buffer.length) this.#next(wire);
    }
  }

  /** Archives a whole file and begins the next one. */
  #next(wire: Wire): void {
    const [name, body, end] = [this.#name, this.#buffer, this.#start + BigInt(this.#used)];
    this.#buffer = Buffer.alloc(this.#system.segmentBytes);
    this.#start = end;
    this.#used = 0;
    this.#archived = 0;
    this.#enqueue(wire, async () => {
      await this.#putWhole(name, body);
      await this.#archive.remove(objectOf(name, true));
      this.safe = end;
    });
  }

  /** An existing file is either the same one, received again after a restart, or belongs to another cluster. */
  async #putWhole(name: string, body: Buffer): Promise<void> {
    const object = objectOf(name);
    const there = (await this.#archive.has(object)) ? await this.#archive.get(object) : undefined;
    if (there && !sumOf(there).equals(sumOf(body)))
      throw new Error(`${this.#archive.name} 里的 ${name} 内容不同：它属于另一个数据库，请用 BACKUP_TO 另选位置`);
    if (!there) await this.#archive.put(object, body);
  }

  #enqueue(wire: Wire | undefined, work: () => Promise<void>): void {
    this.#waiting += 1;
    if (this.#waiting >= QUEUE) wire?.stream.pause();
    this.#last = this.#last
      .then(async () => {
        if (this.#failure === undefined) await work();
      })
      .then(() => {
        if (this.#failure === undefined) this.#confirm(this.safe);
      })
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#waiting -= 1;
        wire?.stream.resume();
      });
  }

  /** Archives the growing file up to its current end, if it has grown. */
  async flush(): Promise<void> {
    if (this.#used > this.#archived && this.#waiting === 0) {
      const [name, used, start] = [this.#name, this.#used, this.#start];
      const body = Buffer.from(this.#buffer.subarray(0, used));
      this.#enqueue(undefined, async () => {
        await this.#archive.put(objectOf(name, true), body);
        this.safe = start + BigInt(used);
      });
      this.#archived = used;
    }
    await this.#last;
  }
}

/** Keeps the archive up to date with the WAL until `stop`. Lost connections are reopened; `whenSafe` reports the archived position. */
export class Receiver {
  readonly #options: Options;
  #connection: Replication | undefined;
  #segments: Segments | undefined;
  #isRunning = true;
  readonly #loop: Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.#loop = this.#run();
  }

  /** The position up to which the WAL is archived; undefined before the first connection. */
  get safe(): bigint | undefined {
    return this.#segments?.safe;
  }

  /** Archives the received data immediately. */
  async flush(): Promise<void> {
    await this.#segments?.flush();
  }

  /** Archives the received data and stops. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.flush();
    this.#connection?.cut();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    let wait = RETRY_MS;
    while (this.#isRunning) {
      const began = Date.now();
      try {
        await this.#follow();
        log.info({}, '日志流结束，重新连接');
      } catch (error) {
        if (!this.#isRunning) break;
        log.error({ error: String(error) }, '日志归档中断，稍后再试');
      }
      // After a connection that lasted for a while, retries soon.
      wait = Date.now() - began > LONGEST_RETRY_MS ? RETRY_MS : Math.min(wait * 2, LONGEST_RETRY_MS);
      const until = Date.now() + wait;
      while (this.#isRunning && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #follow(): Promise<void> {
    const { archive, sourceUrl, lagMs, slot = SLOT, log } = this.#options;
    const connection = await Replication.connect(sourceUrl);
    this.#connection = connection;
    const system = await connection.system();
    await claimPlace(archive, system.systemId);
    const start = segmentStart(await connection.slotStart(slot), system.segmentBytes);
    const segments = new Segments(archive, system, start, (safe) => connection.confirm(safe));
    this.#segments = segments;
    const every = setInterval(() => {
      if (segments.failure !== undefined) connection.cut();
      else {
        void segments.flush();
        connection.confirm(segments.safe);
      }
    }, lagMs);
    log.info({ from: lsnText(start), timeline: system.timeline }, '正在归档数据库日志');
    try {
      await connection.stream({ slot, start, timeline: system.timeline }, (chunk, wire) => {
        if (chunk[0] === DATA) segments.add(chunk.readBigUInt64BE(1), chunk.subarray(DATA_HEAD), wire);
        else if (chunk[0] === ALIVE && chunk[REPLY_AT] === 1) connection.confirm(segments.safe);
      });
    } catch (error) {
      throw segments.failure ?? error;
    } finally {
      clearInterval(every);
      await segments.flush();
      await connection.close();
    }
  }
}
