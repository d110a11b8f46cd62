import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { gameScenes } from '#subjects/games/contract/game-doc.ts';
import { gameIconUrl } from '#subjects/games/rules/game-icon.ts';
import type { Context } from '#server/context.ts';
import type { Limiter } from '#server/access/limits.ts';
import { stateOf, viewerOf } from '#server/access/picture-address.ts';
import { apiCaller, type Caller, pageCaller } from '#server/access/session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type RequestedPicture, requestedPicture, sizeOfKey } from '#server/kernel/picture-key.ts';
import { type Cover, drawCover } from '#server/art/cover.ts';
import { drawAvatar, drawBanner, drawCertificate, drawGame, drawLogo } from '#server/art/marks.ts';
import { drawMask, MASKS } from '#server/art/mask.ts';
import { drawScreen } from '#server/art/screens.ts';
import { FOREVER, glyphOf, sendArt } from './art.ts';
import { initialOf, servingWidth, storageKey, wantedWidth } from './rules.ts';
import { LOGOS } from './site-icon.ts';

/** A game's icon addressed only by its code; staff may change it. */
const BRIEFLY = 'public, max-age=300';
/** A picture opened as a document can neither run nor load anything. */
const PICTURE_CSP = "default-src 'none'; sandbox";

/** Number of cached drawings, about 10 kB each. */
const MAX_CACHED_DRAWINGS = 600;

/** An LRU cache of drawings by key. */
function artMemory(): (key: string, draw: () => string) => string {
  const cache = new Map<string, string>();
  return (key, draw) => {
    const drawn = cache.get(key) ?? draw();
    cache.delete(key);
    cache.set(key, drawn);
    const oldest = cache.keys().next();
    if (cache.size > MAX_CACHED_DRAWINGS && oldest.done !== true) cache.delete(oldest.value);
    return drawn;
  };
}

interface GameArt {
  name: string;
  hue: number;
  scene: string;
  char: string;
  iconKey: string | null;
}

/** Loads hue, scene, character and uploaded icon of each game, cached until the catalogue changes. */
function gameArtLoader(ctx: Context): (code: string) => Promise<GameArt> {
  let loading: Promise<Map<string, GameArt>> | undefined;
  ctx.bus.subscribe('catalogue', () => {
    loading = undefined;
  });
  const load = async (): Promise<Map<string, GameArt>> => {
    const { rows } = await sql<Omit<GameArt, 'char'> & { code: string; glyph: string }>`
      select code, name, hue, scene, glyph, icon_key as "iconKey" from game`.execute(ctx.db);
    return new Map(rows.map(({ code, glyph, ...art }) => [code, { ...art, char: glyphOf({ glyph, name: art.name }) }]));
  };
  return async (code) => {
    loading ??= load();
    const artByCode = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const art = artByCode.get(code);
    if (!art) throw new AppError('NOT_FOUND');
    return art;
  };
}

/** Parses an integer of a path within bounds. Throws NOT_FOUND otherwise. */
function bounded(text: string | undefined, max: number): number {
  const value = /^\d{1,10}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new AppError('NOT_FOUND');
  return value;
}

const MAX_SEED = 4_294_967_295;
const MAX_INDEX = 19;
const MAX_HUE = 360;

type Hosts = ReturnType<typeof hostsOf>;
type Params<K extends string> = { Params: Record<K, string> };

/** A cover that shows only the game. */
const gameCover = ({ name, hue, scene, char }: GameArt): Cover => ({
  game: { name, hue, scene },
  tier: 1,
  title: name,
  region: '',
  note: '',
  figures: [],
  emblem: { kind: 'rings', shares: [], char },
});

type Memory = ReturnType<typeof artMemory>;

/** Serves drawn pictures of games and of the demo market's listings. All inputs are bounded. */
function registerGameArt(http: FastifyInstance, ctx: Context, memory: Memory): void {
  const artOf = gameArtLoader(ctx);
  http.get<Params<'game' | 'seed' | 'index'>>('/art/screen/:game/:seed/:index.svg', async (request, reply) => {
    const seed = bounded(request.params.seed, MAX_SEED);
    const index = bounded(request.params.index, MAX_INDEX);
    const { hue } = await artOf(request.params.game);
    return sendArt(
      reply,
      memory(`screen ${hue} ${seed} ${index}`, () => drawScreen({ hue, seed, index })),
    );
  });
  // Orders without a listing, and addresses stored in orders and browsers.
  http.get<Params<'game' | 'seed' | 'index'>>('/art/goods/:game/:seed/:index.svg', async (request, reply) => {
    bounded(request.params.seed, MAX_SEED);
    bounded(request.params.index, MAX_INDEX);
    const game = await artOf(request.params.game);
    const drawn = memory(`cover ${game.hue} ${game.scene} ${game.name}`, () => drawCover(gameCover(game), '136x90'));
    return sendArt(reply, drawn, BRIEFLY);
  });
  http.get<Params<'code'>>('/art/game/:code.svg', async (request, reply) => {
    const art = await artOf(request.params.code);
    if (art.iconKey !== null)
      return await reply
        .header('cache-control', BRIEFLY)
        .redirect(gameIconUrl({ ...art, icon: art.iconKey, glyph: art.char }));
    return sendArt(
      reply,
      memory(`game ${art.hue} ${art.scene} ${art.char}`, () => drawGame(art)),
      BRIEFLY,
    );
  });
  http.get<Params<'hue' | 'scene' | 'char'>>('/art/icon/:hue/:scene/:char.svg', async (request, reply) => {
    const hue = bounded(request.params.hue, MAX_HUE);
    const { scene } = request.params;
    if (!(gameScenes as readonly string[]).includes(scene)) throw new AppError('NOT_FOUND');
    const char = initialOf(request.params.char);
    return sendArt(
      reply,
      memory(`game ${hue} ${scene} ${char}`, () => drawGame({ hue, scene, char })),
    );
  });
}

