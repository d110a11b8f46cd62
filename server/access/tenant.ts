import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from '#server/context.ts';
import type { Distributor } from '#server/directory/directory.ts';

/** Paths served under any host: probes use the address, and payment notifications use whatever name the channel was given. */
const ANY_HOST = /^\/(healthz|readyz|metrics|api\/pay\/notify\/|api\/im\/callback)/;
/** Resources and calls of a page, and probes: served under each host of a brand. */
const NO_PAGE = /^\/((api|art|assets|cover|img|ws)\/|healthz|readyz|metrics)/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|[a-z0-9-]+\.localhost)$/;

/** The parts of a request that identify its host; a WebSocket upgrade has nothing else. */
export interface RequestTarget {
  headers: IncomingHttpHeaders;
  url: string;
}

/** Headers that a proxy adds: a client behind a proxy is not on this machine even if the connection is. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;
const OWN_ADDRESS = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

/** Whether a request comes from this machine, by only its connection; nothing that the client wrote is trusted. */
export function isOwnMachine({ socket, headers }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  return OWN_ADDRESS.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => headers[name] === undefined);
}

/** Host name without port, in lower case. X-Forwarded-Host is never read (reliability.md b.14). */
function hostOf(request: RequestTarget): string {
  const host = (request.headers.host ?? '').toLowerCase();
  return host.startsWith('[') ? host.replace(/\]:\d+$/, ']') : host.replace(/:\d+$/, '');
}

/** Resolves the distributor by an exact match of Host. In the demo market an unknown loopback name is the platform's. */
export function hostsOf(ctx: Context) {
  const find = (request: RequestTarget): Distributor | undefined => {
    const host = hostOf(request);
    if (!LOOPBACK.test(host)) return ctx.dir.byHost(host);
    // In production a name of this machine is never a site, whatever the table of hosts contains.
    if (ctx.config.production && !ctx.config.demo && !ctx.config.trial) return undefined;
    return ctx.dir.byHost(host) ?? ctx.dir.platform();
  };
  /** The same page on the brand's primary host, for a page request to a host that redirects there. */
  const movedTo = (request: RequestTarget & { method: string; protocol: string }): string | undefined => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || NO_PAGE.test(request.url)) return undefined;
    const primary = ctx.dir.redirectTarget(hostOf(request));
    const port = /:\d+$/.exec(request.headers.host ?? '')?.[0] ?? '';
    return primary && `${request.protocol}://${primary}${port}${request.url}`;
  };
  const isBackstage = (request: RequestTarget): boolean => hostOf(request) === ctx.config.backstageHost;
  return {
    isBackstage,
    movedTo,
    dist: (request: RequestTarget): Distributor => find(request) ?? ctx.dir.platform(),
    known: (request: RequestTarget): boolean =>
      isBackstage(request) || find(request) !== undefined || ANY_HOST.test(request.url),
  };
}
