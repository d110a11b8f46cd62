import { encryptedApiKeys } from './access/encrypted-keys.ts';
import { encryptedTokens } from './db/encrypted-tokens.ts';
import type { EncryptedTable } from './secrets/encrypted-table.ts';
import { encryptedUsers } from './slices/accounts/encrypted.ts';
import { encryptedInvites, encryptedSetups, encryptedStaff } from './slices/back-office/staff/encrypted.ts';
import { encryptedRequests } from './slices/content/encrypted.ts';
import { encryptedExports } from './slices/data-export/encrypted.ts';
import { encryptedFindings } from './slices/goods/encrypted.ts';
import { encryptedInspections } from './slices/inspections/encrypted.ts';
import { encryptedLinkPush } from './slices/link-push/encrypted.ts';
import { encryptedSubscriptions } from './slices/notices/encrypted.ts';
import { encryptedWebhooks } from './slices/open-api/encrypted.ts';
import { encryptedContacts, encryptedOrderKeys, encryptedTexts } from './slices/orders/encrypted.ts';
import { encryptedProviders } from './slices/providers/encrypted.ts';
import {
  encryptedOfficialNumbers,
  encryptedPayees,
  encryptedRealNames,
  encryptedReports,
} from './slices/verification/encrypted.ts';

/** Every table with values under the installation's keys. A test compares it with the columns that the schema has. */
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
