export { Youshi, type YoushiOptions } from './client.ts';
export { YoushiError } from './error.ts';
export { sign, type SignedRequest } from './sign.ts';
export { type EventHeaders, isGenuineEvent } from './webhook.ts';
export type * from './calls.gen.ts';
export type * from './types.gen.ts';
