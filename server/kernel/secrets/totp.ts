import { createGuardrails, generateSync, ScureBase32Plugin, verifySync } from 'otplib';

const STEP_SECONDS = 30;
const STEP_MS = STEP_SECONDS * 1000;
/** A clock may be one step early or late. */
const SKEW = 1;
/** Secrets issued before stay valid even if they are shorter than the library's minimum. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 1 });

/** A secret as base32 text for authenticator apps (RFC 4648, no padding). */
export const base32 = (bytes: Buffer): string => new ScureBase32Plugin().encode(bytes, { padding: false });

/** Removes the spaces and dashes with which authenticators display a secret. */
const plain = (secret: string): string => secret.toUpperCase().replace(/[\s=-]/g, '');

const codeOf = (secret: string, step: number): string =>
  generateSync({ secret: plain(secret), epoch: step * STEP_SECONDS, guardrails });

/** The code that an authenticator shows for a base32 secret at a moment in ms (RFC 6238: SHA-1, 30 s, 6 digits). */
export const totpCode = (secret: string, timeMs: number): string => codeOf(secret, Math.floor(timeMs / STEP_MS));

/** The time step of a code, within one step of `timeMs`; undefined when none matches. */
export function totpStep(secret: string, code: string, timeMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({
    secret: plain(secret),
    token: code,
    epoch: Math.floor(timeMs / STEP_MS) * STEP_SECONDS,
    epochTolerance: SKEW * STEP_SECONDS,
    guardrails,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Seconds until authenticators show the next code, 1 to 30. */
export const secondsToNextStep = (timeMs: number): number => Math.ceil((STEP_MS - (timeMs % STEP_MS)) / 1000);

/**
 * The first code after `lastStep`, the step that was used last: of the current step, or else of a later one. It is valid in `waitSeconds`
 * (mostly 0) and expires in `secondsLeft`.
 */
export function nextTotp(
  secret: string,
  lastStep: number,
  timeMs: number,
): { code: string; waitSeconds: number; secondsLeft: number } {
  const step = Math.max(Math.floor(timeMs / STEP_MS), lastStep + 1);
  const secondsTo = (at: number): number => Math.max(0, Math.ceil((at * STEP_MS - timeMs) / 1000));
  return { code: codeOf(secret, step), waitSeconds: secondsTo(step - SKEW), secondsLeft: secondsTo(step + 1) };
}
