/** Events that nobody has to listen to, and why. They are taken from the outbox with the others. */
export const QUIET: Readonly<Record<string, string>> = {
  'account.registered': 'statistics of a distributor read the users themselves',
  'goods.submitted': 'reviewers have a queue',
  'goods.off': 'the seller took it off the shelf',
  'order.placed': 'the buyer sees it, the seller hears of it when it is paid',
};
