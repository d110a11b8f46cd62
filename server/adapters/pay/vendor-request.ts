import { UnknownResult } from '#server/kernel/errors.ts';

/** What an adapter is given instead of the world, so that vectors and fakes can take its place. */
export interface Environment {
  fetch: typeof fetch;
  now(): Date;
  nonce(): string;
  /** How long an answer may take; 8 s unless told. */
  limitMs?: number;
}

const LIMIT_MS = 8_000;
const MAX_BYTES = 1024 * 1024;

export interface VendorResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

/**
 * One request to a vendor, answered within 8 s and 1 MB (a statement may be larger). Throws UnknownResult when nothing whole came back.
 */
export async function requestVendor(
  environment: Environment,
  url: string,
  init: RequestInit,
  limits: { ms?: number; bytes?: number } = {},
): Promise<VendorResponse> {
  try {
    const response = await environment.fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(limits.ms ?? environment.limitMs ?? LIMIT_MS),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += (chunk as Uint8Array).length;
      if (size > (limits.bytes ?? MAX_BYTES)) throw new Error('the answer is too large');
      chunks.push(Buffer.from(chunk as Uint8Array));
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    // The address may carry signatures; only its host is told.
    throw new UnknownResult(`no whole answer from ${new URL(url).host}: ${String(error)}`, { cause: error });
  }
}

/** '2026-11-22 08:00:00' in China, whatever the machine's own zone is. */
export function chinaText(at: Date): string {
  return new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
