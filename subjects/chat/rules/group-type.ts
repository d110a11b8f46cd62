/** A conversation's type (product.md 7, `groupType`): about an order, or one user's with customer service. */
export const ORDER_GROUP = 1;
export const SERVICE_GROUP = 2;
