/** The parties that can be the current actor of an order. */
export type OrderParty = 'buyer' | 'seller' | 'staff';

/** The reader: a party, the member of staff assigned to the order, or other staff. */
export type OrderReader = OrderParty | 'onlooker';

/** The next step of an order: its headline and its current actor, null when no party has to act. */
export interface DueText {
  title: string;
  turn: OrderParty | null;
}
