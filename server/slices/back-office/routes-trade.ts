import * as k from '#contract/backstage-claims.ts';
import * as d from '#contract/backstage-disputes.ts';
import { staffHome } from '#contract/backstage-home.ts';
import * as c from '#contract/backstage-orders.ts';
import { providerList, reviewProvider, setRecyclerLimit } from '#contract/backstage-providers.ts';
import { setUserStatus } from '#contract/backstage-users.ts';
import type { Binding } from '#server/binding.ts';
import { enterReceipt, strikeOut } from './claim-details.ts';
import { applyClaimAction, claimFile, listClaims, secondOnClaim } from './claims.ts';
import { askForEvidence, disputeFile, listDisputes, triage, rule, second } from './disputes.ts';
import { homeOf } from './home.ts';
import { reveal, secondOnReveal } from './credentials.ts';
import { contacts, finishStep, listOrders, orderForStaff, stepOrder } from './orders.ts';
import { decide, limitRecycler, listProviders } from './providers.ts';
import { setStatus } from './users.ts';

/** Trade: pending work, orders with their transitions, restricted accounts. */
export function bindTrade({ server }: Binding): void {
  server.serve(staffHome, homeOf);
  server.serve(c.staffOrderList, listOrders);
  server.serve(c.staffOrderDetail, orderForStaff);
  server.serve(c.staffOrderStep, stepOrder);
  server.serve(c.staffHandoverDone, finishStep);
  server.serve(c.staffReveal, reveal);
  server.serve(c.staffRevealSecond, secondOnReveal);
  server.serve(c.staffOrderContact, contacts);
  server.serve(setUserStatus, setStatus);
  server.serve(d.staffDisputeList, listDisputes);
  server.serve(d.staffDisputeDetail, disputeFile);
  server.serve(d.staffDisputeFirstResponse, triage);
  server.serve(d.staffDisputeQuestion, askForEvidence);
  server.serve(d.staffDisputeRule, rule);
  server.serve(d.staffDisputeSecond, second);
  server.serve(providerList, listProviders);
  server.serve(reviewProvider, decide);
  server.serve(setRecyclerLimit, limitRecycler);
  server.serve(k.staffClaimList, listClaims);
  server.serve(k.staffClaimDetail, claimFile);
  server.serve(k.staffClaimAction, applyClaimAction);
  server.serve(k.staffClaimSecond, secondOnClaim);
  server.serve(k.staffClaimReceipt, enterReceipt);
  server.serve(k.staffClaimReceiptStrike, strikeOut);
}
