/** 'unknown': the vendor may have sent it, and did not say so in time. It is never sent again by itself. */
export type Delivery = 'sent' | 'unknown';
