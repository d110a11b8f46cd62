/** People of the rehearsal's market, and its listings. */
import { idCardFrom17 } from '#tests/support/market/id-card.ts';

export const SELLER = { phone: '13951112001', name: '周云海', idCard: idCardFrom17('11010119900101013') };
export const BUYER = { phone: '13951112002', name: '林夜鹤', idCard: idCardFrom17('11010119920202025') };

/** The goods; their numbers are known once they are published. */
export const GOODS = [
  { title: '云门满级号 全套云纹外观 走微信', account: 'yunhai-1001', price: '2800.00', sn: '', orderSn: '' },
  { title: '云门百级号 自用两年无二次实名 走支付宝', account: 'yunhai-1002', price: '2600.00', sn: '', orderSn: '' },
  { title: '海门新号 还没有人买', account: 'yunhai-1003', price: '300.00', sn: '', orderSn: '' },
];

/** Id of the new game in the market; known once goods were published in it. */
export const GAME = { id: '' };
