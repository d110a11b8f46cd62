import { chinaClock } from '#contract/rules/time/china-time.ts';
import { UnknownResult, VendorUnavailable } from '#server/kernel/errors.ts';

/** The environment of an adapter, replaced in tests. */
export interface Environment {
  fetch: typeof fetch;
  now(): Date;
  nonce(): string;
  /** Time limit of a request; default 8 s. */
  limitMs?: number;
}

const LIMIT_MS = 8_000;
const REPEAT_AFTER_MS = 150;
const MAX_BYTES = 1024 * 1024;

export interface VendorResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Whether a failed request never left this machine: name look-up, connection or TLS handshake failed. */
function isUnreached(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; syscall?: unknown } };
  const code = typeof cause?.code === 'string' ? cause.code : '';
  return (
    cause?.syscall === 'connect' ||
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(
      code,
    )
  );
}

async function sendOnce(
  environment: Environment,
  url: string,
  init: RequestInit,
  limits: { ms?: number; bytes?: number },
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
    const { host } = new URL(url);
    if (isUnreached(error)) throw new VendorUnavailable(`${host} is not reached: ${String(error)}`, { cause: error });
    throw new UnknownResult(`no complete response from ${host}: ${String(error)}`, { cause: error });
  }
}

/**
 * Sends one request to a vendor, limited to 8 s and 1 MB (more for a statement). A request that never left this machine is sent a second time;
 * others are not repeated, so that nothing happens twice. Throws VendorUnavailable when the vendor cannot be reached, and UnknownResult when no
 * complete response arrived.
 */
export async function requestVendor(
  environment: Environment,
  url: string,
  init: RequestInit,
  limits: { ms?: number; bytes?: number } = {},
): Promise<VendorResponse> {
  try {
    return await sendOnce(environment, url, init, limits);
  } catch (error) {
    if (!(error instanceof VendorUnavailable)) throw error;
    await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
    return await sendOnce(environment, url, init, limits);
  }
}

/** Formats a time as '2026-11-22 08:00:00' in China's time zone. */
export function chinaText(at: Date): string {
  return chinaClock(at).replace('T', ' ');
}
