/** 'unknown': the vendor may have sent it but did not confirm in time. It is never sent again automatically. */
export type Delivery = 'sent' | 'unknown';
