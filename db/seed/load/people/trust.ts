import type { BlackKind, BlackReason } from '#subjects/verification/rules/black.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { maskNumber, numberIndex } from '#subjects/verification/server/numbers.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import type { Person } from './people.ts';

const DAY = 1440;

/** Numbers of the demo market; they belong to no one. The first is shown by the pages as what can be tried. */
const OFFICIAL = [
  { kind: 'qq', value: '10000001', name: '客服小安', duty: '售前与订单', shown: true },
  { kind: 'qq', value: '10000002', name: '客服小宁', duty: '售后与换绑', shown: true },
  { kind: 'wechat', value: 'youshi-kefu', name: '官方微信客服', duty: '公众号消息', shown: true },
  { kind: 'phone', value: '19900000001', name: '投诉专线', duty: '投诉', shown: true },
  { kind: 'payee', value: 'pay@youshi.example', name: '平台托管账户', duty: '收款', shown: false },
  { kind: 'group', value: '900000001', name: '玩家交流群', duty: '', shown: false },
] as const;

interface Entry {
  reason: BlackReason;
  title: string;
  text: string;
  accounts: readonly [kind: BlackKind, value: string][];
  yuan?: number;
  daysAgo: number;
  status: 'listed' | 'reviewing' | 'rejected';
  note?: string;
}

const ENTRIES: readonly Entry[] = [
  {
    reason: 'recovered',
    title: '成交三天后申诉找回账号',
    text: '账号交付后第三天被原主用身份证申诉找回，联系卖家后被拉黑。',
    accounts: [
      ['qq', '800100001'],
      ['phone', '19900001001'],
    ],
    yuan: 2600,
    daysAgo: 2,
    status: 'listed',
  },
  {
    reason: 'fake_service',
    title: '冒充本站客服，要求缴纳解冻金',
    text: '自称客服，说订单异常需要先转 500 元解冻，转账后消失。',
    accounts: [['wechat', 'kefu-fake-88']],
    yuan: 500,
    daysAgo: 4,
    status: 'listed',
  },
  {
    reason: 'fraud',
    title: '约到站外付款后失联',
    text: '在聊天里发来个人收款码，付款后再也没有回应。',
    accounts: [
      ['alipay', '19900001002'],
      ['qq', '800100002'],
    ],
    yuan: 1380,
    daysAgo: 7,
    status: 'listed',
  },
  {
    reason: 'malicious_refund',
    title: '收号后以未成年人充值为由退款',
    text: '确认收货两周后，向渠道申请未成年人退款，账号被扣回。',
    accounts: [['game', 'wz-demo-7731']],
    yuan: 899,
    daysAgo: 11,
    status: 'listed',
  },
  {
    reason: 'stolen',
    title: '出售盗来的账号',
    text: '账号交付当天被冻结，原主提供了报警回执。',
    accounts: [['qq', '800100003']],
    yuan: 3200,
    daysAgo: 16,
    status: 'listed',
  },
  {
    reason: 'cheating',
    title: '隐瞒外挂处罚记录',
    text: '验号前一天被处罚，卖家在描述里写无处罚，封禁三十天。',
    accounts: [['game', 'cf-demo-2208']],
    yuan: 460,
    daysAgo: 23,
    status: 'listed',
  },
  {
    reason: 'recovered',
    title: '换绑后又用旧手机号改密',
    text: '换绑步骤完成后，用没有解绑的旧手机号改了密码。',
    accounts: [['phone', '19900001003']],
    yuan: 1750,
    daysAgo: 31,
    status: 'listed',
  },
  {
    reason: 'fraud',
    title: '伪造付款截图要求先交号',
    text: '发来伪造的付款截图催促交付，订单实际没有付款。',
    accounts: [['wechat', 'buyer-demo-xx']],
    daysAgo: 40,
    status: 'listed',
  },
  {
    reason: 'other',
    title: '代练中途失联，账号被转借',
    text: '代练期间账号在另一座城市登录，代练方失联。',
    accounts: [['qq', '800100004']],
    yuan: 300,
    daysAgo: 52,
    status: 'listed',
  },
  {
    reason: 'fraud',
    title: '自称中介，收取保证金后失联',
    text: '自称担保中介，收取 300 元保证金后把我删除，附转账记录。',
    accounts: [
      ['wechat', 'zhongjie-demo'],
      ['qq', '800100005'],
    ],
    yuan: 300,
    daysAgo: 0.2,
    status: 'reviewing',
  },
  {
    reason: 'recovered',
    title: '交易一个月后账号被找回',
    text: '找回通知和聊天记录见附图，卖家否认。',
    accounts: [['qq', '800100006']],
    yuan: 980,
    daysAgo: 1,
    status: 'reviewing',
  },
  {
    reason: 'other',
    title: '态度很差，不愿降价',
    text: '和他议价，他说话很难听，希望处理一下。',
    accounts: [['qq', '800100007']],
    daysAgo: 6,
    status: 'rejected',
    note: '议价分歧不属于黑号，请在订单里使用申诉',
  },
];

