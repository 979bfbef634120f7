import { type Database, isDuplicate } from '@plataforma/data';
import { BANK_TIME_ZONE, type Clock, newId, Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { isCnpj } from '@plataforma/kernel/documents';
import { weaknessOf } from '@plataforma/kernel/weak-passwords';
import { announce } from '@plataforma/tables';
import { openSession, type SessionTokens } from '../credentials.ts';
import { announcementOf } from '../domain/announcement.ts';
import type { Organization, Settings } from '../domain/organization.ts';
import { initialSandboxLimits } from '../domain/withdrawal-limits.ts';
import { failPoint } from '../fail-points.ts';
import type { PasswordQueues } from '../passwords.ts';
import { insertAcceptedTerms } from '../store/accepted-terms.ts';
import { hasApprovedAccount, insertOrganization } from '../store/organizations.ts';
import type { Client } from '../store/sessions.ts';
import { insertUser } from '../store/users.ts';
import type { Tokens } from '../tokens.ts';

interface Registration {
  email: string;
  password: string;
  companyName: string;
  cnpj: string;
  phone: string;
  /** The address of the terms that the person accepted. */
  acceptedTerms?: string | undefined;
}

interface RegisterMerchant {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
  initialSettings: Settings;
}

const DEFAULT_COLOR = '#1f6feb';

/** Creates an account and logs its first user in. The account is PENDING until an operator approves it. */
export async function registerMerchant(
  { database, passwords, tokens, clock, initialSettings: settings }: RegisterMerchant,
  { email, password, companyName, cnpj, phone, acceptedTerms: url }: Registration,
  client: Client,
): Promise<SessionTokens> {
  const passwordHash = await passwords.strangers.hash(password, siteOf(client.address));
  const createdAt = clock();
  const organization: Organization = {
    id: newId(),
    email,
    companyName,
    cnpj,
    phone,
    status: 'PENDING',
    acceptedTerms: url === undefined ? null : { url, at: createdAt.toISOString() },
    checkoutColor: DEFAULT_COLOR,
    timeZone: BANK_TIME_ZONE,
    settings,
    sandboxLimits: initialSandboxLimits,
    sandboxAheadMs: 0,
    version: 1,
    createdAt,
  };
  const userId = newId();
  try {
    return await database.transaction(async (tx) => {
      await insertOrganization(tx, organization);
      await insertUser(tx, { id: userId, organization, passwordHash });
      await insertAcceptedTerms(tx, organization, userId);
      // The CNPJ is checked last, so that a caller with a registered e-mail address cannot find out whether
      // an account has this CNPJ.
      if (await hasApprovedAccount(tx, cnpj)) throw accountExists('cnpj');
      await announce(tx, announcementOf(organization));
      failPoint('merchant.stored');
      const now = organization.createdAt;
      const user = { id: userId, organizationId: organization.id, passwordHash };
      const session = await openSession(tx, tokens, { user, client, now });
      if (!session) throw new Error('a user vanished');
      return session;
    });
  } catch (error) {
    if (isDuplicate(error, 'users_email')) throw accountExists('email');
    throw error;
  }
}

/** Returns a header that warns about values that the page of registration refuses, if the body has any. */
export function registrationWarnings({ email, password, companyName, cnpj }: Registration) {
  const weakness = weaknessOf(password, [companyName, email]);
  const warnings = [
    weakness === 'common' && 'password: is one of the most common passwords; choose another one',
    weakness === 'personal' && 'password: is made of words of the account; choose another one',
    !isCnpj(cnpj) && 'cnpj: the check digits of this CNPJ are wrong; production opens only for a right one',
  ];
  const text = warnings.filter(Boolean).join('. ');
  return text === '' ? {} : { 'X-Sandbox-Warning': text };
}

function accountExists(field: string): Refusal {
  return new Refusal('conflict', 'ACCOUNT_EXISTS', `${field}: an account with it exists already`);
}
