/** The offline mark's note, loaded where an order has a mark. */
export { OfflineNote as default } from '#web/parts/order/offline-note.tsx';
