/** Locks for actions that two workers must not do at the same time, because the market keeps one of it per user. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

const WAIT_MS = 180_000;

/** Whether this is the first to make a file. */
export function isFirst(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** Does `work` while no other worker does anything of the same name. */
export async function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  const file = join(process.env.E2E_DATA_DIR ?? '', `${name}.lock`);
  await expect.poll(() => isFirst(file), { message: `${name} is free`, timeout: WAIT_MS }).toBe(true);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
