import { fenOf, yuanOf } from '#web/lib/format.ts';

/** How an order is paid: from the balance alone, by a channel alone, or the balance first and the rest by a channel. */
export interface PayChoice {
  /** `balance`, or the number of a channel (aliOrWx). */
  method: 'balance' | number;
  useBalance: boolean;
}

interface Money {
  coin: string;
  total: string;
}

/** Whether the balance alone pays the order. */
export function isEnough({ coin, total }: Money): boolean {
  return fenOf(coin) >= fenOf(total);
}

/** What is missing from the balance, in yuan text. */
export function missing({ coin, total }: Money): string {
  return yuanOf(Math.max(0, fenOf(total) - fenOf(coin)));
}

/** What remains for the channel, in yuan text. */
export function channelPart(money: Money, choice: PayChoice): string {
  return choice.useBalance ? missing(money) : money.total;
}

/** Whether balance and channel can pay together: there is something on the balance, and not enough. */
export function canCombine(money: Money): boolean {
  return fenOf(money.coin) > 0 && !isEnough(money);
}

/** The way offered first: the balance when it suffices, else the first channel. Nothing is taken off the balance unasked. */
export function firstChoice(money: Money, channels: readonly { aliOrWx: number }[]): PayChoice {
  return { method: isEnough(money) ? 'balance' : (channels[0]?.aliOrWx ?? 'balance'), useBalance: false };
}

/** Whether the choice takes money off the balance, which then asks for the pay password. */
export function takesBalance(choice: PayChoice): boolean {
  return choice.method === 'balance' || choice.useBalance;
}
