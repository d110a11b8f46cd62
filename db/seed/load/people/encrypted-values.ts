import { blindIndex, type Keys, encrypt } from '#server/kernel/secrets/crypto.ts';
import { phoneIndex, encryptPhone } from '#subjects/accounts/server/phone/phones.ts';

/** A value that the demo market stores sealed, bound to its table, column and row like the application does. */
export const encryptedValues = {
  phone: encryptPhone,
  realName: (keys: Keys, userId: number, name: string): Buffer => encrypt(keys, `real_name.name_enc:${userId}`, name),
  idNo: (keys: Keys, userId: number, idNo: string): Buffer => encrypt(keys, `real_name.id_no_enc:${userId}`, idNo),
  payout: (keys: Keys, userId: number, account: string): Buffer =>
    encrypt(keys, `payout_account.account_enc:${userId}`, account),
  payoutName: (keys: Keys, userId: number, name: string): Buffer =>
    encrypt(keys, `payout_account.name_enc:${userId}`, name),
  totp: (keys: Keys, staffId: number, secret: string): Buffer =>
    encrypt(keys, `staff.totp_secret_enc:${staffId}`, secret),
};

/** The look-up indexes of the encrypted values. */
export const indexed = {
  phone: phoneIndex,
  idNo: (keys: Keys, idNo: string): Buffer => blindIndex(keys, 'id-no', idNo),
  payout: (keys: Keys, kind: string, account: string): Buffer => blindIndex(keys, `payout:${kind}`, account),
};