/** Serves drawn pictures of users and brands. All inputs are bounded, and only characters of names are drawn. */
function registerMarks(http: FastifyInstance, ctx: Context, memory: Memory): void {
  http.get<Params<'index' | 'hue' | 'voice'>>('/art/mask/:index/:hue/:voice.svg', async (request, reply) => {
    const index = bounded(request.params.index, MASKS - 1);
    const hue = bounded(request.params.hue, MAX_HUE);
    const hasVoice = bounded(request.params.voice, 1) === 1;
    return sendArt(
      reply,
      memory(`mask ${index} ${hue} ${hasVoice}`, () => drawMask({ index, hue, hasVoice })),
    );
  });
  http.get<Params<'hue' | 'char'>>('/art/avatar/:hue/:char.svg', async (request, reply) => {
    const hue = bounded(request.params.hue, MAX_HUE);
    const char = initialOf(request.params.char);
    return sendArt(
      reply,
      memory(`avatar ${hue} ${char}`, () => drawAvatar({ hue, char })),
    );
  });
  http.get<Params<'hue'> & { Querystring: { dark?: string } }>('/art/banner/:hue.svg', async (request, reply) => {
    const hue = bounded(request.params.hue, MAX_HUE);
    const dark = request.query.dark === '1';
    return sendArt(
      reply,
      memory(`banner ${hue} ${dark}`, () => drawBanner({ hue, dark })),
    );
  });
  http.get<Params<'hue' | 'text'>>('/art/certificate/:hue/:text.svg', async (request, reply) => {
    const hue = bounded(request.params.hue, MAX_HUE);
    const text = request.params.text.replace(/[^\p{Script=Han}A-Za-z0-9]/gu, '').slice(0, 6);
    return sendArt(
      reply,
      memory(`certificate ${hue} ${text}`, () => drawCertificate({ hue, text })),
    );
  });
  http.get<Params<'dist'>>('/art/logo/:dist.svg', async (request, reply) => {
    const dist = ctx.dir.all().find(({ code }) => code === request.params.dist);
    if (!dist) throw new AppError('NOT_FOUND');
    const logo = { hue: Math.round(dist.conf.theme.hue), char: initialOf(dist.name), kind: LOGOS[dist.code] ?? 'seal' };
    return sendArt(
      reply,
      memory(`logo ${logo.hue} ${logo.char} ${logo.kind}`, () => drawLogo(logo)),
    );
  });
}

/** The viewer of a picture: identified by the cookie, as for a page, or by a client's token. */
export async function loadOpener(ctx: Context, request: FastifyRequest, hosts: Hosts): Promise<Caller> {
  const isStaff = hosts.isBackstage(request);
  return request.headers.authorization === undefined
    ? await pageCaller(ctx, request, isStaff)
    : await apiCaller(ctx, request, isStaff);
}

/**
 * How long a picture may be cached, after the check of a private one. The storage is not read before that. Throws PICTURE_PRIVATE for an
 * address of another person, PICTURE_ENDED for one whose time is over, and RATE_LIMITED.
 */
async function loadCaching(
  { ctx, hosts, limiter }: { ctx: Context; hosts: Hosts; limiter: Limiter },
  request: FastifyRequest,
  asked: RequestedPicture,
): Promise<string> {
  if (!asked.isPrivate) return FOREVER;
  let state = stateOf(ctx.keys, ['visitor'], asked);
  if (state === 'foreign' && asked.signature !== '') {
    // Counted by network before the session is looked up: anyone can send an address with an invented signature.
    limiter.take('picture', { account: undefined, address: request.ip });
    state = stateOf(ctx.keys, [viewerOf(await loadOpener(ctx, request, hosts))], asked);
  }
  if (state === 'foreign') throw new AppError('PICTURE_PRIVATE');
  if (state === 'ended') throw new AppError('PICTURE_ENDED');
  return `private, max-age=${state}`;
}

/** Serves uploaded pictures in the stored width that suits `?w=640` or the specification's `?imageView2/2/w/640/q/75`. */
function registerUploads(http: FastifyInstance, ctx: Context, limiter: Limiter): void {
  const hosts = hostsOf(ctx);
  http.get<Params<'key'>>('/img/:key', async (request, reply) => {
    const asked = requestedPicture(request.params.key);
    const size = asked && sizeOfKey(asked.key);
    if (!size) throw new AppError('NOT_FOUND');
    // A rejection must not be cached; browsers may cache 410.
    reply.header('cache-control', 'no-store');
    const caching = await loadCaching({ ctx, hosts, limiter }, request, asked);
    const { key } = asked;
    const width = servingWidth(size.width, wantedWidth(request.url.split('?')[1] ?? ''));
    const etag = `"${key}-${width}"`;
    reply.header('cache-control', caching).header('etag', etag);
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send();
    const object = await ctx.storage.read(storageKey(key, width));
    if (!object) {
      reply.removeHeader('etag').header('cache-control', 'no-store');
      throw new AppError('NOT_FOUND');
    }
    return await reply
      .header('content-security-policy', PICTURE_CSP)
      .header('cross-origin-resource-policy', 'same-site')
      .header('content-length', object.bytes)
      .type('image/webp')
      .send(object.body);
  });
}

/** Registers all picture URLs. */
export function registerPictures(http: FastifyInstance, ctx: Context, limiter: Limiter): void {
  const memory = artMemory();
  registerGameArt(http, ctx, memory);
  registerMarks(http, ctx, memory);
  registerUploads(http, ctx, limiter);
}
