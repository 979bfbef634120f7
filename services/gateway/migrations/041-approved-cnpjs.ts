import type { Migration } from '@plataforma/data';

/**
 * A CNPJ is unique among approved accounts only, because a CNPJ is public and any caller may register one.
 */
export const approvedCnpjs: Migration = {
  name: '041_approved_cnpjs',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS organizations_approved_cnpj',
    `CREATE UNIQUE INDEX CONCURRENTLY organizations_approved_cnpj ON organizations (cnpj)
      WHERE status IN ('APPROVED', 'SUSPENDED')`,
    'DROP INDEX CONCURRENTLY IF EXISTS organizations_searched_cnpj',
    'CREATE INDEX CONCURRENTLY organizations_searched_cnpj ON organizations (cnpj)',
    'ALTER TABLE organizations DROP CONSTRAINT IF EXISTS organizations_cnpj',
  ],
};
