export { encryptedInspections } from './credentials.ts';
