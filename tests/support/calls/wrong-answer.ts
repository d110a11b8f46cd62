/** Requirements for the response to a hostile request. */
import type { LightMyRequestResponse } from 'fastify';
import { MARK } from './hostile.ts';

const LEAK =
  /\bat [^\n"]{1,120}\.(m?[jt]sx?):\d+|node_modules|syntax error|violates|duplicate key|relation \\?"|column \\?"|invalid input syntax|\/(home|tmp|srv|work|app)\/[\w/-]+|ECONNREFUSED|argon2id\$/;

const isField = (field: unknown): boolean => typeof field === 'string' && /^\w{1,40}(\.\w{1,40}){0,6}$/.test(field);

/** Whether these are the errors of an input: one for each field, the first of them that of the envelope where it names a field. */
function areErrors(errors: unknown, { msg, field }: { msg: string; field: unknown }): boolean {
  if (!Array.isArray(errors)) return false;
  const list = errors as { field?: unknown; msg?: unknown; allowed?: unknown }[];
  const areKnown = list.every(
    (one) =>
      Object.keys(one).every((key) => ['field', 'msg', 'allowed'].includes(key)) &&
      /^[\w.-]{1,80}$/.test(String(one.field)) &&
      typeof one.msg === 'string' &&
      (one.allowed === undefined || Array.isArray(one.allowed)),
  );
  const fields = new Set(list.map((one) => one.field));
  return (
    areKnown &&
    fields.size === list.length &&
    (field === undefined || (list[0]?.field === field && list[0]?.msg === msg))
  );
}

/** Returns the fault of a response; undefined for a valid envelope, success or error. */
export function wrongWith(response: LightMyRequestResponse): string | undefined {
  const { statusCode, body } = response;
  if (statusCode >= 500) return `status ${statusCode}: ${body.slice(0, 200)}`;
  if (!String(response.headers['content-type']).startsWith('application/json'))
    return `not JSON: ${body.slice(0, 200)}`;
  // Every answer of the server has it: one without is not the server's.
  if (response.headers['x-content-type-options'] !== 'nosniff') return 'lacks the security headers';
  const envelope = response.json<Record<string, unknown>>();
  const { code, data, msg, field, errors, call, ...rest } = envelope;
  if (!Number.isInteger(code) || typeof msg !== 'string' || data === undefined || Object.keys(rest).length > 0)
    return `not the envelope: ${body.slice(0, 200)}`;
  // Only an error names a field: a path of the input, never a value that was typed.
  if (field !== undefined && (code === 0 || !isField(field))) return `not a field: ${body.slice(0, 200)}`;
  if (errors !== undefined && !areErrors(errors, { msg, field })) return `not a list of errors: ${body.slice(0, 200)}`;
  if (call !== undefined && (code === 0 || typeof call !== 'string' || !/^(GET|POST) \/api\/[\w/]{1,60}$/.test(call)))
    return `not a call: ${body.slice(0, 200)}`;
  if (LEAK.test(body)) return `tells of the inside: ${body.slice(0, 300)}`;
  if (code === 0) return statusCode === 200 && msg === '' ? undefined : `success with status ${statusCode}: ${msg}`;
  if (statusCode < 400 || data !== null) return `refusal with status ${statusCode}: ${body.slice(0, 200)}`;
  if (!/[\u4e00-\u9fff]/.test(msg)) return `not in Chinese: ${msg}`;
  if (msg.includes(MARK)) return `repeats what was sent: ${msg}`;
  if (code !== 1 && /token|tcp|登录已过期/i.test(msg)) return `sends the specified client away: ${msg}`;
  return undefined;
}
