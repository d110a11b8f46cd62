import type { z } from 'zod';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { VendorResponse } from '../vendor-request.ts';

/** A response parsed by the schema. Throws UnknownResult for any other shape, such as an error page of a proxy. */
export function shaped<T>(engine: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const { path = [], code = '' } = parsed.error.issues[0] ?? {};
  throw new UnknownResult(`${engine} answered in another shape: ${code} at ${path.join('.')}`);
}

/** The body of a response, which is JSON of this shape. Throws UnknownResult for anything else. */
export function shapedBody<T>(engine: string, schema: z.ZodType<T>, { status, body }: VendorResponse): T {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString());
  } catch (error) {
    throw new UnknownResult(`${engine} answered ${status} without JSON`, { cause: error });
  }
  return shaped(engine, schema, answer);
}
