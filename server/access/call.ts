import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Caller, SessionStaff, SessionUser } from './session.ts';
import type { Distributor } from '#server/directory.ts';

/** The asker's key with the hash of what was asked; goes into the plan of the write it guards. */
export interface Idem {
  scope: string;
  endpoint: string;
  key: string;
  hash: string;
}

/** What a handler knows of its request besides the input. */
export interface Call {
  readonly ctx: Context;
  readonly dist: Distributor;
  readonly caller: Caller;
  readonly ip: string;
  /** Whether the connection itself is of this machine and no proxy stands in it: neither Host nor a forwarded address is asked. */
  readonly isOwn: boolean;
  readonly agent: string;
  /** Scheme and host as the browser sees them. */
  readonly origin: string;
  readonly idem: Idem | undefined;
  /** Only on the way of HTTP: cookies, files. */
  readonly http: { request: FastifyRequest; reply: FastifyReply } | undefined;
}
export type UserCall = Call & { readonly user: SessionUser };
export type StaffCall = Call & { readonly staff: SessionStaff };
