/** Inputs of the right form for every call of the back office, naming nothing that exists. */
import { emptyContent } from '#subjects/distributors/contract/brand-content.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { starterDoc } from '#subjects/games/server/starter.ts';
import { goodInput } from './hostile.ts';

/** Fields as honest staff write them; the things that they name are not there. */
const PLAIN = {
  list: 'orders',
  format: 'csv',
  columns: '["orderSn"]',
  goodsSns: '["ZZ0000001"]',
  disputeSns: '["DS0000001"]',
  claimSns: '["CL0000001"]',
  queries: '[""]',
  holdIds: '[999999]',
  orderSns: '["26112000000000"]',
  amount: '100.00',
  refund: '10.00',
  price: '10.00',
  limit: '10.00',
  seenLimit: '10.00',
  minimum: '20.00',
  groupId: '999999',
  userId: '999999',
  userIds: '999999',
  otherId: '999998',
  staffId: '999999',
  login: 'somebody',
  role: 'service',
  permissions: '[]',
  codes: '["wzry"]',
  distId: '2',
  reason: '核实过了，没有别的问题',
  token: 'A1b2C3d4E5f6G7h8',
  text: '核实过了没有问题',
  body: '核实过了没有问题',
  content: '核实过了没有问题',
  publicText: '核实过了没有问题',
  rules: '["2.2"]',
  disputeSn: 'D0000000000',
  claimSn: 'C0000000000',
  withdrawSn: 'W0000000000',
  listSn: 'L0000000000',
  lines: '[{"lineId":1,"draftNo":1,"result":"paid","detail":"B1"}]',
  settlementSn: 'S0000000000',
  refundNo: 'R0000000000',
  blackSn: 'B0000000000',
  goodsSn: 'ZZ0000001',
  orderSn: '26112000000000',
  code: 'a-code',
  seller: '13800000000',
  day: '2026-11-01',
  startDay: '2026-11-01',
  endDay: '2026-12-01',
  startTime: '2026-11-20T19:30',
  updateMark: '2026-11-01T00:00:00.000Z',
  htUrl: '/news',
  position: 'game_top',
  steps: '[1]',
  staffIds: '[]',
  orderTypes: '[]',
  value: '812345678',
  name: '小游',
  clientMsgId: 'c-1',
  messageType: 'text',
  receiptNo: 'R123456',
  paidOn: '2026-11-01',
  pictures: '["a-picture"]',
  note: '凭证',
  phone: '13800000000',
  email: 'a@example.com',
  realName: '张三',
  idCard: '110101199003077774',
  key: 'fees',
  values: '{}',
};

/** Input of the calls for texts. */
const TEXT = { kind: 'order.paid', to: '13800000000', channels: '[]', template: '' };

const REASON = { code: 'other', goodsTypes: '[]', orderStates: '[1]', form: '[]', name: '其他问题' };
const BLACK = {
  reason: 'fraud',
  title: '多个平台通报的骗子',
  accounts: [{ kind: 'qq', value: '812345678' }],
  publicText: '多名买家付款后失联',
  grounds: '另一平台通报，三位买家提供了付款记录',
};
const RECYCLE = { requestSn: 'HSNONE0001', details: '{}' };
const INSPECTION = { taskId: 1, claimId: 1, details: '{}', act: 'open', pay: '1', note: '截图与验号结果不符' };
const BOOSTING = { safety: 'buyer', efficiency: 'booster' };
const RULE = { key: 'rule:2.2' };

const BRAND = JSON.stringify(emptyContent('月光游戏'));
const GAME = {
  code: 'newgame',
  doc: JSON.stringify(starterDoc({ name: '新游', code: 'newgame', gameType: 1 }, undefined)),
};

/** An input that a call takes as far as its form goes. */
export function staffInput(endpoint: Endpoint): object {
  const { code, ...plain } = PLAIN;
  // Elsewhere a code is no name of a campaign or of a text.
  const known = /\/(campaign|content)\//.test(endpoint.path) ? { ...plain, code } : plain;
  const [, subject = ''] = /backstage\/(\w+)\//.exec(endpoint.path) ?? [];
  // As filters of a list, amounts are ranges and reasons are codes.
  const ranges = endpoint.method === 'GET' ? { amount: '', price: '', reason: '' } : {};
  const own: Record<string, object> = {
    brand: { content: BRAND },
    list: endpoint.path.endsWith('/saveView') ? { query: 'status=1' } : {},
    text: TEXT,
    rule: RULE,
    reason: REASON,
    game: GAME,
    recycle: RECYCLE,
    trust: BLACK,
    inspection: INSPECTION,
    boosting: BOOSTING,
  };
  return goodInput(endpoint, { ...known, ...ranges, ...own[subject] });
}
