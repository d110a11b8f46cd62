/** A game with companion play, companions with packages, and orders of them. */
import { sql } from 'kysely';
import { accompanyerApply, updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import { uploadVoice } from '#subjects/media/contract/voice.ts';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { placeServiceOrder, serviceAct } from '#subjects/services/contract/services.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { putOnSale } from './boosting.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { makeDue } from '../time/clock.ts';
import { addDeposit } from './coins.ts';
import { sendPicture } from '../goods/offers.ts';

export const PLAY_GAME = 89;

const step = (key: string, actor: string, beforeShip: boolean) => ({
  key,
  title: key,
  actor,
  minutes: 60,
  evidence: false,
  required: true,
  beforeShip,
  explain: '按说明操作',
});

/** A game (id 89) in which companion play is offered. Call once per database. */
export async function addPlayGame(t: TestApp): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (${PLAY_GAME}, 'play', '和平精英', 2, 'H', 'hepingjingying', 'hpjy', '[{"id":61,"name":"陪玩"}]') on conflict do nothing`.execute(
    t.ctx.db,
  );
  const steps = [step('play', 'seller', true), step('accept', 'buyer', false)];
  const body = JSON.stringify({ accounts: [], deliveries: [{ goodsTypes: [61], steps }] });
  await sql`insert into catalogue_version (game_id, kind, version, body)
    values (${PLAY_GAME}, 'fields', 1, '[]'), (${PLAY_GAME}, 'handover', 1, ${body}::jsonb) on conflict do nothing`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

/** A WAV file of silence: 8 kHz, 8 bits, one channel. */
export function wavFile(seconds: number): Buffer {
  const RATE = 8000;
  const data = Buffer.alloc(RATE * seconds, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** Uploads a file as a voice. */
export async function sendVoice(user: TestUser, file: Buffer) {
  return await sendPicture(user.client, file, { path: uploadVoice.path, type: 'audio/mpeg' });
}

export const HOUR = {
  gameId: PLAY_GAME,
  title: '技术陪玩，带你吃鸡',
  scope: '四排一起打，语音沟通，不代打不上号',
  unit: '小时',
  price: '60.00',
  minNum: 1,
  maxNum: 4,
  minutes: 60,
  mode: 'together',
} as const;

export const APPLICATION = {
  name: '小圆',
  intro: '声音温柔，指挥清楚',
  gameIds: [PLAY_GAME],
  contact: 'QQ 1234567',
} as const;

/** An approved companion with a deposit and one package on sale, 60.00 an hour. */
export async function openedCompanion(
  t: TestApp,
  staff: TestStaff,
  options: { profile?: object } = {},
): Promise<{ companion: TestUser; goodsSn: string; packageSn: string }> {
  const companion = await t.newUser();
  const { data } = await sendVoice(companion, wavFile(12));
  await companion.client.ok(accompanyerApply, { ...APPLICATION, voice: data.key, ...options.profile } as never);
  await addDeposit(t, companion.id, 10_000, 'companion');
  const { list } = await staff.client.ok(providerList, { kind: 'companion' });
  const found = list.find((one) => one.userId === String(companion.id));
  if (!found) throw new Error('no such companion');
  await staff.client.ok(reviewProvider, { id: found.id, decision: 'approve', updateMark: found.updateMark });
  const { packages } = await companion.client.ok(updateAccompanyer, { packages: [HOUR] } as never);
  const [pack] = packages;
  if (!pack?.goodsSn) throw new Error('the package has no listing');
  await putOnSale(t, pack.goodsSn);
  return { companion, goodsSn: pack.goodsSn, packageSn: pack.packageSn };
}

export interface CompanionTrade {
  orderId: number;
  orderSn: string;
  buyer: TestUser;
  companion: TestUser;
}

/** An order of two hours (120.00, service fee 1.20), as far as it is said. */
export async function companionTrade(
  t: TestApp,
  one: { companion: TestUser; goodsSn: string },
  reached: 'paid' | 'accepted' | 'playing',
  options: { buyer?: TestUser; startTime?: string; prolongs?: number } = {},
): Promise<CompanionTrade> {
  const { startTime, prolongs } = options;
  const buyer = options.buyer ?? (await t.newUser({ balanceFen: 50_000 }));
  const placed = await buyer.client.ok(placeServiceOrder, {
    goodsSn: one.goodsSn,
    num: 2,
    area: '微信区',
    ...(startTime !== undefined && { startTime }),
    ...(prolongs !== undefined && { prolongs }),
  });
  const { orderId, orderSn } = placed;
  await buyer.client.ok(balancePay, { orderId });
  await t.relay();
  if (reached !== 'paid') await one.companion.client.ok(serviceAct, { orderId, act: 'accept' });
  if (reached === 'playing') {
    await buyer.client.ok(serviceAct, { orderId, act: 'start' });
    await one.companion.client.ok(serviceAct, { orderId, act: 'start' });
  }
  return { orderId, orderSn, buyer, companion: one.companion };
}

const HOUR_MS = 3_600_000;

/** The next full hour plus `hours`, in China's time, in the form's format. */
export function inHours(hours: number): string {
  const at = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS;
  return new Date(at + 8 * HOUR_MS).toISOString().slice(0, 16);
}

/** Actions and queries of the companion play tests, on the app that `market` returns. */
export const companionSteps = (market: () => TestApp) => ({
  /** A user's available and frozen money, in fen. */
  money: async (user: TestUser): Promise<number> => {
    const { availableFen, frozenFen } = await loadBalances(market().ctx.db, user.id);
    return availableFen + frozenFen;
  },
  act: async (user: TestUser, orderId: number, name: string, reason?: string) =>
    await user.client.call(serviceAct, { orderId, act: name, ...(reason && { reason }) } as never),
  /** Makes a timer of an order due and runs it. */
  due: async (kind: string, orderId: number): Promise<void> => {
    await makeDue(market().ctx.db, kind, orderId);
    await market().timers();
  },
  /** Sets the start time so that play has lasted `minutes` less half a minute. */
  played: async (orderId: number, minutes: number): Promise<void> => {
    await sql`update service_order set started_at = started_at - make_interval(secs => ${minutes * 60 - 30}) where order_id = ${orderId}`.execute(
      market().ctx.db,
    );
  },
});
