import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestHandler, type RequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import type { LoadContext, marketContext } from '#web/lib/pages/context.ts';
import { gzipPage, type PackedStyle, packStyle, type PageText, plainPage } from './ssr-gzip.ts';
import { requestNumber } from '#contract/rules/request-number.ts';
import { statisticsFor } from '#subjects/distributors/rules/statistics.ts';
import { firstPart, firstParts } from './ssr-addresses.ts';
import { securityHeaders } from './ssr-headers.ts';
import { PageStyles } from './ssr-style.ts';
import { PAGE_HEADERS, shortPage } from '../http/busy-response.ts';
import { INVITE_HOURS, inviteCodeOf } from '#contract/rules/invite.ts';
import { AppError, asAppError } from '../kernel/errors.ts';
import { PageCache } from './ssr-cache.ts';
import { PREVIEW_COOKIE } from '#subjects/distributors/server/preview.ts';

/** A page as its route rendered it. A page without scripts cannot load the rest of the style sheet. */
interface RenderedPage extends PageText {
  readonly route: string;
  readonly runsScripts: boolean;
}

/** Exports of the entry module. The key of the context must be the bundled module's own object. */
interface EntryModule {
  marketContext: typeof marketContext;
  publicPaths: readonly string[];
  /** HTML of a rendered page by its response, before and after the style sheet. */
  pageText: WeakMap<Response, RenderedPage>;
  pageStyle: string;
  /** The style sheet as a file, and the cookie of a browser that has stored it. */
  pageStyleFile: { url: string; cookie: { name: string; value: string } };
}

/** The interface of the mounted pages. */
export interface Pages {
  /** Public paths without parameters. */
  publicPaths(): Promise<readonly string[]>;
}

/** The parts of a page's request needed only for its headers. */
interface Surroundings {
  /** The token of the displayed preview. */
  previewToken?: string | undefined;
  /** The cookie `token` is set again: the session's browser has lost it. */
  lostToken?: { value: string; maxAgeSeconds: number } | undefined;
  /** Sites that a back-office page may embed in a frame; who may embed a preview. */
  frames: { sources: readonly string[]; ancestor: string | undefined };
}

