import { encryptedApiKeys } from './access/encrypted-keys.ts';
import { encryptedTokens } from './db/encrypted-tokens.ts';
import type { EncryptedTable } from './secrets/encrypted-table.ts';
import { encryptedUsers } from '#subjects/accounts/server/encrypted.ts';
import { encryptedInvites, encryptedSetups, encryptedStaff } from '#subjects/back-office/server/staff/encrypted.ts';
import { encryptedRequests } from '#subjects/content/server/encrypted.ts';
import { encryptedExports } from '#subjects/data-export/server/encrypted.ts';
import { encryptedFindings } from '#subjects/goods/server/encrypted.ts';
import { encryptedInspections } from '#subjects/inspections/server/encrypted.ts';
import { encryptedLinkPush } from '#subjects/link-push/server/encrypted.ts';
import { encryptedSubscriptions } from '#subjects/notices/server/encrypted.ts';
import { encryptedWebhooks } from '#subjects/open-api/server/encrypted.ts';
import { encryptedContacts, encryptedOrderKeys, encryptedTexts } from '#subjects/orders/server/encrypted.ts';
import { encryptedProviders } from '#subjects/providers/server/encrypted.ts';
import {
  encryptedOfficialNumbers,
  encryptedPayees,
  encryptedRealNames,
  encryptedReports,
} from '#subjects/verification/server/encrypted.ts';

/** Every table with values encrypted by the installation's keys. A test compares it with the columns of the schema. */
export const ENCRYPTED_TABLES: readonly EncryptedTable[] = [
  encryptedStaff,
  encryptedInvites,
  encryptedSetups,
  encryptedUsers,
  encryptedRealNames,
  encryptedPayees,
  encryptedOfficialNumbers,
  encryptedReports,
  encryptedProviders,
  encryptedFindings,
  encryptedOrderKeys,
  encryptedTexts,
  encryptedContacts,
  encryptedInspections,
  encryptedSubscriptions,
  encryptedRequests,
  encryptedExports,
  encryptedTokens,
  encryptedApiKeys,
  encryptedWebhooks,
  encryptedLinkPush,
];
