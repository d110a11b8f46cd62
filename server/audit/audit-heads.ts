import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditHead } from './audit-chain.ts';

const HASH = /^[0-9a-f]{64}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads the heads from a file of JSON lines (`AUDIT_HEADS`), oldest first; empty when there is no file. Throws an Error with a Chinese
 * message on an invalid line, because the file can then no longer serve as evidence.
 */
export async function readHeads(file: string): Promise<AuditHead[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => headOf(line) ?? invalidLine(file, number));
}

function invalidLine(file: string, line: number): never {
  throw new Error(`链头存证文件 ${file} 第 ${line} 行不是一条存证`);
}

function headOf(line: string): AuditHead | undefined {
  try {
    const { day, seq, hash } = JSON.parse(line) as Record<string, unknown>;
    if (typeof day !== 'string' || typeof hash !== 'string' || !DAY.test(day) || !HASH.test(hash)) return undefined;
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? { day, seq, hash } : undefined;
  } catch {
    return undefined;
  }
}

/** Appends one head. The file is append-only, so that it can be kept on write-once storage. Throws file system errors. */
export async function appendHead(file: string, head: AuditHead): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify({ ...head, at: new Date().toISOString() })}\n`, { mode: 0o640 });
}
