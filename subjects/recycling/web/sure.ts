/** An irreversible decision of the seller. */
export type Sure = 'floor' | 'withdraw' | 'agree' | 'takeBack';

/** The states of a request in which a decision can be taken. */
const OPEN_IN: Readonly<Record<Sure, readonly string[]>> = {
  floor: ['bidding'],
  withdraw: ['bidding', 'quoted'],
  agree: ['reconfirm'],
  takeBack: ['reconfirm'],
};

/** Whether a decision can still be taken: the state may change while the confirmation is open. */
export const isOpenIn = (what: Sure, status: string): boolean => OPEN_IN[what].includes(status);
