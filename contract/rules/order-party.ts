/** The parties whose turn it can be. */
export type OrderParty = 'buyer' | 'seller' | 'staff';

/** The reader: a party, the member of staff assigned to the order, or other staff. */
export type OrderReader = OrderParty | 'onlooker';

/** The next action due in an order, and whose turn it is; null = no party's. */
export interface DueText {
  title: string;
  turn: OrderParty | null;
}
