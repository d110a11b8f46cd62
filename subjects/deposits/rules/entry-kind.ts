/** The kind of an entry of a user's deposit: paid in, taken by a penalty, or returned. */
export const DepositEntryKind = { Paid: 1, Penalty: 2, Returned: 3 } as const;
