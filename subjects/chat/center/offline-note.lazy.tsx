/** The offline mark's note, loaded when an order has a mark. */
export { OfflineNote as default } from '#subjects/orders/web/parts/handover/offline-note.tsx';
