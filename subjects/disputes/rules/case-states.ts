/** The states of disputes and of guarantee claims, with the names that parties and staff read. */
export const disputeStatusNames = {
  open: '待受理',
  answering: '等待答复',
  evidence: '待裁决',
  ruled: '已裁决',
  appealed: '上诉中',
  closed: '已结案',
} as const;
export type DisputeStatus = keyof typeof disputeStatusNames;

export const claimStatusNames = {
  checking: '待受理',
  chasing: '追索中',
  escalated: '双人裁定中',
  paid: '已赔付',
  refused: '不予赔付',
  recovered: '已追回',
  withdrawn: '已撤回',
} as const;
export type ClaimStatus = keyof typeof claimStatusNames;