interface PagesOptions {
  /** The repository's root. */
  root: string;
  dev: boolean;
  /** Hosts that the chat page may connect to besides its own. */
  chatConnect?: readonly string[] | undefined;
  /** The caller, the host, and how endpoints are called for them. The nonce is created here. */
  loadContext(request: FastifyRequest): Promise<Omit<LoadContext, 'nonce'> & Surroundings>;
}

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Mounts the pages and their assets as the last routes of the app: every URL not served by another route is a page. In production the
 * built bundle is loaded once; in development Vite compiles on demand inside this server.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<Pages> {
  let loadBuild: () => Promise<ServerBuild>;
  await app.register(async (scope) => {
    loadBuild = options.dev ? await developmentBuild(scope, options.root) : await productionBuild(scope, options.root);
    // A page's own action reads its body as a stream; no parser may consume it before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const pages = pageHandler(loadBuild, options);
    scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', exposeHeadRoute: false, handler: pages });
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/*',
      handler: (_request, reply) => plain(reply.header('allow', 'GET, HEAD, POST'), 405, 'Method Not Allowed'),
    });
  });
  return { publicPaths: async () => entryOf(await loadBuild()).publicPaths };
}

function entryOf(build: ServerBuild): EntryModule {
  return build.entry.module as unknown as EntryModule;
}

/** A page requested too often, or that cannot be rendered now: a short one that says when to try again. */
function sendError(reply: FastifyReply, { status, text, retryAfterSeconds }: AppError, id: string): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply
    .code(status)
    .headers(PAGE_HEADERS)
    .send(shortPage(text, status >= 500 ? requestNumber(id) : undefined));
}

function unforeseen(request: FastifyRequest, error: unknown): AppError {
  request.log.error({ err: error, url: request.url.split('?')[0], id: request.id }, 'fault');
  return new AppError('INTERNAL');
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(text);
}

/** Serves the built client files (immutable, compressed at build time) and loads the server bundle. */
async function productionBuild(app: FastifyInstance, root: string): Promise<() => Promise<ServerBuild>> {
  const bundle = join(root, 'build/server/index.js');
  const client = join(root, 'build/client');
  if (!existsSync(bundle)) throw new Error('pages are not built: build/server/index.js is missing');
  await app.register(fastifyStatic, {
    root: join(client, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    decorateReply: true,
  });
  // Files of web/public keep their names and so cannot be immutable; each gets its own route, nothing else is readable.
  for (const entry of readdirSync(client, { withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue;
    app.get(`/${entry.name}`, (_request, reply) =>
      reply.sendFile(entry.name, client, { maxAge: '1h', immutable: false }),
    );
  }
  const build = (await import(pathToFileURL(bundle).href)) as ServerBuild;
  return () => Promise.resolve(build);
}

/** Installs Vite's middleware before the pages; each request uses the newest bundle. */
async function developmentBuild(app: FastifyInstance, root: string): Promise<() => Promise<ServerBuild>> {
  const { createServer, isRunnableDevEnvironment } = await import('vite');
  const vite = await createServer({
    root,
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
  });
  app.addHook('onClose', () => vite.close());
  app.addHook('onRequest', (request, reply, done) => {
    vite.middlewares(request.raw, reply.raw, done);
  });
  return async () => {
    const { ssr } = vite.environments;
    if (!ssr || !isRunnableDevEnvironment(ssr))
      throw new Error('the development server has no environment for the server bundle');
    return (await ssr.runner.import('virtual:react-router/server-build')) as ServerBuild;
  };
}

function pageHandler(loadBuild: () => Promise<ServerBuild>, options: PagesOptions): PageHandler {
  let handlers: Handlers | null = null;
  const cache = new PageCache();
  return async (request, reply) => {
    const url = pageUrl(request);
    if (!url) return plain(reply, 400, 'Bad Request');
    const build = await loadBuild();
    if (handlers?.build !== build) handlers = handlersOf(build, options.dev);
    const nonce = randomBytes(18).toString('base64');
    const loaded = await options
      .loadContext(request)
      .catch((error: unknown) => asAppError(error) ?? unforeseen(request, error));
    if (loaded instanceof AppError) return sendError(reply, loaded, request.id);
    const isStored = !options.dev && hasStyle(request, entryOf(build));
    const headers = securityHeaders({
      nonce,
      url,
      dev: options.dev,
      isVisitor: request.method !== 'POST' && !loaded.user && !loaded.staff && loaded.previewToken === undefined,
      chatConnect: options.chatConnect,
      frameSources: loaded.frames.sources,
      frameAncestor: loaded.previewToken === undefined ? undefined : loaded.frames.ancestor,
      // A logged-in user may be asked for a password on any page (decision 540).
      statisticsHosts: statisticsFor(loaded.brand.distBaseConf.statTrafScript, loaded.user !== null).hosts,
    });
    keepPreview(request, reply, loaded.previewToken);
    restoreToken(request, reply, loaded.lostToken);
    keepInvitation(request, reply, url);
    const isUnknown = handlers.isUnknown(url);
    const key =
      options.dev || loaded.user || loaded.staff || loaded.previewToken
        ? undefined
        : keyOf(request, url, loaded, isUnknown);
    const cached = key === undefined ? undefined : cache.get(key, nonce);
    if (cached)
      return sendPage(
        request,
        head(reply, { status: isUnknown ? 404 : 200, headers: cached.headers }, headers),
        cached.text,
        isStored ? handlers.styleImport : cached.text.style,
      );
    const context = new RouterContextProvider();
    context.set(entryOf(build).marketContext, { ...loaded, nonce });
    const response = await handlers.handle(toWebRequest(request, reply, url), context);
    head(reply, response, headers);
    const rendered = entryOf(build).pageText.get(response);
    if (!rendered) return reply.send(bodyOf(response));
    const text = { ...rendered, style: handlers.styleOf(rendered) };
    if (key !== undefined) cache.put(key, { text, nonce, response });
    return sendPage(request, reply, text, isStored ? handlers.styleImport : text.style);
  };
}

/** Whether the browser has stored the style sheet's file: its pages import it. A browser that has lost the file loads it before painting the page. */
function hasStyle(request: FastifyRequest, { pageStyleFile: { cookie } }: EntryModule): boolean {
  return request.cookies[cookie.name] === cookie.value;
}

/** The preview stays active while its editor navigates; in a frame it applies to one page. `?preview=off` ends it. */
function keepPreview(request: FastifyRequest, reply: FastifyReply, token: string | undefined): void {
  const { preview, embed } = request.query as Record<string, string | undefined>;
  if (preview === undefined || embed !== undefined) return;
  if (token === undefined) reply.clearCookie(PREVIEW_COOKIE, { path: '/' });
  else
    reply.setCookie(PREVIEW_COOKIE, token, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: request.protocol === 'https',
    });
}

/**
 * Saves the invite code of any page's URL until the visitor registers (product.md 3), with the first response: a visitor who leaves before
 * the scripts run still counts for the inviter. Scripts read it too.
 */
function keepInvitation(request: FastifyRequest, reply: FastifyReply, url: URL): void {
  const code = inviteCodeOf(url.searchParams);
  if (code !== null)
    reply.setCookie('invitecode', code, {
      path: '/',
      sameSite: 'lax',
      secure: request.protocol === 'https',
      maxAge: INVITE_HOURS * 3600,
    });
}

/** Sets the readable cookie again like the log-in page (web/lib/session/signed-in.ts). */
function restoreToken(
  request: FastifyRequest,
  reply: FastifyReply,
  token: { value: string; maxAgeSeconds: number } | undefined,
): void {
  if (token)
    reply.setCookie('token', token.value, {
      path: '/',
      sameSite: 'lax',
      secure: request.protocol === 'https',
      maxAge: token.maxAgeSeconds,
    });
}

interface Handlers {
  readonly build: ServerBuild;
  handle: RequestHandler;
  /** Whether no page has this URL, judged by its first segment. */
  isUnknown(url: URL): boolean;
  /** The style sheet in the HTML of the first page of a visit. */
  styleOf(page: RenderedPage): PackedStyle;
  /** The replacement in pages for browsers that have stored the file. */
  styleImport: PackedStyle;
}

/** Serves the pages of a build. */
function handlersOf(build: ServerBuild, dev: boolean): Handlers {
  const mode = dev ? 'development' : 'production';
  const { pageStyle, pageStyleFile } = entryOf(build);
  const styles = new PageStyles(pageStyle);
  const knownParts = firstParts(build);
  return {
    build,
    handle: createRequestHandler(build, mode),
    styleImport: packStyle(`@import"${pageStyleFile.url}";`),
    styleOf: ({ before, after, route, runsScripts }) =>
      dev || !runsScripts ? styles.whole : styles.of(route, before + after),
    isUnknown(url) {
      const part = firstPart(url.pathname);
      return part !== undefined && part !== '' && !knownParts.has(part);
    },
  };
}

/** The cache key of a visitor's page: contains everything that a rendering reads from the request. */
function keyOf(
  request: FastifyRequest,
  url: URL,
  { device }: { device: string },
  isUnknown: boolean,
): string | undefined {
  return PageCache.keyOf({ method: request.method, url, device, theme: request.cookies.theme ?? '', isUnknown });
}

/** The request's URL; null if host or path is invalid. */
function pageUrl(request: FastifyRequest): URL | null {
  const { host } = request;
  if (!host || !/^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i.test(host)) return null;
  try {
    const url = new URL(`${request.protocol}://${host}${request.url}`);
    decodeURIComponent(url.pathname);
    return url.pathname.includes('\0') || url.pathname.startsWith('//') ? null : url;
  } catch {
    return null;
  }
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply, url: URL): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item);
  }
  const abort = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  const withBody = request.method === 'POST';
  return new Request(url, {
    method: request.method,
    headers,
    signal: abort.signal,
    ...(withBody && { body: Readable.toWeb(request.raw) as unknown as BodyInit, duplex: 'half' }),
  });
}

/** Copies status and headers of a response. */
function head(
  reply: FastifyReply,
  response: { status: number; headers: Iterable<readonly [string, string]> },
  headers: Record<string, string>,
): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) {
    // Each cookie is a separate entry; Fastify collects them.
    reply.header(name, value);
  }
  return reply.headers(headers);
}

/** A body that is not a page (data of a navigation, a file), streamed through the reply so that the compress plugin sees it. */
function bodyOf(response: Response): Readable | string {
  const body = response.body as NodeReadableStream | null;
  return body ? Readable.fromWeb(body) : '';
}

/** Sends a page with this style sheet, compressed (see `gzipPage`) when the client accepts gzip. */
function sendPage(request: FastifyRequest, reply: FastifyReply, text: PageText, style: PackedStyle): FastifyReply {
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(plainPage(text, style));
  return reply.header('content-encoding', 'gzip').send(gzipPage(text, style));
}
