import { UnknownResult } from '#server/kernel/errors.ts';

/** The environment of an adapter, which tests replace. */
export interface Environment {
  fetch: typeof fetch;
  now(): Date;
  nonce(): string;
  /** Time limit of a request; default 8 s. */
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
 * Sends one request to a vendor, limited to 8 s and 1 MB (more for a statement). Throws UnknownResult when no complete response arrived.
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
      if (size > (limits.bytes ?? MAX_BYTES)) throw new Error('the response is too large');
      chunks.push(Buffer.from(chunk as Uint8Array));
    }
    return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
  } catch (error) {
    // The URL may carry signatures, so only its host is logged.
    throw new UnknownResult(`no complete response from ${new URL(url).host}: ${String(error)}`, { cause: error });
  }
}

/** Formats a time as '2026-11-22 08:00:00' in China's time zone. */
export function chinaText(at: Date): string {
  return new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
