/** PostgreSQL's replication protocol, as far as backups need it: a base backup as one stream, and the WAL from a position on. */
import pg from 'pg';

/** The first PostgreSQL version with the options used here. */
const OLDEST = 15;
const LSN_BITS = 32n;
const LOW = 0xff_ff_ff_ffn;

/** `16/B374D848` as a number. */
export function lsnOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << LSN_BITS) | BigInt(`0x${low}`);
}
/** A position as PostgreSQL writes it. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> LSN_BITS).toString(16)}/${(lsn & LOW).toString(16)}`.toUpperCase();

export interface System {
  readonly systemId: string;
  readonly timeline: number;
  readonly version: number;
  /** Size of a file of the log. */
  readonly segmentBytes: number;
}

/** The arguments that pg passes to a custom query. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  readonly stream: { pause(): void; resume(): void; destroy(): void };
}

/** A statement that returns a stream of copied data. Rows before and after the stream are dropped. */
class CopyStatement {
  readonly #text: string;
  readonly #onData: (chunk: Buffer, wire: Wire) => void;
  readonly #done = Promise.withResolvers<void>();
  #error: Error | undefined;

  constructor(text: string, onData: (chunk: Buffer, wire: Wire) => void) {
    this.#text = text;
    this.#onData = onData;
  }

  /** Ends with the stream. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  submit(wire: Wire): void {
    wire.query(this.#text);
  }
  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    // A view into pg's own buffer, which pg reuses.
    this.#onData(Buffer.from(chunk), wire);
  }
  handleError(error: Error): void {
    this.#error = error;
    // A closed connection never becomes ready again.
    this.#done.reject(error);
  }
  handleReadyForQuery(): void {
    if (this.#error) this.#done.reject(this.#error);
    else this.#done.resolve();
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
}

/** One connection of the replication protocol. */
export class Replication {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects with a log-in that has REPLICATION. @throws Error of pg; with a Chinese message if that right is missing */
  static async connect(url: string): Promise<Replication> {
    const client = new pg.Client({
      connectionString: url,
      replication: 'true',
      connectionTimeoutMillis: 10_000,
      application_name: 'youshi_backup',
    } as pg.ClientConfig);
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      await client.end().catch(() => undefined);
      const hint =
        code === '42501' || /replication/i.test(message)
          ? '：备份的登录需要 REPLICATION 权限，pg_hba.conf 也要允许它以 replication 连接（docs/OPERATIONS.md「Backups」）'
          : '';
      throw new Error(`数据库连不上：${message}${hint}`, { cause: error });
    }
    return new Replication(client);
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }

  /** Ends the current stream immediately. */
  cut(): void {
    (this.#client as unknown as { connection: Wire }).connection.stream.destroy();
  }

  async #row(text: string): Promise<Record<string, string | null>> {
    const { rows } = await this.#client.query<Record<string, string | null>>(text);
    return rows[0] ?? {};
  }

  /** Identifies the system. @throws Error when PostgreSQL is too old */
  async system(): Promise<System> {
    const { systemid, timeline } = await this.#row('IDENTIFY_SYSTEM');
    const { server_version: version = '0' } = await this.#row('SHOW server_version');
    const major = Number.parseInt(version ?? '0', 10);
    if (major < OLDEST) throw new Error(`PostgreSQL ${version} 太旧，备份需要 16 或更新的版本`);
    const { wal_segment_size: size = '16MB' } = await this.#row('SHOW wal_segment_size');
    const [, count = '16', unit = 'MB'] = /^(\d+)(MB|GB)$/.exec(size ?? '') ?? [];
    const segmentBytes = Number(count) * (unit === 'GB' ? 1024 : 1) * 1024 * 1024;
    return { systemId: String(systemid), timeline: Number(timeline), version: major, segmentBytes };
  }

  /** Copies the whole cluster; `onData` receives the messages of the stream in order and may pause it. */
  async baseBackup(label: string, onData: (chunk: Buffer, wire: Wire) => void): Promise<void> {
    const options = [
      `LABEL '${label}'`,
      "CHECKPOINT 'fast'",
      'WAL true',
      'WAIT false',
      "MANIFEST 'yes'",
      "MANIFEST_CHECKSUMS 'SHA256'",
    ];
    await this.#copy(new CopyStatement(`BASE_BACKUP (${options.join(', ')})`, onData));
  }

  /** The position from which a slot keeps the WAL; creates the slot if there is none, and the WAL is kept from then on. */
  async slotStart(slot: string): Promise<bigint> {
    const read = async () => await this.#row(`READ_REPLICATION_SLOT ${slot}`);
    let { restart_lsn: start } = await read();
    if (start === null || start === undefined) {
      await this.#client.query(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL RESERVE_WAL`);
      ({ restart_lsn: start } = await read());
    }
    if (start === null || start === undefined) throw new Error(`复制槽 ${slot} 没有起点`);
    return lsnOf(start);
  }

  /** Removes a slot, so that the server no longer keeps WAL for it. */
  async dropSlot(slot: string): Promise<void> {
    await this.#client.query(`DROP_REPLICATION_SLOT ${slot} WAIT`);
  }

  /** Streams the WAL from a position until the connection or the timeline ends. */
  async stream(
    from: { slot: string; start: bigint; timeline: number },
    onData: (chunk: Buffer, wire: Wire) => void,
  ): Promise<void> {
    const text = `START_REPLICATION SLOT ${from.slot} PHYSICAL ${lsnText(from.start)} TIMELINE ${from.timeline}`;
    await this.#copy(new CopyStatement(text, onData));
  }

  /** Confirms to the server the position up to which the WAL is safe; the server may delete older segments. */
  confirm(safe: bigint): void {
    const message = Buffer.alloc(34);
    message.write('r', 0);
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(safe, at);
    // Microseconds since 2000-01-01.
    message.writeBigInt64BE(BigInt(Date.now() - Date.UTC(2000, 0, 1)) * 1000n, 25);
    const { connection } = this.#client as unknown as { connection: Wire };
    connection.sendCopyFromChunk(message);
  }

  async #copy(statement: CopyStatement): Promise<void> {
    const ended = Promise.withResolvers<never>();
    const onEnd = (): void => ended.reject(new Error('与数据库的连接断开了'));
    this.#client.once('end', onEnd);
    try {
      this.#client.query(statement as unknown as pg.Submittable);
      await Promise.race([statement.done, ended.promise]);
    } finally {
      this.#client.off('end', onEnd);
      statement.done.catch(() => undefined);
      ended.promise.catch(() => undefined);
    }
  }
}

export type { Wire };
