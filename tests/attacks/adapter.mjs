/**
 * Maps the black-box kit's assumed wire contract to ours (its lib.mjs loads this file by ADAPTER). What is not named here the
 * kit's own adapter says already: most paths and fields are the specification's.
 *
 * Settings: BASE_URL, SMS_SINK, and for putting goods on sale the server's DATA_DIR (its secret makes the demo staff's second
 * factor) or SECRET. Runs on Node 24, which strips the types of what it imports.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { feeOf } from '../../contract/rules/fee.ts';
import { DEMO_PASSWORD } from '../../server/demo/logins.ts';
import { demoTotpSecret } from '../../server/demo/staff-secret.ts';
import { deriveKeys } from '../../server/kernel/secrets/crypto.ts';
import { totpCode } from '../../server/kernel/secrets/totp.ts';
import { idCardFrom17 } from '../support/market/id-card.ts';

const BASE = process.env.BASE_URL ?? 'http://127.0.0.1:3000';
const BACKSTAGE_HOST = process.env.BACKSTAGE_HOST ?? 'backstage.localhost';
const RELEASE = '/api/goods/releaseGoods';
const PLATFORM_FEE_BP = 100;
/** The number of listings that a new seller may offer (domain.md 4); who sells more here sells through further new sellers. */
const PER_SELLER = 10;
const TOTP_STEP_MS = 30_000;

const post = (path, form) => ({ method: 'POST', path, form });
const get = (path) => ({ method: 'GET', path });
const isDone = (r) => r.status === 200 && r.json?.code === 0;

function must(r, what) {
  if (!isDone(r)) throw new Error(`${what}: ${r.status} ${r.text?.slice(0, 200) ?? r.error}`);
  return r.json.data;
}

// ------------------------------------------------------------------ goods

/** Asks a public call once, before the kit begins. */
async function ask(path) {
  const response = await fetch(BASE + path, { signal: AbortSignal.timeout(20_000) });
  const { code, data } = await response.json();
  if (code !== 0) throw new Error(`${path}: ${response.status} ${code}`);
  return data;
}

/** A value that a field of a game's form accepts. */
function valueFor(field) {
  if (field.kind === 'bool') return true;
  if (field.kind === 'range') return field.min ?? 0;
  if (field.kind === 'text') return '测试';
  const first = field.options?.[0]?.v;
  if (field.kind === 'multi') return [first];
  return field.kind === 'item_count' ? { [first]: 1 } : first;
}

const ACCOUNT = 1;
const ITEM = 27;

/** The first game that sells both accounts and items, with what their forms demand. */
async function loadForms() {
  const { list } = await ask('/api/comm/gameList');
  const game = list.find((g) => g.goodsTypeAndNameMap[ACCOUNT] && g.goodsTypeAndNameMap[ITEM]);
  if (!game) throw new Error('no game sells accounts and items');
  const { fields } = await ask(`/api/comm/gamefilter/${game.id}/`);
  const areas = (await ask(`/api/comm/crossList/${game.id}/`)).list;
  const details = (type) =>
    JSON.stringify(
      Object.fromEntries(
        fields.filter((f) => f.required && f.goodsTypes.includes(type)).map((f) => [f.key, valueFor(f)]),
      ),
    );
  return {
    gameId: game.id,
    areaId: areas[0]?.specialId,
    serverId: areas[0]?.secondOptions[0]?.twoSpecialId,
    details: { [ACCOUNT]: details(ACCOUNT), [ITEM]: details(ITEM) },
  };
}

const forms = await loadForms();

/** The price whose total with the buyer's fee is what the kit wants to pay: 99.01 for 100.00. */
export function priceFor(totalYuan) {
  const total = Math.round(Number(totalYuan) * 100);
  const near = Math.round((total * 10_000) / (10_000 + PLATFORM_FEE_BP));
  const price = [near, near - 1, near + 1].find((p) => p + feeOf(p, PLATFORM_FEE_BP) === total);
  if (price === undefined) throw new Error(`no price adds up to ${totalYuan}`);
  return (price / 100).toFixed(2);
}

