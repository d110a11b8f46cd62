import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Minimum length of a secret in characters. */
const MIN_LENGTH = 32;
const BASE64 = 'base64:';

/** Settings of the installation's secret; part of server/config/config.ts. */
export const secretEnv = {
  SECRET: z.string().min(MIN_LENGTH, `至少 ${MIN_LENGTH} 个字符`).optional(),
  SECRET_PREVIOUS: z.string().optional(),
};

const shape = z.object(secretEnv);
type SecretEnv = z.output<typeof shape>;

/** A secret as bytes; prefixed with `base64:` if it is a file's contents in Base64, as `DATA_DIR/secret` is. */
function bytesOf(text: string): Buffer {
  return text.startsWith(BASE64) ? Buffer.from(text.slice(BASE64.length), 'base64') : Buffer.from(text);
}

/** The installation's secret: from the environment, else generated once and stored in the data folder, readable by its owner only. */
export function secretOf(dataDir: string, { SECRET: value }: SecretEnv): Buffer {
  if (value !== undefined) return bytesOf(value);
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64'), { mode: 0o600 });
  return Buffer.from(readFileSync(file, 'utf8'), 'base64');
}

/** The previous secrets, newest first, separated by commas. Throws an Error with a Chinese message for one that is too short. */
export function previousSecretsOf(e: SecretEnv): readonly Buffer[] {
  const previous = (e.SECRET_PREVIOUS ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  if (previous.some((text) => bytesOf(text).length < MIN_LENGTH))
    throw new Error(`设置有误：SECRET_PREVIOUS 里每一个都至少 ${MIN_LENGTH} 个字符，多个用逗号分隔`);
  return previous.map(bytesOf);
}
