import { type Database, isDuplicate } from '@plataforma/data';
import { BANK_TIME_ZONE, type Clock, newId, Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { announce } from '@plataforma/tables';
import { openSession, type SessionTokens } from '../credentials.ts';
import { announcementOf } from '../domain/announcement.ts';
import type { Organization, Settings } from '../domain/organization.ts';
import { initialSandboxLimits } from '../domain/withdrawal-limits.ts';
import { failPoint } from '../fail-points.ts';
import type { PasswordQueues } from '../passwords.ts';
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
  { email, password, companyName, cnpj, phone }: Registration,
  client: Client,
): Promise<SessionTokens> {
  const passwordHash = await passwords.strangers.hash(password, siteOf(client.address));
  const organization: Organization = {
    id: newId(),
    email,
    companyName,
    cnpj,
    phone,
    status: 'PENDING',
    checkoutColor: DEFAULT_COLOR,
    timeZone: BANK_TIME_ZONE,
    settings,
    sandboxLimits: initialSandboxLimits,
    sandboxAheadMs: 0,
    version: 1,
    createdAt: clock(),
  };
  const userId = newId();
  try {
    return await database.transaction(async (tx) => {
      await insertOrganization(tx, organization);
      await insertUser(tx, { id: userId, organization, passwordHash });
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

function accountExists(field: string): Refusal {
  return new Refusal('conflict', 'ACCOUNT_EXISTS', `${field}: an account with it exists already`);
}
