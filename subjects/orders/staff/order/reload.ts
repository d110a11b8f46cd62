import { createContext, useContext } from 'react';
import { useRevalidator } from 'react-router';

/** How the order's parts are read again where they are not the page's own data. */
export const OrderReload = createContext<(() => void) | null>(null);

/** Reads the order again after an act on it. */
export function useOrderReload(): () => void {
  const own = useContext(OrderReload);
  const { revalidate } = useRevalidator();
  return () => {
    own?.();
    void revalidate();
  };
}
