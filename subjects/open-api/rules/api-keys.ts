/** Permissions of a key of the open interface. None of them moves money, reads a sealed form or changes an account. */
export const API_SCOPES = ['goods.read', 'goods.write', 'stock.write', 'orders.read'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** The description of each scope for sellers. */
export const API_SCOPE_NAMES: Readonly<Record<ApiScope, { name: string; about: string }>> = {
  'goods.read': { name: '查看商品', about: '读取您发布的商品、价格和库存' },
  'goods.write': { name: '发布和修改商品', about: '发布新商品、修改标题描述和图片，仍需审核' },
  'stock.write': { name: '改价、改库存、上下架', about: '同步价格和库存，标记已在别处售出' },
  'orders.read': { name: '查看订单', about: '读取买家向您下的订单和状态，不含买家资料和账号密码' },
};

/** The maximum number of active keys. */
export const API_KEYS_MAX = 10;
/** The lifetimes of a key, in days. */
export const API_KEY_DAYS = [30, 90, 180, 365] as const;
/** The maximum reduction by a key from a listing's highest price of the last day, in percent. */
export const API_MAX_DROPS = [0, 10, 30, 50, 90] as const;
/** For how many hours the old secret stays valid after a rotation. */
export const API_OVERLAP_HOURS = [0, 1, 24, 168] as const;
/** Addresses in the list of a key. */
export const API_NETWORKS_MAX = 10;

/** A signed request is accepted this long before and after its time stamp. */
export const SIGNED_SECONDS = 300;

/**
 * The version of the open interface. Within a major version fields and calls are only added; a change that breaks a program raises the
 * major version and gets a new address (docs/decisions/555).
 */
export const OPEN_API_VERSION = '1.1.0';
/** Where the document of the open interface is served. */
export const OPEN_API_DOCUMENT = '/api/open/openapi.json';

/** The first line of the signed text, which names the scheme. */
export const SIGNING_METHOD = 'HMAC-SHA256';

/** The headers of a signed request. */
export const SIGNED_HEADERS = {
  key: 'x-api-key',
  time: 'x-api-timestamp',
  nonce: 'x-api-nonce',
  signature: 'x-api-signature',
} as const;

/** The text that a key's secret signs: six lines. `target` is the path with the query as it is sent, `bodyHash` SHA-256 of the body in hex. */
export function textToSign(request: {
  method: string;
  target: string;
  timestamp: string;
  nonce: string;
  bodyHash: string;
}): string {
  const { method, target, timestamp, nonce, bodyHash } = request;
  return [SIGNING_METHOD, method, target, timestamp, nonce, bodyHash].join('\n');
}
