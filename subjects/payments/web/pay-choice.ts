import { refundArrival } from '../rules/refund-arrival.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';

/** How an order is paid: from the balance only, by a channel only, or the balance first and the rest by a channel. */
export interface PayChoice {
  /** `balance`, or the number of a channel (aliOrWx). */
  method: 'balance' | number;
  useBalance: boolean;
}

interface Money {
  coin: string;
  total: string;
}

/** Whether the balance covers the order. */
export function isEnough({ coin, total }: Money): boolean {
  return fenOf(coin) >= fenOf(total);
}

/** The shortfall of the balance, in yuan text. */
export function missing({ coin, total }: Money): string {
  return yuanOf(Math.max(0, fenOf(total) - fenOf(coin)));
}

/** The amount left for the channel, in yuan text. */
export function channelPart(money: Money, choice: PayChoice): string {
  return choice.useBalance ? missing(money) : money.total;
}

/** Whether balance and channel can be combined: the balance is positive but insufficient. */
export function canCombine(money: Money): boolean {
  return fenOf(money.coin) > 0 && !isEnough(money);
}

/** The default method: the balance when it suffices, else the first channel. The balance is never used without being selected. */
export function firstChoice(money: Money, channels: readonly { aliOrWx: number }[]): PayChoice {
  return { method: isEnough(money) ? 'balance' : (channels[0]?.aliOrWx ?? 'balance'), useBalance: false };
}

/** Whether selecting the method is enough to show its code: the code is scanned from this page, and no balance can be used. */
export function isCodeAtOnce(
  money: Money,
  choice: PayChoice,
  channels: readonly { aliOrWx: number; way: string; mustLeave: boolean }[],
): boolean {
  const channel = channels.find(({ aliOrWx }) => aliOrWx === choice.method);
  return channel?.way === 'qr' && !channel.mustLeave && !choice.useBalance && !canCombine(money);
}

/** Whether the choice uses the balance, which then requires the pay password. */
export function takesBalance(choice: PayChoice): boolean {
  return choice.method === 'balance' || choice.useBalance;
}

/** Where a refund of an order paid with this method would go, and when it arrives. */
export function refundText(
  { method, useBalance }: PayChoice,
  channels: readonly { aliOrWx: number; channel: string; name: string }[],
): string {
  const channel = channels.find(({ aliOrWx }) => aliOrWx === method);
  if (!channel) return '取消或退款时，钱马上退到余额。';
  const rest = useBalance ? '，余额付的退到余额' : '';
  return `取消或退款时，${channel.name}付的默认原路退回${rest}：${refundArrival(channel.channel)}；也可以改为退到余额。`;
}