const NUMBER_COLUMNS = columns(
  'id bigint, kind text, value_hash bytea, value_enc bytea, value_mask text, show_value text, name text, duty text',
);
const ENTRY_COLUMNS = columns(
  `id bigint, sn text, dist_id int, reason text, title text, text text, public_text text, pictures jsonb, amount_fen bigint,
   reporter_id bigint, status text, review_note text, reviewed_by bigint, listed_at timestamptz, expires_at timestamptz, views int, created_at timestamptz`,
);
const KEY_COLUMNS = columns('entry_id bigint, kind text, value_hash bytea, value_mask text');
const EVENT_COLUMNS = columns('entry_id bigint, kind text, actor text, created_at timestamptz');
const FAKE_COLUMNS = columns(
  `id bigint, dist_id int, user_id bigint, kind text, value_hash bytea, value_enc bytea, value_mask text, text text, created_at timestamptz`,
);

async function storeNumbers(market: Market): Promise<void> {
  const ids = await reserveIds(market.client, 'official_number', OFFICIAL.length);
  const rows = OFFICIAL.map(({ kind, value, name, duty, shown: visible }, i) => {
    const id = ids[i] ?? 0;
    const ciphertext = encrypt(market.keys, `official_number.value_enc:${id}`, value);
    return [
      id,
      kind,
      numberIndex(market.keys, value),
      ciphertext,
      maskNumber(value),
      visible ? value : null,
      name,
      duty,
    ];
  });
  await insertRows(market.client, 'official_number', NUMBER_COLUMNS, rows);
}

/** The demo buyer reported some of it, so that the own list is full; the others came from other people. */
async function storeEntries(market: Market, people: readonly Person[]): Promise<void> {
  const ids = await reserveIds(market.client, 'black_entry', ENTRIES.length);
  const reviewer = staffId(market, 'shenhe');
  const rows: unknown[][] = [];
  const keys: unknown[][] = [];
  const events: unknown[][] = [];
  for (const [i, entry] of ENTRIES.entries()) {
    const id = ids[i] ?? 0;
    const reporter = people[i % 4 === 0 || entry.status !== 'listed' ? 0 : 20 + i];
    const createdAt = market.ago((entry.daysAgo + 0.5) * DAY);
    const decided = entry.status === 'reviewing' ? null : market.ago(entry.daysAgo * DAY);
    const listed = entry.status === 'listed' ? decided : null;
    rows.push([
      id,
      `HDEMO${String(i + 2).padStart(5, '2')}`,
      market.dists.get('youshi') ?? 1,
      entry.reason,
      entry.title,
      entry.text,
      listed ? entry.text : null,
      [],
      entry.yuan === undefined ? null : entry.yuan * 100,
      reporter?.id ?? null,
      entry.status,
      entry.note ?? null,
      decided ? reviewer : null,
      listed,
      listed && new Date(listed.getTime() + 730 * DAY * 60_000),
      listed ? 40 + ((i * 37) % 260) : 0,
      createdAt,
    ]);
    for (const [kind, value] of entry.accounts)
      keys.push([id, kind, numberIndex(market.keys, value), maskNumber(value)]);
    events.push([id, 'reported', `user:${reporter?.id ?? 0}`, createdAt]);
    if (decided) events.push([id, listed ? 'listed' : 'rejected', `staff:${reviewer}`, decided]);
  }
  await insertRows(market.client, 'black_entry', ENTRY_COLUMNS, rows);
  await insertRows(market.client, 'black_key', KEY_COLUMNS, keys);
  await insertRows(market.client, 'black_event', EVENT_COLUMNS, events);
  const appellant = people[30];
  if (ids[5] !== undefined && appellant) {
    await market.client.query(
      `insert into black_appeal (entry_id, user_id, text, answer_by, created_at) values ($1, $2, $3, $4, $5)`,
      [ids[5], appellant.id, '处罚是误判，官方已经撤销，附申诉通过的截图说明。', market.ago(-2 * DAY), market.ago(DAY)],
    );
    await insertRows(market.client, 'black_event', EVENT_COLUMNS, [
      [ids[5], 'appealed', `user:${appellant.id}`, market.ago(DAY)],
    ]);
  }
}

async function storeFakes(market: Market, people: readonly Person[]): Promise<void> {
  const fakes = [
    ['qq', '800200001', '加我好友说是游市客服，让我下载远程软件协助换绑。', people[0]?.id ?? null, 3],
    ['payee', 'fake-pay@mail.example', '说平台账户维护，让我付到这个支付宝。', null, 20],
    ['qq', '800200001', '同一个人又找到我，说退款要先验资。', people[22]?.id ?? null, 1],
  ] as const;
  const ids = await reserveIds(market.client, 'fake_service_report', fakes.length);
  const rows = fakes.map(([kind, value, text, userId, hours], i) => {
    const id = ids[i] ?? 0;
    const ciphertext = encrypt(market.keys, `fake_service_report.value_enc:${id}`, value);
    const dist = market.dists.get('youshi') ?? 1;
    return [
      id,
      dist,
      userId,
      kind,
      numberIndex(market.keys, value),
      ciphertext,
      maskNumber(value),
      text,
      market.ago(hours * 60),
    ];
  });
  await insertRows(market.client, 'fake_service_report', FAKE_COLUMNS, rows);
}

/** Our own numbers, a blacklist with reports in every state and an appeal, and reports of false customer services. */
export async function storeTrust(market: Market, people: readonly Person[]): Promise<void> {
  await storeNumbers(market);
  await storeEntries(market, people);
  await storeFakes(market, people);
}
