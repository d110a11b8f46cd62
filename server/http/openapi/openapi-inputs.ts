/** Fields of the documents' example inputs that rules require and schemas do not state. */
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import type { Json, JsonObject } from './openapi-schema.ts';

const EXPLAINED = '示例说明，请换成您的内容';
const EVIDENCE: Json = ['abcdefghijklmnopqrstuvwxyz-640x480'];
const PAY_PASSWORD: JsonObject = { payPassword: '示例支付密码' };
const REGION: JsonObject = { areaId: 2001, serverId: 201001 };
const DETAILS: JsonObject = {
  rank: 1,
  noble: 8,
  skin_count: 320,
  hero_count: 120,
  account_source: 1,
  second_realname: true,
};
const BRAND: JsonObject = { hue: 200 };

/** By path; merged over the example that is generated from the schema. Tests send each one through its call. */
const INPUTS: Readonly<Record<string, JsonObject>> = {
  '/api/user/register': { agree: true },
  '/api/user/bindAccountNum': { account: 'name@example.com' },
  '/api/user/stepUp': PAY_PASSWORD,
  '/api/goods/releaseGoods': { ...REGION, details: DETAILS, accountNo: 'account-1' },
  '/api/goods/editGoodsList': { list: [{ goodsSn: 'SJ0000001', price: '128.00' }] },
  '/api/goods/import/template': { gameId: 2, goodsTypeId: OrderType.Account },
  '/api/goods/saveBargainRule': { floorPercent: 90 },
  '/api/goods/saveTimeSale': { price: '108.00', startHour: 20, hours: 2 },
  '/api/coupon/distributeUserCoupon': { code: 'welcome' },
  '/api/im/sendMessage': { content: '您好，商品还在吗？' },
  '/api/comm/serSatiEval': { groupId: '1' },
  '/api/pay/recPay': { amount: '100.00' },
  '/api/pay/cashAdvance': { ...PAY_PASSWORD, accountType: 'alipay', smsCode: '123456' },
  '/api/pay/depositPay': PAY_PASSWORD,
  '/api/pay/depositRelease': PAY_PASSWORD,
  '/api/recycle/saveCoinRecycle': { gameId: 2, areaId: 2001, lotUnits: 100, lotPrice: '88.00', wantedNum: 10 },
  '/api/recycle/accountApply': { ...REGION, details: DETAILS },
  '/api/inspection/again': PAY_PASSWORD,
  '/api/inspection/ask': { fields: { account: 'account-1', password: '示例密码' } },
  '/api/inspection/seal': { fields: { account: 'account-1', password: '示例密码' } },
  '/api/inspection/wrong': { pictures: EVIDENCE },
  '/api/openKeys/create': { days: 90, maxDropPercent: 50 },
  '/api/webhooks/create': { url: 'https://example.com/youshi' },
  '/api/service/progress': { pictures: EVIDENCE },
  '/api/service/tip': PAY_PASSWORD,
  '/api/booster/requestPost': {
    fromRank: '1',
    toRank: '2',
    milestones: [{ title: '上分', sharePercent: 100 }],
    payPassword: '示例支付密码',
  },
  '/api/accompanyer/accompanyerApply': { voice: 'abcdefghijklmnopqrstuvwxyz-12.mp3' },
  '/api/backstage/brand/save': BRAND,
  '/api/backstage/brand/preview': BRAND,
  '/api/backstage/brand/pushToken': { token: 'a1b2c3d4e5f6' },
  '/api/backstage/import/start': { seller: '13800000006' },
  '/api/backstage/setup/admin': { login: 'wang', newPassword: 'Youshi-example-1' },
  '/api/backstage/trust/addBlack': { grounds: EXPLAINED },
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An example with the fields that the rules of its call require. */
export function completed(path: string, example: JsonObject): JsonObject {
  const more = INPUTS[path] ?? {};
  // A brand's look is a structure whose other fields are generated.
  if (more === BRAND) {
    const content = isObject(example.content) ? example.content : {};
    return { ...example, content: { ...content, ...BRAND, certificates: [] } };
  }
  return { ...example, ...more };
}