/** The lowest price that is accepted; the kit's cent means "as little as possible". */
const LEAST = 1;

function releaseGoods({ title, price, stock }) {
  const type = Number(stock ?? 1) > 1 ? ITEM : ACCOUNT;
  return post(RELEASE, {
    gameId: forms.gameId,
    goodsTypeId: type,
    bigTitle: title,
    price: Number(price) < LEAST ? LEAST.toFixed(2) : priceFor(price),
    stock,
    areaId: forms.areaId,
    serverId: forms.serverId,
    details: forms.details[type],
    accountNo: type === ACCOUNT ? `kit${Date.now()}${randomInt(1e9)}` : undefined,
  });
}

// ------------------------------------------------------------------ staff

let reviewer;

/**
 * Logs a member of staff in. A code of the second factor is good once, and a later one spends the earlier: who finds both of the
 * codes that hold now spent waits for the next step, in which the code ahead is always a new one.
 */
async function logInStaff(Client, login) {
  const secret = process.env.SECRET
    ? Buffer.from(process.env.SECRET)
    : Buffer.from(readFileSync(join(process.env.DATA_DIR ?? '.data', 'secret'), 'utf8'), 'base64');
  const totp = demoTotpSecret(deriveKeys(secret), login);
  const client = new Client({ host: BACKSTAGE_HOST });
  for (let round = 0; round < 3; round++) {
    if (round > 0) await sleep(TOTP_STEP_MS - (Date.now() % TOTP_STEP_MS) + 200);
    for (const ahead of [0, 1]) {
      const code = totpCode(totp, Date.now() + ahead * TOTP_STEP_MS);
      const r = await client.send(post('/api/backstage/staffLogin', { login, password: DEMO_PASSWORD, code }));
      if (!isDone(r)) continue;
      client.token = r.json.data.token;
      return client;
    }
  }
  throw new Error(`${login} could not log in`);
}

/** A reviewer has a budget like everybody; who is out of it waits as long as the answer says. */
async function patiently(client, op, what) {
  for (;;) {
    const r = await client.send(op);
    if (r.status !== 429) return must(r, what);
    await sleep(Number(r.headers['retry-after'] ?? 1) * 1000);
  }
}

async function approve(Client, goodsSn) {
  reviewer ??= logInStaff(Client, 'shenhe');
  const client = await reviewer;
  const { list } = await patiently(client, get(`/api/backstage/goods/reviewList?keyWord=${goodsSn}`), 'reviewList');
  const version = list.find((goods) => goods.goodsSn === goodsSn)?.version;
  await patiently(client, post('/api/backstage/goods/approve', { goodsSn, version }), 'approve');
}

// ------------------------------------------------------------------ people

/** An identity number of an adult that hardly any other run has taken. */
function idCard() {
  const born = new Date(Date.UTC(1960, 0, 1) + randomInt(14_600) * 86_400_000).toISOString().slice(0, 10);
  const province = ['110101', '310101', '330106', '440305', '510104'][randomInt(5)];
  return idCardFrom17(`${province}${born.replaceAll('-', '')}${String(randomInt(1000)).padStart(3, '0')}`);
}

async function codeFor(phone) {
  for (let i = 0; i < 60; i++) {
    const line = readFileSync(process.env.SMS_SINK, 'utf8')
      .trimEnd()
      .split('\n')
      .findLast((l) => l.includes(phone));
    if (line) return JSON.parse(line).code;
    await sleep(50);
  }
  throw new Error(`no message for ${phone}`);
}

/**
 * What the kit's "release goods" means here: publish, then a reviewer approves. The answer is that of the publishing. The eleventh
 * goods and later ones of one new seller are published by a further new seller.
 */
