import { createContext, useContext } from 'react';
import { useRevalidator } from 'react-router';

/** Reloads the order's parts when they are not the page's own data. */
export const OrderReload = createContext<(() => void) | null>(null);

/** Returns a function that reloads the order after an action. */
export function useOrderReload(): () => void {
  const own = useContext(OrderReload);
  const { revalidate } = useRevalidator();
  return () => {
    own?.();
    void revalidate();
  };
}
