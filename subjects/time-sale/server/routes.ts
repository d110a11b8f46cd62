import { placeTimePurchase, saveTimeSale, timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import type { Binding } from '#server/binding.ts';
import { buyInTime, saleInfo, saveSale } from './service.ts';

/** Prices for a limited time. */
export function bindTimeSale({ server }: Binding): void {
  server.serve(timeSaleInfo, saleInfo);
  server.serve(saveTimeSale, saveSale);
  server.serve(placeTimePurchase, buyInTime);
}