function sellThroughReview(client) {
  const send = client.send.bind(client);
  let published = 0;
  let next;
  client.send = async (op, options) => {
    if (op.path !== RELEASE) return await send(op, options);
    if (++published > PER_SELLER) {
      if (published % PER_SELLER === 1) next = makeUser(new client.constructor({ host: client.host }));
      return await (await next).send(op, options);
    }
    const r = await send(op, options);
    if (isDone(r)) await approve(client.constructor, r.json.data.goodsSn);
    return r;
  };
}

/** Payments from the balance ask for it. */
const PAY_PASSWORD = '290741';

const randomPhone = () => `13${String(randomInt(1e9)).padStart(9, '0')}`;

/** Registers by SMS and proves an adult's name: only such users trade (domain.md 7). Returns the client, logged in. */
export async function makeUser(client, phone = randomPhone()) {
  must(await client.send(post('/api/comm/client/sms', { phone, type: 'register' })), 'sms');
  const password = `Passw0rd-${randomInt(1e6)}`;
  const form = { phone, passWord: password, smsCode: await codeFor(phone), agree: 1 };
  const data = must(await client.send(post('/api/user/register', form)), 'register');
  Object.assign(client, { token: data.token, phone, password, userId: data.userId });
  must(await client.send(post('/api/comm/smsBindPhone', { type: 'payPassword' })), 'smsBindPhone');
  const pay = { kind: 'pay', passWord: PAY_PASSWORD, smsCode: await codeFor(phone) };
  must(await client.send(post('/api/user/changeUserPassword', pay)), 'changeUserPassword');
  const person = { realName: '张三丰', idCard: idCard() };
  must(await client.send(post('/api/comm/submitCertificate', person)), 'submitCertificate');
  sellThroughReview(client);
  return client;
}

// ------------------------------------------------------------------ the contract

/** Passwords have six characters at least (product.md 5), so the kit's shorter guesses are made long enough to be guesses. */
const long = (password) => password.padEnd(6, '_');

export const ops = {
  // The kit sends only the token, together with the cookies of a later log-in (14, works-before-logout): that is how a client
  // without cookies speaks here. Browsers' sessions are tested in tests/http/accounts.
  login: (o) => post('/api/user/login', { username: o.phone, password: long(o.password), client: 'app' }),
  releaseGoods,
  orderDetail: (sn) => get(`/api/order/orderDetail/${sn}/`),
  history: (group, after) => get(`/api/im/history/${group}/?after=${after || 0}&pageSize=100`),
  balancePay: (o) => post('/api/pay/balancePay', { orderId: o.orderId, payPassword: o.payPassword ?? PAY_PASSWORD }),
  withdraw: (o) =>
    post('/api/pay/cashAdvance', { amount: o.amount, payPassword: o.payPassword ?? PAY_PASSWORD, reqId: o.reqId }),
};

/**
 * With CHANNELS=1 the market has Alipay and WeChat Pay switched on, with the kit's keys as the vendors'; a notification names a
 * payment by our number. Without, the sandbox channel's "paid" button makes it send its own signed notification.
 */
/** PaymentStatus.Paid of contract/rules/statuses.ts; the kit speaks to a market only over HTTP. */
const PAID = [1];
const isReal = process.env.CHANNELS === '1';
if (isReal) ops.payStatus = (interSn) => get(`/api/pay/findPayState/${interSn}/`);
else ops.alipayNotify = (f) => post('/api/pay/sandboxPress', { payRand: f.out_trade_no, act: 'pay' });

export const read = isReal
  ? { payRand: (r) => r.json.data.payInterSn }
  : { notifyOk: (r) => isDone(r) && r.json.data.acknowledged === true && PAID.includes(r.json.data.status) };

/** Other pages that display a listing's title. */
export const goodsPages = (sn) => [`/JDetail/${sn}`, `/h/goodsDetail/${sn}`, `/wares/${sn}/order`];
