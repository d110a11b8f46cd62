import type { personHead } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';

/** What the page of a user starts with: the head, the parts that the caller sees, and the acts that the caller has. */
export interface PersonData {
  head: Data<typeof personHead>;
  sees: { money: boolean; orders: boolean };
  may: { unmask: boolean; restrict: boolean; judgeLinks: boolean; decideMoney: boolean };
}
