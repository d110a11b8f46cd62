import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Caller, SessionStaff, SessionUser } from './session.ts';
import type { Distributor } from '#server/directory/directory.ts';

/** The caller's idempotency key with the hash of the request; becomes part of the plan of the write it guards. */
export interface Idem {
  scope: string;
  endpoint: string;
  key: string;
  hash: string;
}

/** The request of a handler, apart from its input. */
export interface Call {
  readonly ctx: Context;
  readonly dist: Distributor;
  /** `dist` is a working copy that a member of staff previews: nothing of it may be cached for others. */
  readonly isPreview?: boolean;
  readonly caller: Caller;
  readonly ip: string;
  /** Whether the connection comes from this machine without a proxy. Host and forwarded addresses are not trusted for this. */
  readonly isOwn: boolean;
  readonly agent: string;
  /** Scheme and host as the browser sees them. */
  readonly origin: string;
  readonly idem: Idem | undefined;
  /** The caller has just written: all reads use the primary. */
  readonly hasWritten?: boolean;
  /** Only for calls over HTTP: cookies, files. */
  readonly http: { request: FastifyRequest; reply: FastifyReply } | undefined;
}
export type UserCall = Call & { readonly user: SessionUser };
export type StaffCall = Call & { readonly staff: SessionStaff };
/** The context of a read call by staff; a download through a plain link has nothing more. */
export type StaffRead = Pick<StaffCall, 'ctx' | 'staff' | 'ip'>;
