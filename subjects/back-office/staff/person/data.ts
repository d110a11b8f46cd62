import type { personHead } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';

/** The initial data of a user's page: the header, the parts visible to the caller, and the caller's actions. */
export interface PersonData {
  head: Data<typeof personHead>;
  sees: { money: boolean; orders: boolean };
  may: { unmask: boolean; restrict: boolean; judgeLinks: boolean; decideMoney: boolean };
}
