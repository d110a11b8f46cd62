import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { OPEN_API_DOCUMENT, OPEN_API_VERSION } from '#subjects/open-api/rules/api-keys.ts';
import { pageCaller } from '#server/access/session.ts';
import { hostsOf } from '#server/access/tenant.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openApiDocument, referencePage } from './openapi.ts';
import type { JsonObject } from './openapi-schema.ts';
import type { Server } from '../serve.ts';

/** Calls that only the back office's host serves; no public document names them. */
const isOfStaff = ({ auth, path }: Endpoint): boolean => auth === 'staff' || path.startsWith('/api/backstage/');

/** The documents: the public calls, those of sellers' keys, and those of the back office. */
type Kind = 'public' | 'open' | 'staff';

const kindOf = (endpoint: Endpoint): Kind =>
  isOfStaff(endpoint) ? 'staff' : endpoint.auth === 'key' ? 'open' : 'public';

interface MadeDocument {
  document: JsonObject;
  text: string;
}

const TITLES: Readonly<Record<Kind, string>> = { public: '游市接口', open: '游市开放接口', staff: '游市后台接口' };
const DOCUMENT_URLS: Readonly<Record<Kind, string>> = {
  public: '/api/openapi.json',
  open: OPEN_API_DOCUMENT,
  staff: '/api/openapi.json',
};

/** The calls of an order's life, in their order. */
const ORDER_GUIDE =
  '一笔账号订单的调用顺序：卖家 POST /api/comm/submitCertificate 实名、GET /api/goods/getGoodsUpperConf 取表单、POST /api/goods/releaseGoods 发布，审核通过后' +
  '买家 POST /api/order/placeOrder 下单、POST /api/pay/balancePay 付款（或 POST /api/pay/recPay 用支付渠道，GET /api/pay/queryPayStatus 查结果），' +
  '卖家按 GET /api/order/orderDetail 的 handover 依次 POST /api/order/handoverDone 完成步骤、POST /api/order/sealSecret 提交账号资料，POST /api/order/offlineTranSub 发货，' +
  '买家 POST /api/order/revealSecret 查看资料、POST /api/order/confirmRecGoods 确认收货、POST /api/order/orderEval 评价。' +
  '代练和陪玩用 POST /api/service/placeOrder 下单，极速金币用 POST /api/quickCoin/placeQuickCoinOrder；' +
  '理赔 POST /api/guarantee/claim，申诉 POST /api/dispute/open，账号回收 POST /api/recycle/accountApply。' +
  '需要先调用别的接口时，错误里的 call 会指出。';

/** Serves the API references as OpenAPI and as pages; only the calls that this server implements. */
export function registerDocs(http: FastifyInstance, ctx: Context, server: Server): void {
  const served = new Set(server.served());
  // Built on first request: it takes a tenth of the start-up time, and most processes never serve it.
  const made = new Map<Kind, MadeDocument>();
  const docs = (kind: Kind): MadeDocument => {
    const cached = made.get(kind);
    if (cached) return cached;
    const wanted = endpoints.filter((e) => served.has(`${e.method} ${e.path}`) && kindOf(e) === kind);
    const document = openApiDocument(wanted, {
      title: TITLES[kind],
      version: kind === 'open' ? OPEN_API_VERSION : ctx.version,
      servers: ['/'],
      withWebhooks: kind !== 'staff',
      ...(kind === 'public' && { guide: ORDER_GUIDE }),
    });
    const one = { document, text: JSON.stringify(document) };
    made.set(kind, one);
    return one;
  };
  const hosts = hostsOf(ctx);
  /** The document that a request may read: on the back office's host the one of its calls, for staff with a session only. */
  const kindFor = async (request: FastifyRequest, kind: 'public' | 'open'): Promise<Kind> => {
    if (!hosts.isBackstage(request)) return kind;
    const caller = await pageCaller(ctx, request, true);
    if (!caller.staff || kind === 'open') throw new AppError('NOT_FOUND');
    return 'staff';
  };
  const sendDocument = (kind: 'public' | 'open') => async (request: FastifyRequest, reply: FastifyReply) =>
    await reply.type('application/json; charset=utf-8').send(docs(await kindFor(request, kind)).text);
  const sendPage = (asked: 'public' | 'open') => async (request: FastifyRequest, reply: FastifyReply) => {
    const kind = await kindFor(request, asked);
    const nonce = randomBytes(18).toString('base64');
    return await reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'self'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`,
      )
      .send(referencePage(docs(kind).document, { nonce, documentUrl: DOCUMENT_URLS[kind] }));
  };
  http.get(DOCUMENT_URLS.public, sendDocument('public'));
  http.get(OPEN_API_DOCUMENT, sendDocument('open'));
  http.get('/api/docs', sendPage('public'));
  http.get('/api/open/docs', sendPage('open'));
}
