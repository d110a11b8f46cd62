import * as k from '#subjects/guarantees/contract/staff-claims.ts';
import * as d from '#subjects/disputes/contract/staff-disputes.ts';
import { staffListing } from '#subjects/goods/contract/staff-listings.ts';
import * as c from '#subjects/orders/contract/staff-orders.ts';
import { providerList, reviewProvider, setRecyclerLimit } from '#subjects/providers/contract/staff-providers.ts';
import type { Binding } from '#server/binding.ts';
import { acceptMany, applyClaimAction, claimFile, listClaims, secondOnClaim } from './claims.ts';
import {
  approveRulingAsSecond,
  askForEvidence,
  disputeFile,
  ruleDispute,
  takeDisputes,
  triageDispute,
} from './disputes.ts';
import { openCredentialForm, secondOnReveal, sealAgain } from './credentials.ts';
import { oneListing } from './goods.ts';
import { applyToOrders } from './order-bulk.ts';
import { listOrders } from './order-list.ts';
import { finishStep, orderContacts, orderForStaff, stepOrder } from './orders.ts';
import { reviewApplication, limitRecycler, listProviders } from './providers.ts';

/** Trade: pending work, orders with their transitions, restricted accounts. */
export function bindTrade({ server }: Binding): void {
  server.serve(staffListing, oneListing);
  server.serve(c.staffOrderList, (call, input) => listOrders(call, input));
  server.serve(c.staffOrderBulk, applyToOrders);
  server.serve(c.staffOrderDetail, orderForStaff);
  server.serve(c.staffOrderStep, stepOrder);
  server.serve(c.staffHandoverDone, finishStep);
  server.serve(c.staffReveal, openCredentialForm);
  server.serve(c.staffRevealSecond, secondOnReveal);
  server.serve(c.staffSealAgain, sealAgain);
  server.serve(c.staffOrderContact, orderContacts);
  server.serve(d.staffDisputeTake, takeDisputes);
  server.serve(d.staffDisputeDetail, disputeFile);
  server.serve(d.staffDisputeFirstResponse, triageDispute);
  server.serve(d.staffDisputeQuestion, askForEvidence);
  server.serve(d.staffDisputeRule, ruleDispute);
  server.serve(d.staffDisputeSecond, approveRulingAsSecond);
  server.serve(providerList, listProviders);
  server.serve(reviewProvider, reviewApplication);
  server.serve(setRecyclerLimit, limitRecycler);
  server.serve(k.staffClaimList, (call, input) => listClaims(call, input));
  server.serve(k.staffClaimAccept, acceptMany);
  server.serve(k.staffClaimDetail, claimFile);
  server.serve(k.staffClaimAction, applyClaimAction);
  server.serve(k.staffClaimSecond, secondOnClaim);
}
