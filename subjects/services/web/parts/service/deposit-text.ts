import { fenOf, grouped } from '#web/lib/format/format.ts';
import type { ServiceOrder } from './service-order.ts';

/** The booster's deposits: what is held while the order runs, and who received it afterwards; '' where nothing was held. */
export function depositText({
  safetyDeposit,
  efficiencyDeposit,
  depositPaid,
}: Pick<ServiceOrder, 'safetyDeposit' | 'efficiencyDeposit' | 'depositPaid'>): string {
  const heldFen = fenOf(safetyDeposit) + fenOf(efficiencyDeposit);
  if (heldFen === 0) return '';
  if (depositPaid === null)
    return `打手的安全保证金 ${grouped(safetyDeposit)} 元，效率保证金 ${grouped(efficiencyDeposit)} 元`;
  const backFen = heldFen - fenOf(depositPaid);
  return [
    ...(fenOf(depositPaid) > 0 ? [`打手的保证金 ${grouped(depositPaid)} 元已归买家`] : []),
    ...(backFen > 0 ? [`保证金 ${grouped((backFen / 100).toFixed(2))} 元已退回打手`] : []),
  ].join('，');
}
