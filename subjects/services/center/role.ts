import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { depositPath, loginPath } from '#web/lib/pages/paths.ts';

/** A role of services in the centre: its name, and the URLs of its pages. */
export interface Role {
  typeId: number;
  flag: 'isBooster' | 'isAccompanyer';
  service: string;
  join: string;
  packages: string;
  orders: string;
  deposit: string;
}

export const BOOSTER: Role = {
  typeId: BOOSTING,
  flag: 'isBooster',
  service: '代练',
  join: '/center/boosting/booster',
  packages: '/center/boosting/setMeal',
  orders: '/center/boosting/boosterOrder',
  deposit: depositPath('booster'),
};

export const COMPANION: Role = {
  typeId: COMPANION_PLAY,
  flag: 'isAccompanyer',
  service: '陪玩',
  join: '/center/accompanyer/accompanyer',
  packages: '/center/accompanyer/setMeal',
  orders: '/center/accompanyer/accompanyerOrder',
  deposit: depositPath('companion'),
};

/** Redirects users without the role to its application, and visitors to the log-in. */
export function roleOnly(args: LoaderFunctionArgs, role: Role): void {
  const { user } = market(args);
  if (!user) throwRedirect(loginPath(args.url));
  else if (user[role.flag] !== 1) throwRedirect(role.join);
}

function throwRedirect(to: string): never {
  const response: unknown = redirect(to);
  throw response;
}
