/** The form in which every object of a backup is stored: compressed, with its checksum, encrypted where there is a key. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Bytes 0–3 of every object. */
const MAGIC = Buffer.from('YSB1');
const PLAIN = 0;
const ENCRYPTED = 1;
const SUM_BYTES = 32;
const HEAD_BYTES = MAGIC.length + 1 + SUM_BYTES;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The content is mostly zeros and text: a higher level takes three times as long and saves only 10 %. */
const LEVEL = 1;

/** An object that is damaged, encrypted under another key, or not of a backup. The message is Chinese. */
export class ObjectError extends Error {
  override name = 'ObjectError';
}

export const sumOf = (body: Buffer): Buffer => createHash('sha256').update(body).digest();

/** The key of a backup, from its passphrase. */
export const backupKey = (passphrase: string): Buffer =>
  Buffer.from(hkdfSync('sha256', passphrase, 'youshi backup', 'objects', 32));

/** Creates an object under a name: magic, kind, SHA-256 of the content, then the content compressed and, with a key, encrypted. */
export async function encodeObject(name: string, body: Buffer, key: Buffer | undefined): Promise<Buffer> {
  const small = await compress(body, { level: LEVEL });
  const head = Buffer.concat([MAGIC, Buffer.from([key ? ENCRYPTED : PLAIN]), sumOf(body)]);
  if (!key) return Buffer.concat([head, small]);
  const iv = randomBytes(IV_BYTES);
  // The name and the head are bound to the content: objects cannot be swapped.
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.concat([Buffer.from(name), head]));
  const hidden = Buffer.concat([cipher.update(small), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), hidden]);
}

function decrypt(name: string, object: Buffer, key: Buffer | undefined): Buffer {
  if (!key) throw new ObjectError(`${name} 是加密的：请设置备份时用的 BACKUP_KEY`);
  const rest = object.subarray(HEAD_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.concat([Buffer.from(name), object.subarray(0, HEAD_BYTES)]));
    decipher.setAuthTag(rest.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(rest.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new ObjectError(`${name} 打不开：BACKUP_KEY 不是备份时用的那一个，或文件已损坏`);
  }
}

/** Returns the content of an object. @throws ObjectError when it is damaged, or was stored under another name or key */
export async function decodeObject(name: string, object: Buffer, key: Buffer | undefined): Promise<Buffer> {
  if (object.length < HEAD_BYTES || !object.subarray(0, MAGIC.length).equals(MAGIC))
    throw new ObjectError(`${name} 不是备份文件，或已损坏`);
  const isEncrypted = object[MAGIC.length] === ENCRYPTED;
  if (!isEncrypted && key)
    throw new ObjectError(
      `${name} 没有加密，与设置了 BACKUP_KEY 不符：若是启用 BACKUP_KEY 之前的备份，请把 BACKUP_TO 改成一个新的位置（或先移走旧备份）再备份；若不是，它可能被换过`,
    );
  const small = isEncrypted ? decrypt(name, object, key) : object.subarray(HEAD_BYTES);
  const body = await expand(small).catch(() => undefined);
  if (body === undefined || !sumOf(body).equals(object.subarray(MAGIC.length + 1, HEAD_BYTES)))
    throw new ObjectError(`${name} 的校验和不符，文件已损坏`);
  return body;
}
